import { countText, plural } from './numbers.ts';

/** Texts about choosing which rows of a sheet come in. */
export const enImport = {
  rows: 'Rows of the file',
  rowsHint: 'Take a tick away to leave a row as it is here.',
  outcome: {
    added: 'to add',
    changed: 'to change',
    removed: 'to delete',
    conflict: 'edited there and here',
    unchanged: 'unchanged',
    error: 'cannot come in',
  },
  some: (count: number, total: number) =>
    count === total ? countText(total) : `${countText(count)} of ${countText(total)}`,
  allOf: (name: string, total: number) => `All ${countText(total)} ${name}`,
  shown: 'Rows shown',
  line: (line: number) => `Line ${countText(line)}`,
  tick: (line: number) => `Line ${countText(line)} comes in`,
  removed: 'is deleted by the next sync',
  below: 'Rows below a campaign or an ad group that stays out cannot come in either.',
  conflictHint: 'Ticked rows take what the file says; the others stay as they are here.',
  addFiles: (n: number) => `Add ${plural(n, 'file')}`,
  loading: 'Reading the rows…',
} as const;
