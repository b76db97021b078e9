import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issueText } from '../../renderer/app/issue-text.ts';
import { editText, readCell, readSum, shownCell } from '../../renderer/app/locale/cells.ts';
import { changeLocale } from '../../renderer/app/locale/current.ts';
import { localeOf } from '../../renderer/app/locale/locale.ts';
import { momentTextIn, timeText } from '../../renderer/app/locale/numbers.ts';
import { plainSearch } from '../../renderer/app/locale/plain-search.ts';
import { plainAmount } from '../../renderer/app/locale/read-amount.ts';
import { launchTexts } from '../../renderer/features/launch/text.ts';
import { clockText, seconds, typedMs } from '../../renderer/features/media/media-facts.ts';
import { parseAmountExpression } from '../../shared/bulk/amount-expression.ts';

/** Points and commas, blanks and apostrophes, two and three digits between marks, and digits of other scripts. */
const TAGS = [
  ...['en-US', 'en-GB', 'en-IN', 'de-DE', 'de-CH', 'es-ES', 'fr-FR', 'it-IT', 'pl-PL', 'pt-BR', 'sv-SE', 'ja-JP'],
  ...['ar-EG', 'fa-IR', 'hi-IN', 'bn-BD', 'mr-IN'],
];
const german = localeOf('de-DE');
const money = (text: string, tag: string) => readCell('campaign', 'dailyBudget', text, localeOf(tag));

test('an amount with parts of a cent is written as the language writes amounts, with all its decimals', () => {
  expect(localeOf('en-US').exactMoney(816_250)).toBe('$0.81625');
  expect(german.exactMoney(816_000)).toBe('0,816\u00A0$');
  expect(german.exactMoney(12_345_500_000)).toBe('12.345,50\u00A0$');
});

test.each(TAGS)('in %s an amount that is shown, edited or copied is read back as the same amount', (tag) => {
  const by = localeOf(tag);
  const cents = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 10 ** 13 }));
  fc.assert(
    fc.property(cents, (value) => {
      const whole = { ok: true, value };
      expect(readCell('campaign', 'dailyBudget', shownCell('campaign', 'dailyBudget', value, by), by)).toEqual(whole);
      expect(readCell('keyword', 'bid', editText('keyword', 'bid', value, by), by)).toEqual(whole);
    }),
  );
});

test.each(TAGS)('in %s a single point or comma is a decimal mark or nothing: never a mark between thousands', (tag) => {
  const { style } = localeOf(tag);
  const part = fc.stringMatching(/^\d{1,4}$/);
  fc.assert(
    fc.property(part, fc.constantFrom('.', ','), part, (whole, mark, rest) => {
      const read = plainAmount(`${whole}${mark}${rest}`, style);
      if (read.ok) expect(read.value).toBe(`${whole}.${rest}`);
      else expect(mark).not.toBe(style.decimal);
    }),
  );
});

test.each([
  ['1.234', '1234', '1,234'],
  ['12.345', '12345', '12,345'],
])('where the comma is the decimal mark, %s is refused with both ways to write it', (text, whole, part) => {
  expect(money(text, 'de-DE')).toEqual({
    ok: false,
    error: `"${text}" can mean ${whole} or ${part}. Enter the one you want.`,
  });
});

test.each([
  ['de-DE', '1.234,50', 123_450],
  ['de-DE', '1.234.567', 123_456_700],
  ['de-DE', '0.125', 12],
  ['de-DE', '1.50', 150],
  ['en-US', '$1,234.50', 123_450],
  ['de-DE', '$ 1.234,50', 123_450],
  ['fr-FR', '1 234,5', 123_450],
  ['de-CH', "1'234.50", 123_450],
  ['en-IN', '12,34,567.00', 123_456_700],
  ['ar-EG', '١٬٢٣٤٫٥٠', 123_450],
])('in %s "%s" can mean one thing only', (tag, text, value) => {
  expect(money(text, tag)).toEqual({ ok: true, value });
});

test.each([
  ['en-US', '1,50'],
  ['en-US', '1,234'],
  ['de-DE', '1,2,3'],
  ['de-DE', '1,234.50'],
  ['de-DE', '1.2345,6'],
  ['en-US', 'one'],
])('in %s "%s" is not guessed', (tag, text) => {
  expect(money(text, tag).ok).toBe(false);
});

test('sums are reckoned with the marks of the locale, and refused where one could be read in two ways', () => {
  const result = (text: string, before: number) => {
    const plain = readSum(text, german);
    const sum = plain.ok ? parseAmountExpression(plain.value) : null;
    return sum?.ok ? sum.value.apply(before) : null;
  };
  expect(result('+10,5%', 1000)).toBe(1105);
  expect(result('1,20*1,05', 0)).toBe(126);
  expect(result('=1.234,50 + 0,50', 0)).toBe(123_500);
  expect(readSum('*1.234', german)).toMatchObject({ ok: false });
});

test.each([
  ['bid<1,5', 'bid<1.5'],
  ['kettle bid>=0,20 bid<1.000,50', 'kettle bid>=0.20 bid<1000.50'],
  ['bid:1.00,5.00 -bid:"2,5"', 'bid:1.00,5.00 -bid:2.5'],
  ['bid:none text:"1,5"', 'bid:none text:"1,5"'],
])('the filter %s is kept as %s', (typed, kept) => {
  expect(plainSearch(typed, 'keyword', german)).toEqual({ ok: true, value: kept });
});

test('a filter in which a comma could part a list or an amount is refused, as is a point that could part thousands', () => {
  expect(plainSearch('bid:1,5', 'keyword', german)).toMatchObject({ ok: false });
  expect(plainSearch('bid<1.234', 'keyword', german)).toMatchObject({ ok: false });
  expect(plainSearch('bid:1,5', 'keyword', localeOf('en-GB'))).toEqual({ ok: true, value: 'bid:1,5' });
});

test.each([
  ['4.5.2030', '2030-05-04'],
  ['2030/5/4', '2030-05-04'],
  ['25/12/2030', '2030-12-25'],
  ['12/25/2030', '2030-12-25'],
])('the day %s is %s, wherever it is typed', (typed, value) => {
  expect(readCell('campaign', 'startDate', typed)).toEqual({ ok: true, value });
});

test('a day that some write month first and some day first is refused with both', () => {
  expect(readCell('campaign', 'startDate', '4/5/2030')).toMatchObject({
    ok: false,
    error: '"4/5/2030" can mean 2030-05-04 or 2030-04-05. Enter the one you want.',
  });
});

test('an issue writes its amounts with their currency, and its days, as the window does', () => {
  changeLocale('de-DE');
  try {
    const params = { label: 'Kessel', start: '2030-05-04', ready: '2030-05-06' };
    expect(issueText({ rule: 'ready.start-too-soon', params })).toMatch(
      /starts on 04\.05\.2030, .* until 06\.05\.2030/,
    );
    const bid = { rule: 'keyword.bid-high', params: { label: 'Kessel', bid: 150_000, max: 10_000 } };
    expect(launchTexts.perDay(3750)).toBe('37,50\u00a0$ a day');
    expect(issueText(bid)).toContain('is 1.500,00\u00a0$, above 100,00\u00a0$.');
    const factor = { label: 'Suche', value: 5050, bid: 120, effective: 6060, daily: 5000 };
    expect(issueText({ rule: 'placement.bid-over-daily', params: factor })).toMatch(/50,50%.*1,20\u00a0\$/);
  } finally {
    changeLocale('en-GB');
  }
});

test('positions and lengths of videos are written, and shifts read, with the decimal mark of the locale', () => {
  changeLocale('de-DE');
  try {
    expect([clockText(5300), clockText(65_340), clockText(59_960)]).toEqual(['0:05,3', '1:05,3', '1:00,0']);
    expect(seconds(1260)).toBe('1,3 s');
    expect([typedMs('0,5'), typedMs('-1,25'), typedMs(''), typedMs('x')]).toEqual([500, -1250, Number.NaN, Number.NaN]);
  } finally {
    changeLocale('en-GB');
  }
  expect(typedMs('-0.5')).toBe(-500);
});

test('a moment of another year says the year', () => {
  const at = (day: string) => new Date(`${day}T09:05:00`).getTime();
  const now = at('2026-11-26');
  changeLocale('en-US');
  expect(timeText(at('2026-11-26'), now)).toBe('9:05 AM');
  expect(timeText(at('2026-05-01'), now)).toBe('May 1, 9:05 AM');
  expect(timeText(at('2030-05-01'), now)).toBe('May 1, 2030, 9:05 AM');
});

test('a moment in a time zone has the day of that zone, and names it', () => {
  changeLocale('en-US');
  expect(momentTextIn('2026-11-29T03:00:00Z', 'America/Los_Angeles')).toMatch(/^Saturday, November 28, .*7:00.PM PST$/);
});
