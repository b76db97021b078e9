import { expect, test } from 'vitest';
import type { Condition } from './condition.ts';
import { type Trend, trendOf } from './trend.ts';
import { LIMITS, type Verdict, verdicts } from './verdicts.ts';

const MB = 1024 ** 2;
const MINUTE_MS = 60_000;
const calm: Condition = {
  live: 70 * MB,
  own: 120 * MB,
  resident: 190 * MB,
  handles: 40,
  threads: 14,
  timers: 5,
  wal: 4 * MB,
};
/** Noise that is the same in each run: the digits of a sum of squares are as good as any here. */
const noise = (moment: number): number => ((moment * moment * 7919 + moment * 104_729) % 1000) / 1000 - 0.5;
const aMoment = (at: (moment: number) => Partial<Condition>) => (_: unknown, moment: number) => ({
  ...calm,
  ...at(moment),
});
/** Two hours, a moment each minute. */
const over = (at: (moment: number) => Partial<Condition>, count = 120): readonly Verdict[] =>
  verdicts(Array.from({ length: count }, aMoment(at)), MINUTE_MS, 0);
const notFlat = (found: readonly Verdict[]): readonly string[] =>
  found.flatMap(({ what, outcome }) => (outcome === 'flat' || outcome === 'told' ? [] : [`${what} ${outcome}`]));

test('a run that warms up and then stays, with all its noise, is flat', () => {
  const warm = (moment: number) => ({ own: (Math.min(130, 80 + moment) + 10 * noise(moment)) * MB });
  expect(notFlat(over(warm))).toEqual([]);
});
test('what grows slowly under much noise is found', () => {
  const growing = (moment: number) => ({ own: (100 + 0.5 * moment + 20 * noise(moment)) * MB });
  expect(notFlat(over(growing))).toEqual(['own grows']);
});
test('what stays in use is found when it is a tenth of a megabyte a minute, however much garbage comes and goes', () => {
  const kept = (moment: number) => ({ live: (70 + moment / 10) * MB, resident: (190 + 40 * noise(moment)) * MB });
  expect(notFlat(over(kept))).toEqual(['live grows']);
});
test('what the system holds in memory at the moment is told and not judged', () => {
  const swollen = over((moment) => ({ resident: (190 + moment) * MB }));
  expect(notFlat(swollen)).toEqual([]);
  expect(swollen.find(({ what }) => what === 'resident')).toMatchObject({ outcome: 'told', most: 309 * MB });
});
test('one handle in a quarter of an hour is found, and so are threads and timers', () => {
  expect(notFlat(over((moment) => ({ handles: 40 + Math.floor(moment / 15) })))).toEqual(['handles grows']);
  expect(notFlat(over((moment) => ({ threads: 14 + Math.floor(moment / 15) })))).toEqual(['threads grows']);
  expect(notFlat(over((moment) => ({ timers: 5 + Math.floor(moment / 15) })))).toEqual(['timers grows']);
});
test('a handle that comes and goes is none that stays', () => {
  expect(notFlat(over((moment) => ({ handles: 40 + (moment % 3) })))).toEqual([]);
});
test('growth that stops after the first half is warming up; what begins with the second is not', () => {
  const step = (from: number) => (moment: number) => ({ own: (moment < from ? 100 : 160) * MB });
  expect(notFlat(over(step(55)))).toEqual([]);
  expect(notFlat(over((moment) => ({ own: (100 + Math.max(0, moment - 60)) * MB })))).toEqual(['own grows']);
});
test('a short run may still warm up by a few megabytes, and no handle more', () => {
  const over10Minutes = (at: (moment: number) => Partial<Condition>) =>
    notFlat(verdicts(Array.from({ length: 120 }, aMoment(at)), 5000, 0));
  expect(over10Minutes((moment) => ({ own: (100 + moment / 10) * MB }))).toEqual([]);
  expect(over10Minutes((moment) => ({ own: (100 + moment / 4) * MB }))).toEqual(['own grows']);
  expect(over10Minutes((moment) => ({ handles: 40 + Math.floor(moment / 15) }))).toEqual(['handles grows']);
});
test('a run too short for its noise says that it has shown nothing', () => {
  expect(notFlat(over((moment) => ({ own: (100 + 20 * noise(moment)) * MB }), 16))).toEqual(['own unshown']);
});
test('a log that was too large once is told, also between two moments', () => {
  const wal = (moment: number) => ({ wal: moment === 30 ? LIMITS.wal + MB : MB });
  expect(notFlat(over(wal))).toEqual(['wal grows']);
  expect(
    verdicts(
      Array.from(
        { length: 60 },
        aMoment(() => ({})),
      ),
      MINUTE_MS,
      LIMITS.wal + MB,
    ).at(-1),
  ).toMatchObject({
    what: 'wal',
    most: LIMITS.wal + MB,
    outcome: 'grows',
  });
});
test('the slope of a line is its slope, and its bounds hold that of a noisy one', () => {
  const line = (noisy: number): Trend => {
    const values = Array.from({ length: 60 }, (_, at) => 3 * at + noisy * noise(at));
    return trendOf(values, 1);
  };
  expect(line(0)).toEqual({ slope: 3, low: 3, high: 3 });
  const noisy = line(20);
  expect(noisy.low).toBeLessThan(3);
  expect(noisy.high).toBeGreaterThan(3);
  expect(noisy.high - noisy.low).toBeLessThan(0.5);
});
test('the bounds of pure noise hold zero in nineteen of twenty runs', () => {
  // A generator with a seed, so that the share is the same in each run.
  let state = 20_261_122;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const RUNS = 400;
  const holds = Array.from({ length: RUNS }, () => trendOf(Array.from({ length: 60 }, random), 1)).filter(
    ({ low, high }) => low <= 0 && high >= 0,
  ).length;
  expect(holds / RUNS).toBeGreaterThan(0.92);
  expect(holds / RUNS).toBeLessThan(0.98);
});
