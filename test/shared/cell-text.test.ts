import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellProblemText, formatCell, isCellOf, parseCell } from '../../shared/model/cell-text.ts';
import { isUnknownWord } from '../../shared/model/field-types.ts';
import { FIELDS, fieldNames, fieldSpec } from '../../shared/model/fields.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { codePointLength, cutToCodePoints, textKey } from '../../shared/model/text.ts';

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
  for (const text of ['1,50', '1.500,00', '$1.50', "1'000", '1 000']) {
    expect(value(parseCell('keyword', 'bid', text))).toBe('unclear-number');
  }
  expect(value(parseCell('keyword', 'bid', 'abc'))).toBe('not-a-number');
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
  expect(value(parseCell('campaign', 'endDate', 'no end'))).toBe('9999-12-30');
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
    expect(cellProblemText(parsed.error)).toMatch(/(Type|Check) /);
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
