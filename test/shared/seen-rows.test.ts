import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDuplicateRowCheck } from '../../shared/spreadsheet/sheet-linker.ts';

test('of any rows in any order, each names the line of the first with its key', () => {
  // Few and short, so that keys come again, also with their letters parted otherwise between scope and key.
  const part = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', ' ', '\u00e4') });
  fc.assert(
    fc.property(fc.array(fc.tuple(part, part), { maxLength: 60 }), (rows) => {
      const seen = createDuplicateRowCheck();
      const firstLines = new Map<string, number>();
      rows.forEach(([scope, key], at) => {
        const line = at + 1;
        const before = firstLines.get(scope + key);
        expect(seen.lineOf(scope, key, line)).toBe(before ?? null);
        if (before === undefined) firstLines.set(scope + key, line);
      });
    }),
  );
});

test('however many rows there are, all of them are found again and no other', () => {
  const seen = createDuplicateRowCheck();
  const lines = Array.from({ length: 20_000 }, (_, at) => at + 1);
  const lineOf = (line: number): number | null => seen.lineOf(`keyword @${line % 30} `, `exact towel ${line}`, line);
  expect(lines.map(lineOf).every((before) => before === null)).toBe(true);
  expect(lines.map(lineOf)).toEqual(lines);
});
