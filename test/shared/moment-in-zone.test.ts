import { expect, test } from 'vitest';
import { momentInZone, wallTimeInZone } from '../../shared/model/plain-date.ts';

test.each([
  ['2026-11-30T18:00', 'America/Los_Angeles', '2026-12-01T02:00:00.000Z'],
  ['2026-07-31T18:00', 'America/Los_Angeles', '2026-08-01T01:00:00.000Z'],
  ['2026-03-08T02:30', 'America/Los_Angeles', '2026-03-08T09:30:00.000Z'],
  ['2026-11-01T12:00', 'America/Los_Angeles', '2026-11-01T20:00:00.000Z'],
  ['2026-01-01T00:00', 'Asia/Kolkata', '2025-12-31T18:30:00.000Z'],
  ['2026-01-01T00:00', 'UTC', '2026-01-01T00:00:00.000Z'],
])('%s in %s is %s', (text, zone, at) => {
  const moment = momentInZone(text, zone);
  expect(new Date(moment ?? 0).toISOString()).toBe(at);
});

test.each(['2026-02-30T10:00', '2026-11-30', '2026-11-30T25:00', '2026-11-30 18:00', 'tomorrow'])(
  '%s is no time',
  (text) => {
    expect(momentInZone(text, 'UTC')).toBeNull();
  },
);

test('what the wall shows is read back, in summer and in winter', () => {
  for (const text of ['2026-05-05T05:05', '2026-12-12T23:59']) {
    expect(wallTimeInZone(momentInZone(text, 'Europe/Berlin') ?? 0, 'Europe/Berlin')).toBe(text);
  }
});
