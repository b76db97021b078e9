/** Texts of the figures of reports in the grid. */
export const enFigures = {
  label: 'Figures of a report',
  from: 'Figures from',
  asOf: (time: string) => `as of ${time}`,
  choose: 'Report whose figures are shown',
  none: (types: string) => `No report “${types}” is kept yet, so there are no figures to show.`,
  open: 'Get a report',
  hide: 'Hide the figures',
  locked: 'A figure of a report cannot be changed.',
  noFilter: 'Rows are filtered by their own fields. They can be sorted by figures.',
  actOn: (name: string) => `What to do with ${name}`,
  show: 'Show in the grid',
  bids: 'Calculate bids…',
  state: 'Switch on or off…',
  copy: 'Copy or move to…',
  noReports: 'The service reports on campaigns, ad groups, items and keywords.',
};
