import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import { toStored } from '../../renderer/app/store/layout-slice.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import {
  customPeriod,
  daysIn,
  FIRST_PERIOD,
  isPeriod,
  PERIODS,
  periodSpan,
  spanBefore,
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
