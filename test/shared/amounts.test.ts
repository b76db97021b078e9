import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cellProblemText, formatCell, isCellOf, parseCell } from '../../shared/model/cell-text.ts';
import { effectiveBid, sumsOf, totalOf } from '../../shared/model/decimal.ts';
import { isUnknownWord } from '../../shared/model/field-types.ts';
import { FIELDS, fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { dateInZone, isQuiet, momentInZone, wallTimeInZone } from '../../shared/model/plain-date.ts';
import { codePointLength, cutToCodePoints, textKey } from '../../shared/model/text.ts';

test('a multiplier raises a bid by so many percent, cut to whole cents', () => {
  expect(effectiveBid(150, 2500)).toBe(187);
  expect(effectiveBid(199, 99)).toBe(200);
  expect(effectiveBid(150, 0)).toBe(150);
  expect(effectiveBid(150, null)).toBe(150);
});

test('amounts are counted, added up and averaged, rounded to a whole step; texts and empty cells are left out', () => {
  expect(sumsOf([100, null, 'a word', 101])).toEqual({ count: 2, sum: 201, average: 101 });
});

test('where there is no amount there is no average', () => {
  expect(sumsOf([null, 'a word'])).toEqual({ count: 0, sum: 0, average: null });
});

test('budgets are added up, bids are averaged, and nothing else has a total', () => {
  expect(totalOf('campaign', 'dailyBudget')).toBe('sum');
  expect(totalOf('keyword', 'bid')).toBe('average');
  expect(totalOf('campaign', 'name')).toBeNull();
  expect(totalOf('placementMultiplier', 'multiplier')).toBeNull();
});

const value = (result: ReturnType<typeof parseCell>) => (result.ok ? result.value : result.error.kind);

test('surplus decimals of a multiplier are cut by their digits, never rounded', () => {
  const cases: readonly [string, number][] = [
    ['0.29', 29],
    ['0.57', 57],
    ['1.15', 115],
    ['4.35', 435],
    ['8.2', 820],
    ['19.99', 1999],
    ['64.1', 6410],
    ['12.349', 1234],
    ['100.999', 10099],
    ['49999.999', 4999999],
    ['33.329999999999998', 3332],
    ['0.009', 0],
    ['1.5E3', 150000],
  ];
  for (const [text, units] of cases) expect(value(parseCell('placementMultiplier', 'multiplier', text))).toBe(units);
});

test('the range of a multiplier is checked before its decimals are cut', () => {
  expect(value(parseCell('placementMultiplier', 'multiplier', '50000.009'))).toBe('above-range');
  expect(value(parseCell('placementMultiplier', 'multiplier', '-0.001'))).toBe('below-zero');
  expect(value(parseCell('placementMultiplier', 'multiplier', '50000'))).toBe(5_000_000);
});

test('a number that could be read in two ways is asked about, not guessed', () => {
  for (const text of ['1,50', '1.500,00', '$1,500', '$1.500', '€1.50', "1'000", '1 000']) {
    expect(value(parseCell('keyword', 'bid', text))).toBe('unclear-number');
  }
  expect(value(parseCell('keyword', 'bid', 'abc'))).toBe('not-a-number');
});

test('an amount that a spreadsheet program shows with a dollar sign is one amount, as in the grid', () => {
  for (const text of ['$1.50', '$ 1.50', '$1.5']) expect(value(parseCell('keyword', 'bid', text))).toBe(150);
  expect(value(parseCell('campaign', 'dailyBudget', '$1500'))).toBe(150_000);
});

test('choices are matched without regard to case, blanks and underscores', () => {
  expect(value(parseCell('keyword', 'matchType', 'EXACT'))).toBe('exact');
  expect(value(parseCell('campaign', 'campaignType', 'Sponsored Products'))).toBe('sponsoredProducts');
  expect(value(parseCell('placementMultiplier', 'placement', 'buy box'))).toBe('Buy-Box');
  expect(value(parseCell('keyword', 'matchType', 'fuzzy'))).toBe('not-a-choice');
});

test('a date is year, month and day of the calendar; an end may be open', () => {
  expect(value(parseCell('campaign', 'startDate', '2026-02-30'))).toBe('not-a-date');
  expect(value(parseCell('campaign', 'startDate', '2026/05/04'))).toBe('2026-05-04');
  expect(value(parseCell('campaign', 'startDate', '05/04/2026'))).toBe('not-a-date');
  for (const text of ['no end', 'No end date'])
    expect(value(parseCell('campaign', 'endDate', text))).toBe('9999-12-30');
});

test('text keeps its characters but refuses control characters and half characters', () => {
  expect(value(parseCell('campaign', 'name', '  %{name} {{7*7}} '))).toBe('%{name} {{7*7}}');
  expect(value(parseCell('campaign', 'name', 'a\u0000b'))).toBe('control-character');
  expect(value(parseCell('campaign', 'name', 'a\r\nb'))).toBe('control-character');
  expect(value(parseCell('campaign', 'name', 'a\ud800b'))).toBe('a\ufffdb');
  expect(value(parseCell('campaign', 'name', '   '))).toBe(null);
});

test('every problem has a sentence that ends with a next step', () => {
  for (const text of ['1,5', 'x', '-1', '999999999999999999', '60000']) {
    const parsed = parseCell('platformMultiplier', 'multiplier', text);
    if (parsed.ok) throw new Error(text);
    expect(cellProblemText(parsed.error)).toMatch(/(Enter|Check) /);
  }
});

test('formatting a cell and reading it back gives the same cell, for every field of every kind', () => {
  const fields = KINDS.flatMap((kind) => Object.keys(FIELDS[kind]).map((field) => ({ kind, field })));
  const cell = fc.oneof(
    fc.nat({ max: 5_000_000 }),
    fc.string({ unit: 'grapheme' }),
    fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map((d) => {
      return d.toISOString().slice(0, 10);
    }),
    fc.constantFrom('enabled', 'exact', 'sba', 'manual', 'Desktop', 'Buy-Box', 'video', 'live', null),
  );
  let reached = 0;
  fc.assert(
    fc.property(fc.constantFrom(...fields), cell, ({ kind, field }, raw) => {
      const spec = fieldSpec(kind, field);
      if (spec === undefined) throw new Error(field);
      const isPlainText = typeof raw !== 'string' || value(parseCell('campaign', 'name', raw)) === raw;
      if (!isCellOf(spec, raw) || !isPlainText) return;
      reached++;
      // A word of the service is read where somebody has said that there is such a word.
      const words = isUnknownWord(spec, raw) ? { words: { [kind]: { [field]: [raw] } } } : undefined;
      expect(value(parseCell(kind, field, formatCell(kind, field, raw), words))).toEqual(raw);
    }),
    { numRuns: 3000 },
  );
  expect(reached).toBeGreaterThan(300);
});

test('reading any text never throws and gives a value its field can hold', () => {
  const fields = KINDS.flatMap((kind) => fieldNames(kind).map((field) => ({ kind, field })));
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.string({ unit: 'binary' }), ({ kind, field }, text) => {
      const spec = fieldSpec(kind, field);
      const parsed = parseCell(kind, field, text);
      if (parsed.ok && spec !== undefined) expect(isCellOf(spec, parsed.value)).toBe(true);
    }),
  );
});

test('a keyword key ignores case, width and blanks, and is its own key', () => {
  expect(textKey('  Paper\u00a0  TOWEL ')).toBe('paper towel');
  expect(textKey('ＡＢＣ')).toBe('abc');
  expect(textKey('paper towel')).toBe('paper towel');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(textKey(textKey(text))).toBe(textKey(text));
    }),
  );
});

test('lengths count code points and a cut never halves a character', () => {
  expect(codePointLength('🧻🧻a')).toBe(3);
  expect(cutToCodePoints('🧻🧻a', 2)).toBe('🧻🧻');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, max) => {
      expect(codePointLength(text)).toBe([...text].length);
      expect(cutToCodePoints(text, max)).toBe([...text].slice(0, max).join(''));
    }),
  );
});

describe('plain date', () => {
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
  test('a zone is prepared once, however often it is asked for', () => {
    const prepared = vi.spyOn(Intl, 'DateTimeFormat');
    for (let hour = 0; hour < 1000; hour += 1) dateInZone(hour * HOUR_MS, 'Pacific/Auckland');
    expect(prepared).toHaveBeenCalledTimes(1);
  });
});

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

const DAY = 1440;
const minute = fc.integer({ min: 0, max: DAY - 1 });
const time = (at: number): string =>
  `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;

test('hours over midnight are quiet late and early, and loud by day', () => {
  const night = { from: '20:00', to: '07:00' };
  expect([0, 419, 420, 720, 1199, 1200, 1439].map((at) => isQuiet(night, at))).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('a day has as many quiet minutes as lie between the two times, whichever comes first', () => {
  fc.assert(
    fc.property(minute, minute, (from, to) => {
      const quiet = Array.from({ length: DAY }, (_, at) => isQuiet({ from: time(from), to: time(to) }, at));
      expect(quiet.filter(Boolean)).toHaveLength((to - from + DAY) % DAY);
    }),
    { numRuns: 50 },
  );
});

test('what is quiet from one time to another is loud from the other to the one', () => {
  fc.assert(
    fc.property(minute, minute, minute, (from, to, at) => {
      fc.pre(from !== to);
      const there = isQuiet({ from: time(from), to: time(to) }, at);
      const back = isQuiet({ from: time(to), to: time(from) }, at);
      expect(there).toBe(!back);
    }),
  );
});
