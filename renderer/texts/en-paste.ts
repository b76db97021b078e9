import { countText, plural } from './numbers.ts';

/** Texts of pasting a table: columns matched, each row shown before it is applied. */
export const enPaste = {
  title: (what: string) => `Paste a table: ${what}`,
  drop: 'Paste here: Ctrl+V',
  hint: 'Copy rows in a spreadsheet program, with or without their header. Columns are matched; nothing is applied before you have seen it.',
  reading: 'Reading the table…',
  header: 'The first row is a header',
  columns: 'Columns',
  column: (i: number, example: string) => `Column ${i + 1}${example === '' ? '' : `, ${example}`}`,
  passOver: '(leave out)',
  counts: { add: 'to add', update: 'to change', unchanged: 'unchanged', error: 'with problems' },
  outcome: { add: 'New', update: 'Change', unchanged: 'Same', error: 'Problem' },
  decimals: 'How are decimals written in this table?',
  point: 'With a point: 1.50',
  comma: 'With a comma: 1,50',
  row: 'Row',
  what: 'What',
  values: 'Values',
  shown: (n: number, all: number) => `The first ${countText(n)} of ${countText(all)} rows`,
  again: 'Paste another table',
  apply: (n: number) => (n === 0 ? 'Apply' : `Apply ${plural(n, 'row')}`),
  label: (n: number) => `Paste ${plural(n, 'row')}`,
  applied: (added: number, changed: number) => `${plural(added, 'row')} added, ${plural(changed, 'cell')} changed.`,
  tooLong: (max: number) => `At most ${countText(max)} rows at once. Import a sheet for more.`,
} as const;
