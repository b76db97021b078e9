import { countText, inSentence, plural } from '../app/locale/numbers.ts';

/** Texts of the grid: row marks, and messages after copying, pasting and filling. */
export const gridTexts = {
  label: (what: string) => `${what} grid`,
  campaign: 'Campaign',
  rowState: 'Row status',
  fold: (isFolded: boolean, name: string) => `${isFolded ? 'Expand' : 'Collapse'} ${name}`,
  noGroup: {
    campaign: 'No campaign',
    type: 'No type',
    match: 'No match type',
    status: 'No status',
    label: 'No label',
  },
  ghost: {
    title: (field: string) => `New ${inSentence(field)}`,
    same: 'no change',
    grows: (by: string) => `+${by}`,
    shrinks: (by: string) => `−${by}`,
  },
  status: 'Status',
  estimated: ' (estimated)',
  trend: 'Spend, 14 days',
  trendOf: (least: string, most: string) => `Daily spend, lowest ${least}, highest ${most}`,
  noMetric: '–',
  suggested: 'Suggested bid',
  evidence: 'Evidence',
  evidenceWords: { firm: 'Firm', fair: 'Fair', none: 'Little' },
  metric: (name: string, window: number | null, isChange: boolean) =>
    `${name}${window === null ? '' : `, ${window} days`}${isChange ? ', change' : ''}`,
  setTarget: 'Set a target',
  stillExpected: (percent: string) => `Not settled: about ${percent} of its orders are still expected.`,
  suggestion: {
    title: (bid: string) => `Suggested ${bid}`,
    computed: 'How it is calculated',
    use: (bid: string) => `Use ${bid}`,
    apply: (n: number) => `Apply to ${plural(n, 'row')}`,
    accept: (n: number) => `Use ${plural(n, 'suggested bid')}`,
    applied: (n: number, capped: number) =>
      capped === 0
        ? `${plural(n, 'suggested bid')} used. Press Ctrl+Z to undo.`
        : `${plural(n, 'suggested bid')} used. ${countText(capped)} left out: weekly spend would change by more than 20%.`,
    none: 'No suggested bid: there is too little evidence, or the bid is right.',
    percent: (percent: number) => `${percent < 0 ? '−' : '+'}${countText(Math.abs(percent))}%`,
  },
  types: {
    sponsoredProducts: (targeting: string) => `Products, ${targeting}`,
    sba: () => 'SBA',
  } as Readonly<Record<string, (targeting: string) => string>>,
  resizeColumn: (name: string) => `Resize column ${name}`,
  copied: (n: number) => `${plural(n, 'cell')} copied`,
  copying: (done: number, total: number) => `Copying: ${countText(done)} of ${plural(total, 'row')}`,
  copyStop: 'Stop copying',
  copyStopped: 'Nothing was copied.',
  copyDisturbed: 'Rows changed while you were copying. Copy them again.',
  copyTooLarge: (max: number) => `You can copy up to ${countText(max)} cells. For more, export the account.`,
  pasted: (n: number) => `${plural(n, 'cell')} pasted`,
  pasteLabel: (n: number) => `Paste ${plural(n, 'cell')}`,
  pasteTooLarge: (max: number) => `You can paste up to ${countText(max)} cells. For more, import a file.`,
  pasteReadOnly: "These cells can't be edited.",
  pasteOver: {
    title: (n: number) => `Overwrite ${plural(n, 'row')}?`,
    tooTall: (rows: number, left: number) =>
      `You copied ${plural(rows, 'row')}. The list has ${countText(left)} from the selected cell on, and the other ${countText(rows - left)} would be skipped.`,
    headed: 'The first copied row has the names of columns. It would overwrite a row too.',
    keep: 'Cancel',
    button: (n: number) => `Overwrite ${plural(n, 'row')}`,
    addRows: 'Add as new rows…',
  },
  clearLabel: (n: number) => `Clear ${plural(n, 'cell')}`,
  fillLabel: (n: number) => `Fill down ${plural(n, 'cell')}`,
  editor: (field: string) => `New value for ${field}`,
  noSum: 'This formula needs an amount in the cell and a result of 0 or more.',
  sum: (result: string) => `= ${result}`,
  sumLeft: (n: number) => `${plural(n, 'cell')} skipped: empty, or the result is below 0.`,
  copyByKey: 'Your browser does not allow copying from menus. Press Ctrl+C.',
  pasteByKey: 'Your browser does not allow pasting from menus. Press Ctrl+V.',
  fillHandle: 'Drag to fill (Ctrl+D fills down)',
  totals: {
    label: 'Totals of all rows',
    selection: (n: number) => `Totals of ${countText(n)} selected rows`,
    selected: (n: number) => `${countText(n)} selected`,
    ofAll: (n: number) => `of ${countText(n)}`,
    within: (n: number) => `in ${plural(n, 'campaign')}`,
    what: {
      sum: (title: string, amount: string, n: number) =>
        `Sum of ${inSentence(title)} in ${plural(n, 'row')}: ${amount}`,
      ratio: (title: string, amount: string) => `${title}: ${amount}`,
      average: (title: string, amount: string, n: number) =>
        `Average of ${inSentence(title)} in ${plural(n, 'row')}: ${amount}`,
    },
  },
  readOnly: {
    service: 'Set by the service.',
    sent: "Can't be changed after the row is created on the service.",
    file: 'Read from the file.',
  },
  locked: "Report metrics can't be edited.",
} as const;
