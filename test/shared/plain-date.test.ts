import { afterEach, expect, test, vi } from 'vitest';
import { dateInZone, startOfDayMs } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';

const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.restoreAllMocks();
});

test('the same instant is another date in another zone, whichever was asked for before', () => {
  const lateEvening = Date.parse('2026-03-01T03:30:00Z');
  const dates = () => ['America/Los_Angeles', 'UTC', 'Asia/Tokyo'].map((zone) => dateInZone(lateEvening, zone));
  expect(dates()).toEqual(['2026-02-28', '2026-03-01', '2026-03-01']);
  expect(dates()).toEqual(['2026-02-28', '2026-03-01', '2026-03-01']);
});
test('a day begins in its zone, also on the days on which the clocks are moved', () => {
  const start = (date: string) => startOfDayMs(date as PlainDate, 'America/Los_Angeles');
  expect(start('2026-03-08')).toBe(Date.parse('2026-03-08T08:00:00Z'));
  expect(start('2026-03-09')).toBe(Date.parse('2026-03-09T07:00:00Z'));
  expect(start('2026-11-02') - start('2026-11-01')).toBe(25 * HOUR_MS);
});
test('a zone is prepared once, however often it is asked for', () => {
  const prepared = vi.spyOn(Intl, 'DateTimeFormat');
  for (let hour = 0; hour < 1000; hour += 1) dateInZone(hour * HOUR_MS, 'Pacific/Auckland');
  expect(prepared).toHaveBeenCalledTimes(1);
});
