import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupedLines, plainLines } from '../../renderer/grid/lines.ts';

test('every row and every head has one line, and folded rows have that of their head', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ count: fc.integer({ min: 1, max: 6 }), isFolded: fc.boolean() })), (groups) => {
      const from: number[] = [];
      let rows = 0;
      for (const { count } of groups) {
        from.push(rows);
        rows += count;
      }
      const keys = groups.map((_, group) => group + 100);
      const folded = new Set(keys.filter((_, group) => groups[group]?.isFolded));
      const lines = groupedLines({ from, keys }, rows, folded);
      const expected = groups.flatMap(({ count, isFolded }, group) => [
        `group ${group}`,
        ...(isFolded ? [] : Array.from({ length: count }, (_, i) => `row ${(from[group] ?? 0) + i}`)),
      ]);
      const all = Array.from({ length: lines.length }, (_, at) => lines.at(at));
      expect(all.map((line) => (line.is === 'group' ? `group ${line.group}` : `row ${line.row}`))).toEqual(expected);
      for (const [at, line] of all.entries()) {
        if (line.is === 'row') expect(lines.ofRow(line.row)).toBe(at);
        else {
          expect(lines.ofGroup(line.group)).toBe(at);
          expect(lines.rowsOf(line.group)).toEqual({ from: from[line.group], count: groups[line.group]?.count });
          if (lines.isFolded(line.group)) expect(lines.ofRow(from[line.group] ?? 0)).toBe(at);
        }
      }
    }),
  );
});

test('the last of the groups that are known has no count while more may follow', () => {
  const lines = groupedLines({ from: [0, 3], keys: [1, 2], isOpen: true }, 200_000, new Set());
  expect([lines.countOf(0), lines.countOf(1)]).toEqual([3, null]);
});

test('without groups a line is a row', () => {
  const lines = plainLines(3);
  expect([lines.length, lines.at(2), lines.ofRow(2)]).toEqual([3, { is: 'row', row: 2 }, 2]);
});
