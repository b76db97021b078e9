import { expect, test } from 'vitest';
import {
  calendarFile,
  dayPlace,
  liveText,
  namedWeeks,
  placeOf,
  segmentsOf,
  weeksOf,
} from '../../renderer/features/launch/LaunchScreen.tsx';
import { launchTexts } from '../../renderer/features/launch/text.ts';
import type { Launch, LaunchStep } from '../../shared/api/campaigns.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import { asRowId, type PlainDate } from '../../shared/model/scalars.ts';

const day = (text: string): PlainDate => {
  const date = plainDate(text);
  if (date === null) throw new Error(`${text} is no date`);
  return date;
};
const today = day('2030-05-01');
const waits = { today, reviewDays: 3, mediaMinutes: 30 };
const aLaunch = (changes: Partial<Launch> = {}): Launch => ({
  campaignId: asRowId(7),
  name: 'Kettles',
  campaignType: 'video',
  state: 'draft',
  stateSource: 'estimated',
  asOf: '2030-05-01T08:00:00.000Z',
  reviewStatus: null,
  startDate: '2030-05-20',
  endDate: '2030-06-19',
  missing: [{ step: 'submit', minutes: 4320, least: 1440, fix: { way: 'submit' } }],
  isReady: false,
  needsReview: true,
  submitBy: '2030-05-16',
  isLate: false,
  waitsForVideo: true,
  itemId: null,
  dailyBudgetCents: 3750,
  extendTo: null,
  ...changes,
});

test('a campaign passes through its video, its review and its wait, and is live until the day after its last', () => {
  const segments = segmentsOf(aLaunch(), waits);
  expect(segments.map(({ what, from, to }) => [what, from, to])).toEqual([
    ['media', '2030-05-01', '2030-05-02'],
    ['review', '2030-05-02', '2030-05-05'],
    ['scheduled', '2030-05-05', '2030-05-20'],
    ['live', '2030-05-20', '2030-06-20'],
  ]);
});

test('a review that ends after the first day puts off going live', () => {
  const segments = segmentsOf(aLaunch({ startDate: '2030-05-02', waitsForVideo: false }), waits);
  expect(segments.map(({ what, from }) => [what, from])).toEqual([
    ['review', '2030-05-01'],
    ['live', '2030-05-04'],
  ]);
});

test('a live campaign has been so since its first day, and one without a first day only waits', () => {
  const live = segmentsOf(
    aLaunch({ startDate: '2030-04-01', missing: [], isReady: true, needsReview: false, waitsForVideo: false }),
    waits,
  );
  expect(live).toEqual([{ what: 'live', from: '2030-04-01', to: '2030-06-20' }]);
  expect(
    segmentsOf(
      aLaunch({ startDate: null, missing: [], isReady: true, needsReview: false, waitsForVideo: false }),
      waits,
    ),
  ).toEqual([]);
});

test('stretches are cut at the edges of what is drawn', () => {
  const span = { first: today, days: 28 };
  expect(placeOf({ what: 'live', from: day('2030-04-24'), to: day('2030-05-15') }, span)).toEqual({
    left: 0,
    width: 50,
  });
  expect(placeOf({ what: 'live', from: day('2030-06-01'), to: day('2030-06-05') }, span)).toBeNull();
  expect(dayPlace(day('2030-05-08'), span)).toBe(25);
  expect(dayPlace(day('2030-04-30'), span)).toBeNull();
  expect(weeksOf(span)).toEqual(['2030-05-06', '2030-05-13', '2030-05-20', '2030-05-27']);
});

test('the calendar file holds submit-by, first and last days, escaped and folded', () => {
  const text = calendarFile([aLaunch({ name: 'Kettles, white; large', endDate: '9999-12-30' })], '20300501T120000Z');
  expect(text).toContain('SUMMARY:Submit Kettles\\, white\\; large for review\r\n');
  expect(text).toContain('DTSTART;VALUE=DATE:20300516\r\nDTEND;VALUE=DATE:20300517\r\n');
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
  const long = calendarFile([aLaunch({ name: 'ü'.repeat(120) })], '20300501T120000Z');
  for (const line of long.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(long.replaceAll('\r\n ', '')).toContain(`Submit ${'ü'.repeat(120)} for review`);
});

test('the names of weeks stand beside each other and before the edge, however narrow it is', () => {
  for (const widthPx of [0, 90, 200, 333, 640, 1200, 1900])
    for (const days of [28, 56, 112]) {
      const span = { first: day('2030-05-03'), days };
      const places = namedWeeks(span, widthPx).map((week) => ((dayPlace(week, span) ?? 0) * widthPx) / 100);
      for (const [at, place] of places.entries())
        expect((places[at + 1] ?? widthPx) - place).toBeGreaterThanOrEqual(59.9);
      if (widthPx >= 1200) expect(places.length).toBeGreaterThan(2);
    }
});

test('a missing step is told by what it is about, what ends it and how long it takes', () => {
  const at = { id: asRowId(1), field: 'status' };
  const step = (name: LaunchStep['step'], fix: LaunchStep['fix'], minutes = 0, least = 0) =>
    launchTexts.what({ step: name, fix, minutes, least });
  expect(step('profile', { way: 'add', kind: 'sbaProfile' })).toBe('Add an SBA profile.');
  expect(step('item', { way: 'go', kind: 'adItem', ...at })).toBe('Enable an ad item, or add another.');
  expect(step('approval', { way: 'go', kind: 'keyword', ...at })).toContain('rejected keywords');
  expect(step('submit', { way: 'submit' }, 4320, 1440)).toBe('Submit for review. The review takes 1–3 days.');
  expect(step('video', { way: 'look', at: 'videos' }, 30)).toContain('takes about 30 minutes');
  expect(step('video', { way: 'sync' }, 30)).toContain('Upload the video');
});

test('enabling again and extending say what they do, and where this service has no call for it who does', () => {
  const write = { way: 'write', id: asRowId(7), values: { status: 'enabled' } } as const;
  const until = { ...write, values: { status: 'enabled', endDate: '2030-07-19' } } as const;
  const step = (name: LaunchStep['step'], fix: LaunchStep['fix']) => ({ step: name, fix, minutes: 0, least: 0 });
  expect(launchTexts.what(step('enable', write))).toBe('Everything is approved. Enable the campaign again.');
  expect(launchTexts.button(step('enable', write))).toBe('Enable');
  expect(launchTexts.what(step('extend', until))).toMatch(/Extend it to .*19.*2030/);
  expect(launchTexts.what(step('extend', write))).toBe('The campaign has ended. Extend it without an end date.');
  expect(launchTexts.button(step('extend', until))).toMatch(/^Extend to .*19/);
  expect(launchTexts.button(step('extend', write))).toBe('Extend');
  for (const name of ['enable', 'extend'] as const) {
    expect(launchTexts.what(step(name, { way: 'outside' }))).toContain("in the retailer's console");
    expect(launchTexts.button(step(name, { way: 'outside' }))).toBe('Not available');
  }
});

test('of a campaign that has ended the calendar shows what extending it would give', () => {
  const fix = { way: 'write', id: asRowId(7), values: { status: 'enabled', endDate: '2030-05-20' } } as const;
  const ended = aLaunch({
    state: 'ended',
    startDate: '2030-03-01',
    endDate: '2030-04-28',
    isReady: true,
    needsReview: false,
    waitsForVideo: false,
    missing: [{ step: 'extend', minutes: 0, least: 0, fix }],
  });
  expect(segmentsOf(ended, waits)).toEqual([{ what: 'live', from: '2030-05-01', to: '2030-05-21' }]);
  expect(segmentsOf({ ...ended, missing: [] }, waits)).toEqual([]);
  expect(liveText({ ...ended, dailyBudgetCents: 3750 })).toBe('If extended, $37.50 a day');
  expect(liveText({ state: 'live', dailyBudgetCents: 3750 })).toBe('$37.50 a day');
});
