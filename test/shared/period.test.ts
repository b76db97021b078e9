import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import { layoutOfKind, toStored } from '../../renderer/app/store/layout-slice.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { currentKey } from '../../shared/reports/account-metrics.ts';
import {
  COMPARISONS,
  comparedSpan,
  customPeriod,
  daysIn,
  FIRST_PERIOD,
  isPeriod,
  PERIODS,
  periodIn,
  periodSpan,
  periodWord,
  spanBefore,
  stepPeriod,
} from '../../shared/reports/period.ts';

const TODAY = '2026-11-23' as PlainDate;

test('periods end on the day before, and the period before has as many days', () => {
  expect(periodSpan('last-30', TODAY)).toEqual({ from: '2026-10-24', to: '2026-11-22' });
  expect(periodSpan('this-month', TODAY)).toEqual({ from: '2026-11-01', to: '2026-11-22' });
  expect(periodSpan('this-month', '2026-12-01' as PlainDate)).toEqual({ from: '2026-12-01', to: '2026-12-01' });
  for (const period of PERIODS) {
    const span = periodSpan(period, TODAY);
    const before = spanBefore(span);
    expect([daysIn(before), addDays(before.to, 1)]).toEqual([daysIn(span), span.from]);
  }
});

test('two days make a period when they are in order, and it is the same on every day', () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: -10, max: 400 }), (start, length) => {
      const span = { from: addDays(TODAY, start), to: addDays(TODAY, start + length) };
      const period = customPeriod(span);
      expect(isPeriod(period)).toBe(length >= 0 && length < 366);
      if (isPeriod(period)) expect(periodSpan(period, TODAY)).toEqual(span);
    }),
  );
});

test('a window keeps its period with its layout, and none that is not one', () => {
  const store = createAppStore();
  expect(store.getState().period).toBe(FIRST_PERIOD);
  store.getState().choosePeriod('last-90');
  const other = createAppStore();
  other.getState().restoreLayout(toStored(store.getState()));
  expect(other.getState().period).toBe('last-90');
  other.getState().restoreLayout({ period: 'last-4000' });
  expect(other.getState().period).toBe(FIRST_PERIOD);
});

test('a step back and a step forward lead to the same days, and none goes past yesterday', () => {
  const someday = fc.integer({ min: 0, max: 800 }).map((days) => addDays(TODAY, days));
  const period = fc.oneof(
    fc.constantFrom(...PERIODS),
    fc.integer({ min: 1, max: 366 }).map((days) => `last-${days}` as const),
  );
  fc.assert(
    fc.property(period, someday, (chosen, today) => {
      const span = periodSpan(chosen, today);
      const back = stepPeriod(chosen, -1, today);
      expect(periodSpan(back, today).to).toBe(addDays(span.from, -1));
      expect(periodSpan(stepPeriod(back, 1, today), today)).toEqual(span);
      expect(stepPeriod(chosen, 1, today)).toBe(chosen);
    }),
  );
  expect(stepPeriod('this-month', -1, TODAY)).toBe('2026-10-01..2026-10-31');
  expect(stepPeriod('2026-10-01..2026-10-31', -1, TODAY)).toBe('2026-09-01..2026-09-30');
});

test('a comparison has as many days as the period, on the same weekdays where it says so', () => {
  const span = periodSpan('last-28', TODAY);
  expect(COMPARISONS.map((each) => comparedSpan(span, each)?.from ?? null)).toEqual([
    null,
    '2026-09-28',
    '2026-09-28',
    '2025-10-27',
  ]);
});

test('a period that is typed is read back from its word', () => {
  for (const period of [...PERIODS, 'last-28', '2026-05-01..2026-05-31'] as const)
    expect(periodIn(periodWord(period))).toBe(period);
  expect(['0d', '367d', '28 weeks', 'soon'].map(periodIn)).toEqual([null, null, null, null]);
});

test('a saved view keeps its period, and the metrics of earlier versions under their names of today', () => {
  const store = createAppStore();
  store.getState().choosePeriod('last-7');
  store.getState().adjustPeriod({ comparison: 'year', attribution: 30, settledOnly: true });
  const saved = layoutOfKind(store.getState(), 'keyword');
  const other = createAppStore();
  other.getState().restoreKind('keyword', {
    ...saved,
    'order.keyword': 'text,report.roas14days,report.trend',
    'shown.keyword.report.adSpend': false,
  });
  expect(other.getState()).toMatchObject({
    ...{ period: 'last-7', comparison: 'year', attribution: 30, settledOnly: true },
    columnOrder: { keyword: ['text', 'metric.roas', 'metric.trend'] },
    columnShown: { 'keyword.metric.spend': false },
  });
});

test('a column of a metric of an earlier version is known by its key of today', () => {
  const keys = ['report.attributedSales14days', 'report.adSpend', 'report.trend', 'metric.roas.30.change', 'bid'];
  expect(keys.map(currentKey)).toEqual([
    'metric.sales',
    'metric.spend',
    'metric.trend',
    'metric.roas.30.change',
    'bid',
  ]);
});
