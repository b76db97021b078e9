import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysBetween } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { type DayRecord, isYesterdayReady, spansToFetch } from '../../shared/reports/metric-calendar.ts';
import { daysIn } from '../../shared/reports/period.ts';

const TODAY = '2026-11-23' as PlainDate;
const LIMITS = { daysMax: 60, historyDays: 730 };
const MOMENT = { today: TODAY, isReady: true, since: null, rowsPerDay: 100 };

const ago = (days: number): PlainDate => addDays(TODAY, -days);
const received = (fetchedOn: PlainDate): DayRecord => ({ fetchedOn, is: 'received' });
const knownSince = (fetchedOn: (age: number) => DayRecord | null): ReadonlyMap<PlainDate, DayRecord> =>
  new Map(
    Array.from({ length: LIMITS.historyDays }, (_, at) => at + 1).flatMap((age) => {
      const record = fetchedOn(age);
      return record === null ? [] : [[ago(age), record] as const];
    }),
  );
const asked = (known: ReadonlyMap<PlainDate, DayRecord>, more: Partial<typeof MOMENT> = {}) =>
  spansToFetch(known, { ...MOMENT, ...more }, LIMITS).map(({ from, to }) => [
    daysBetween(to, TODAY),
    daysBetween(from, TODAY),
  ]);

describe('days are asked for again', () => {
  test('every day up to 32 days, weekly up to 92, monthly up to 184, and never after that', () => {
    expect(asked(knownSince(() => received(ago(0))))).toEqual([]);
    expect(asked(knownSince(() => received(ago(1))))).toEqual([[1, 32]]);
    expect(asked(knownSince(() => received(ago(6))))).toEqual([[1, 32]]);
    expect(asked(knownSince(() => received(ago(7))))).toEqual([
      [1, 60],
      [61, 92],
    ]);
    expect(asked(knownSince(() => received(ago(30))))).toEqual([
      [1, 60],
      [61, 120],
      [121, 180],
      [181, 184],
    ]);
  });

  test('in spans that begin with the newest day, over all that the service keeps or the account has', () => {
    const all = asked(new Map());
    expect(all).toHaveLength(13);
    expect([all[0], all.at(-1)]).toEqual([
      [1, 60],
      [721, 730],
    ]);
    expect(asked(new Map(), { since: ago(70) as never })).toEqual([
      [1, 60],
      [61, 70],
    ]);
    expect(asked(new Map(), { rowsPerDay: 100_000 })[0]).toEqual([1, 15]);
    expect(asked(new Map(), { rowsPerDay: 9_000_000 })[1]).toEqual([2, 2]);
  });

  test('without yesterday, before the hour at which the service has it', () => {
    expect(asked(knownSince((age) => (age === 1 ? null : received(TODAY))))).toEqual([[1, 1]]);
    expect(
      asked(
        knownSince(() => received(ago(1))),
        { isReady: false },
      ),
    ).toEqual([[2, 32]]);
    // 10:00 in Los Angeles, in summer and in winter, on both days on which the clocks change.
    for (const [before, ready] of [
      ['2026-07-01T16:59:00Z', '2026-07-01T17:00:00Z'],
      ['2026-12-01T17:59:00Z', '2026-12-01T18:00:00Z'],
      ['2026-03-08T16:59:00Z', '2026-03-08T17:00:00Z'],
      ['2026-11-01T17:59:00Z', '2026-11-01T18:00:00Z'],
    ] as const) {
      expect(isYesterdayReady(Date.parse(before), 'America/Los_Angeles', 10)).toBe(false);
      expect(isYesterdayReady(Date.parse(ready), 'America/Los_Angeles', 10)).toBe(true);
    }
  });

  test('a gap with the next request, an old one once a week, and whatever a wrong clock has fetched', () => {
    const gap = (at: number, fetchedOn: PlainDate) =>
      knownSince((age) => (age === at ? { ...received(fetchedOn), is: 'gap' } : received(TODAY)));
    expect(asked(gap(20, TODAY))).toEqual([]);
    expect(asked(gap(20, ago(1)))).toEqual([[20, 20]]);
    expect(asked(gap(300, ago(6)))).toEqual([]);
    expect(asked(gap(300, ago(7)))).toEqual([[300, 300]]);
    expect(asked(knownSince((age) => (age === 500 ? received(addDays(TODAY, 365)) : received(TODAY))))).toEqual([
      [500, 500],
    ]);
  });

  test('for any history: every due day once, within the limits, and never in more reports than needed', () => {
    const record = fc.option(
      fc.record({
        fetchedOn: fc.integer({ min: -400, max: 60 }).map((days) => addDays(TODAY, days)),
        is: fc.constantFrom('received' as const, 'gap' as const, 'held-back' as const),
      }),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 100 }), fc.integer({ min: 1, max: 70 }), (records, daysMax) => {
        const known = new Map<PlainDate, DayRecord>(
          records.flatMap((each, at) => (each === null ? [] : [[ago(at + 1), each] as const])),
        );
        const limits = { daysMax, historyDays: 100 };
        const spans = spansToFetch(known, MOMENT, limits);
        const due = Array.from({ length: 100 }, (_, at) => ago(at + 1)).filter(
          // Alone in the world, a due day is a span of its own.
          (day) =>
            spansToFetch(
              new Map([...known].filter(([each]) => each === day)),
              { ...MOMENT, since: day },
              {
                ...limits,
                daysMax: 1,
              },
            ).some(({ from }) => from === day),
        );
        const covering = due.map((day) => spans.filter(({ from, to }) => from <= day && day <= to).length);
        expect(covering.every((count) => count === 1)).toBe(true);
        for (const span of spans) expect(daysIn(span)).toBeLessThanOrEqual(daysMax);
        expect(spans.map(({ to }) => to)).toEqual(
          spans
            .map(({ to }) => to)
            .toSorted()
            .toReversed(),
        );
        // The newest due days of the spans are so far apart that no report holds two of them.
        spans.slice(1).forEach(({ to }, at) => {
          expect(daysBetween(to, spans[at]?.to ?? to)).toBeGreaterThanOrEqual(daysMax);
        });
        // Once all of that has come, nothing is due.
        const after = new Map(known);
        for (const { from, to } of spans)
          for (let day = from; day <= to; day = addDays(day, 1)) after.set(day, received(TODAY));
        expect(spansToFetch(after, MOMENT, limits)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
