/** Texts of the figures of reports in the grid. */
export const enFigures = {
  label: 'Report metrics',
  from: 'Metrics from',
  asOf: (time: string) => `as of ${time}`,
  choose: 'Report to show metrics from',
  none: (types: string) => `No saved "${types}" report, so there are no metrics to show.`,
  open: 'Get report',
  hide: 'Hide metrics',
  locked: "Report metrics can't be edited.",
  noFilter: 'You can sort by metrics, but not filter by them.',
  actOn: (name: string) => `Actions for ${name}`,
  show: 'Show in grid',
  bids: 'Adjust bids…',
  state: 'Enable or pause…',
  copy: 'Copy or move to…',
  noReports: 'Reports cover campaigns, ad groups, items and keywords only.',
};
