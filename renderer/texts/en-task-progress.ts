/** What the bar at the bottom says while something takes a while. */
export const enTaskProgress = {
  import: 'Importing…',
  export: 'Exporting…',
  change: 'Changing rows…',
  copy: 'Copying to another account…',
  stop: 'Stop',
} as const;
