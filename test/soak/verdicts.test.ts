import { expect, test } from 'vitest';
import { type Condition, LIMITS, trendOf, type Verdict, verdicts } from './verdicts.ts';

/** The judge of a soak, on runs that are made up: a leak is found under noise, and noise is no leak. */
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
type At = (moment: number) => Partial<Condition>;
/** The same in each run: digits of a sum of squares are noise enough. */
const noise = (moment: number): number => ((moment * moment * 7919 + moment * 104_729) % 1000) / 1000 - 0.5;
const judge = (at: At, moments = 120, everyMs = MINUTE_MS, peakLog = 0): readonly Verdict[] => {
  const run = Array.from({ length: moments }, (_, moment) => ({ ...calm, ...at(moment) }));
  return verdicts(run, everyMs, peakLog);
};
const notFlat = (found: readonly Verdict[]): readonly string[] =>
  found.flatMap(({ what, outcome }) => (outcome === 'flat' || outcome === 'told' ? [] : [`${what} ${outcome}`]));

const everyQuarter = (at: number): number => Math.floor(at / 15);
const own =
  (mb: (at: number) => number): At =>
  (at) => ({ own: mb(at) * MB });

test.each<[string, At, readonly string[]]>([
  ['that warms up and then stays, with its noise', own((at) => Math.min(130, 80 + at) + 10 * noise(at)), []],
  ['that grows slowly under much noise', own((at) => 100 + 0.5 * at + 20 * noise(at)), ['own grows']],
  [
    'that keeps a tenth of a megabyte a minute under much garbage',
    (at) => ({ live: (70 + at / 10) * MB, resident: (190 + 40 * noise(at)) * MB }),
    ['live grows'],
  ],
  ['with a handle more in a quarter of an hour', (at) => ({ handles: 40 + everyQuarter(at) }), ['handles grows']],
  ['with a thread more in a quarter of an hour', (at) => ({ threads: 14 + everyQuarter(at) }), ['threads grows']],
  ['with a timer more in a quarter of an hour', (at) => ({ timers: 5 + everyQuarter(at) }), ['timers grows']],
  ['with a handle that comes and goes', (at) => ({ handles: 40 + (at % 3) }), []],
  ['that stops growing before its second half', own((at) => (at < 55 ? 100 : 160)), []],
  ['that begins to grow with its second half', own((at) => 100 + Math.max(0, at - 60)), ['own grows']],
  ['whose log was too large once', (at) => ({ wal: at === 30 ? LIMITS.wal + MB : MB }), ['wal grows']],
])('of two hours %s has this verdict', (_, at, found) => {
  expect(notFlat(judge(at))).toEqual(found);
});

test.each<[string, At, readonly string[]]>([
  ['a few megabytes', own((at) => 100 + at / 10), []],
  ['many megabytes', own((at) => 100 + at / 4), ['own grows']],
  ['handles', (at) => ({ handles: 40 + everyQuarter(at) }), ['handles grows']],
])('a run of ten minutes may warm up by a few megabytes and no more: %s', (_, at, found) => {
  expect(notFlat(judge(at, 120, 5000))).toEqual(found);
});

test('a run too short for its noise says that it has shown nothing', () => {
  expect(
    notFlat(
      judge(
        own((at) => 100 + 20 * noise(at)),
        16,
      ),
    ),
  ).toEqual(['own unshown']);
});

test('memory that the system holds is told and not judged', () => {
  const swollen = judge((at) => ({ resident: (190 + at) * MB }));
  expect(notFlat(swollen)).toEqual([]);
  expect(swollen.find(({ what }) => what === 'resident')).toMatchObject({ outcome: 'told', most: 309 * MB });
});

test('a log that was too large between two moments counts as well', () => {
  const found = judge(() => ({}), 60, MINUTE_MS, LIMITS.wal + MB);
  expect(found.at(-1)).toMatchObject({ what: 'wal', most: LIMITS.wal + MB, outcome: 'grows' });
});

test('the slope of a line is its slope, and its bounds hold that of a noisy one', () => {
  const line = (noisy: number) =>
    trendOf(
      Array.from({ length: 60 }, (_, at) => 3 * at + noisy * noise(at)),
      1,
    );
  expect(line(0)).toEqual({ slope: 3, low: 3, high: 3 });
  const { low, high } = line(20);
  expect(low).toBeLessThan(3);
  expect(high).toBeGreaterThan(3);
  expect(high - low).toBeLessThan(0.5);
});

test('the bounds of pure noise hold zero in nineteen of twenty runs', () => {
  // A generator with a seed, so that the share is the same in each run.
  let state = 20_261_122;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const RUNS = 400;
  const trends = Array.from({ length: RUNS }, () => trendOf(Array.from({ length: 60 }, random), 1));
  const share = trends.filter(({ low, high }) => low <= 0 && high >= 0).length / RUNS;
  expect(share).toBeGreaterThan(0.92);
  expect(share).toBeLessThan(0.98);
});
