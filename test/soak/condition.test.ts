import { expect, test } from 'vitest';
import { type Condition, verdicts } from './condition.ts';

const MB = 1024 ** 2;
const calm: Condition = { resident: 120 * MB, handles: 40, threads: 14, wal: 4 * MB };
const over = (count: number, at: (moment: number) => Partial<Condition>): readonly Condition[] =>
  Array.from({ length: count }, (_, moment) => ({ ...calm, ...at(moment) }));
const broken = (moments: readonly Condition[]): readonly string[] =>
  verdicts(moments)
    .filter(({ isFlat }) => !isFlat)
    .map(({ what }) => what);

test('a run that warms up and stays is sound', () => {
  expect(broken(over(60, (moment) => ({ resident: (moment < 15 ? 80 : 130) * MB })))).toEqual([]);
});
test('memory, handles and threads that grow are told', () => {
  expect(broken(over(60, (moment) => ({ resident: (100 + 3 * moment) * MB })))).toEqual(['resident']);
  expect(broken(over(60, (moment) => ({ handles: 40 + moment })))).toEqual(['handles']);
  expect(broken(over(60, (moment) => ({ threads: 14 + Math.floor(moment / 5) })))).toEqual(['threads']);
});
test('a log that was too large once is told', () => {
  expect(broken(over(60, (moment) => ({ wal: moment === 30 ? 100 * MB : MB })))).toEqual(['wal']);
});
