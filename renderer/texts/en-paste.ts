import { countText, plural } from './numbers.ts';

/** Texts of pasting a table: columns matched, each row shown before it is applied. */
export const enPaste = {
  title: (what: string) => `Paste a table: ${what}`,
  drop: 'Paste here: Ctrl+V',
  hint: 'Copy rows from a spreadsheet, with or without a header row. Adslate matches the columns and shows a preview before anything changes.',
  reading: 'Reading the table…',
  header: 'First row is a header',
  columns: 'Columns',
  column: (i: number, example: string) => `Column ${i + 1}${example === '' ? '' : `, ${example}`}`,
  passOver: '(skip)',
  counts: { add: 'to add', update: 'to change', unchanged: 'unchanged', error: 'with errors' },
  outcome: { add: 'New', update: 'Change', unchanged: 'Unchanged', error: 'Error' },
  decimals: 'Decimal separator in this table',
  point: 'Point (1.50)',
  comma: 'Comma (1,50)',
  row: 'Row',
  what: 'Action',
  values: 'Values',
  shown: (n: number, all: number) => `Showing ${countText(n)} of ${plural(all, 'row')}`,
  again: 'Paste another table',
  apply: (n: number) => (n === 0 ? 'Paste rows' : `Paste ${plural(n, 'row')}`),
  label: (n: number) => `Paste ${plural(n, 'row')}`,
  applied: (added: number, changed: number) => `${plural(added, 'row')} added, ${plural(changed, 'cell')} changed.`,
  tooLong: (max: number) => `You can paste up to ${countText(max)} rows. For more, import a file.`,
} as const;
