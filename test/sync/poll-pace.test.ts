import { describe, expect, test } from 'vitest';
import { nextPollMinutes } from '../../main/sync/poll-scheduler.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { startOfDayMs } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';

const profile = defaultDeploymentSettings('shop.example');

describe('how often the service is asked', () => {
  const minutes = (ages: readonly (number | null)[]): number =>
    nextPollMinutes(
      ages.map((age) => (age === null ? null : 1_000_000_000 - age * 60_000)),
      1_000_000_000,
      profile,
    );
  test.each([
    ['nothing is worked on', [], 30],
    ['an upload has just ended', [0], 30],
    ['a video should be ready soon', [20], 15],
    ['a video should be ready', [40], 15],
    ['a video is overdue', [121], 30],
    ['nobody knows since when', [null], 30],
    ['one of two is due', [300, 90], 15],
  ])('when %s', (_what, ages, expected) => {
    expect(minutes(ages)).toBe(expected);
  });
});

test.each([
  ['2026-03-08', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z'],
  ['2026-07-31', 'America/Los_Angeles', '2026-07-31T07:00:00.000Z'],
  ['2026-11-02', 'America/Los_Angeles', '2026-11-02T08:00:00.000Z'],
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  ['2026-01-01', 'Asia/Kolkata', '2025-12-31T18:30:00.000Z'],
])('%s begins in %s at %s', (date, zone, at) => {
  expect(new Date(startOfDayMs(date as PlainDate, zone)).toISOString()).toBe(at);
});
