import { expect, test } from 'vitest';
import { asTyped, type PasteAs, pastedValues } from '../../renderer/features/tools/pasted-values.ts';
import { columnsOf } from '../../renderer/grid/columns.ts';
import { NEW } from '../../shared/model/row.ts';
import { aWindowRow } from './a-window-row.ts';

const columns = columnsOf('keyword', false).filter(({ cell }) => cell !== null);
const left = columns.findIndex(({ field }) => field === 'bid');
const paste = (table: readonly (readonly string[])[], bids: readonly (number | null)[], as: PasteAs, erase = false) =>
  pastedValues(
    'keyword',
    table,
    columns,
    left,
    bids.map((bid, i) => aWindowRow('keyword', i + 1, { bid }, NEW)),
    as,
    erase,
  );
const values = (pasted: ReturnType<typeof paste>) => pasted.changes.map(({ value }) => value);

test.each([
  ['0.05', 'add', '+0.05'],
  ['-0.05', 'add', '-0.05'],
  ['10', 'percent', '+10%'],
  ['-5%', 'percent', '-5%'],
  ['1.2', 'multiply', '*1.2'],
  [' 1.50 ', 'replace', '1.50'],
  ['', 'add', ''],
] as const)('%s to %s is typed as %s', (text, as, typed) => expect(asTyped(text, as)).toBe(typed));

test('amounts are reckoned with what is there, and repeated over a longer selection', () => {
  expect(values(paste([['0.05']], [100, 200], 'add'))).toEqual([105, 205]);
  expect(values(paste([['10'], ['-50']], [100, 200], 'percent'))).toEqual([110, 100]);
  expect(values(paste([['1.5']], [100], 'multiply'))).toEqual([150]);
});

test('blank cells leave theirs alone unless they are to erase', () => {
  expect(values(paste([['1.00'], ['']], [150, 150], 'replace'))).toEqual([100]);
  expect(values(paste([['1.00'], ['']], [150, 150], 'replace', true))).toEqual([100, null]);
});

test('what has no sum or does not fit is counted, and what would not change is no change', () => {
  expect(paste([['10']], [null, 100], 'percent')).toMatchObject({ misfits: 1, changes: [{ value: 110 }] });
  expect(paste([['dear']], [100], 'replace')).toMatchObject({ misfits: 1, changes: [] });
  expect(paste([['1.00']], [100], 'replace')).toMatchObject({ changes: [], misfits: 0, locked: 0 });
});
