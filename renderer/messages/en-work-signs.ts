/** What the bar at the bottom says while something takes a while. */
export const enWorkSigns = {
  import: 'Importing…',
  export: 'Exporting…',
  change: 'Changing rows…',
} as const;
