import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExpressionProblem, parseAmountExpression } from '../../shared/bulk/amount-expression.ts';
import {
  addText,
  type BulkOutcome,
  changeAmounts,
  changeCase,
  type FindReplace,
  findReplace,
  inCase,
  PATTERN_TEXT_MAX,
  parsePattern,
  setCells,
} from '../../shared/bulk/bulk-change.ts';
import { DELETED } from '../../shared/model/row.ts';
import type { Result } from '../../shared/result.ts';
import { aCampaign, aKeyword, anSbaProfile, cents, profile } from './builders.ts';

const keywords = [
  aKeyword({ text: 'paper towel', bid: cents(100) }, { id: 1 }),
  aKeyword({ text: 'Paper roll', bid: null }, { id: 2 }),
];
const sum = (text: string, from: number | null = 100) => {
  const parsed = parseAmountExpression(text);
  return parsed.ok ? parsed.value.apply(from) : parsed.error.problem;
};

test('setting a value changes only the rows that differ', () => {
  const outcome = setCells(keywords, 'bid', 100);
  expect(outcome.changes).toEqual([{ kind: 'keyword', id: 2, field: 'bid', before: null, value: 100 }]);
});

test('fields that are fixed, missing or of another type are refused by row, never skipped in silence', () => {
  const sent = aKeyword({}, { id: 3, remote: '1' });
  const gone = aKeyword({}, { id: 4, marks: DELETED });
  expect(setCells([sent], 'text', 'x').refused).toEqual([{ kind: 'keyword', id: 3, why: 'not-editable' }]);
  expect(setCells([gone], 'bid', 1).refused).toMatchObject([{ why: 'deleted' }]);
  expect(setCells(keywords, 'headline', 'x').refused).toMatchObject([
    { why: 'no-such-field' },
    { why: 'no-such-field' },
  ]);
  expect(setCells(keywords, 'bid', 'x').refused).toMatchObject([{ why: 'wrong-type' }, { why: 'wrong-type' }]);
});

function prepared<Run>(result: Result<Run, ExpressionProblem>): Run {
  if (!result.ok) throw new Error(result.error.problem);
  return result.value;
}

function replaced(what: FindReplace): BulkOutcome {
  return prepared(findReplace('text', what, profile))(keywords);
}

test('find and replace takes its text literally, and a replacement with dollar signs too', () => {
  const options = { matchCase: false, wholeCell: false };
  const outcome = replaced({ find: 'PAPER', replace: '$& [keyword]', ...options });
  expect(outcome.changes.map((change) => change.value)).toEqual(['$& paper towel towel', '$& Paper roll roll']);
  expect(replaced({ find: '.*', replace: 'x', ...options }).changes).toEqual([]);
  const exact = { find: 'paper', replace: 'kitchen', matchCase: true, wholeCell: false };
  expect(replaced(exact).changes.map((c) => c.id)).toEqual([1]);
});

test('a token that the row has nothing for never becomes a part of an ad: such rows are left alone and counted', () => {
  const options = { matchCase: false, wholeCell: false };
  expect(replaced({ find: 'towel', replace: '[item]', ...options })).toEqual({
    changes: [],
    refused: [{ kind: 'keyword', id: 1, why: 'no-token' }],
  });
  expect(replaced({ find: 't.wel', replace: '[brand]', isPattern: true, ...options }).refused).toMatchObject([
    { id: 1 },
  ]);
  const brandless = anSbaProfile({ brand: null, headline: 'All you need' });
  const added = addText([brandless], 'headline', { before: '[brand]: ', after: '' }, profile);
  expect(added.refused).toMatchObject([{ why: 'no-token' }]);
});

const pattern = (find: string, replace = '', wholeCell = false) =>
  replaced({ find, replace, matchCase: false, wholeCell, isPattern: true }).changes.map((change) => change.value);

test('a pattern finds by classes, groups and repeats, and its groups stand in the replacement', () => {
  expect(pattern('^(paper) (\\w+)$', '$2 $1')).toEqual(['towel paper', 'roll Paper']);
  expect(pattern('o+[wl]', '0')).toEqual(['paper t0el', 'Paper r0l']);
  expect(pattern('towel|roll', '[keyword]')).toEqual(['paper paper towel', 'Paper Paper roll']);
  expect(pattern('(x|)aper', '<$1$&$7>')).toEqual(['p<aper$7> towel', 'P<aper$7> roll']);
  expect(pattern('paper', 'x', true)).toEqual([]);
});

for (const [find, at, problem] of [
  ['(a+)+$', 4, /Groups can't be repeated/],
  ['(a|b){2}', 5, /Groups can't be repeated/],
  ['(a)\\1', 3, /References to groups are not supported/],
  ['a(?=b)', 1, /Lookahead, .* are not supported/],
  ['(?<n>a)', 0, /named groups are not supported/],
  ['a*b*c*d*', 7, /up to 3 repeats/],
  ['(a', 0, /is not valid/],
  ['[z-a]', 0, /is not valid/],
] as const) {
  test(`the pattern ${find} is refused with its position and a next step`, () => {
    const parsed = parsePattern(find, { matchCase: false, wholeCell: false });
    expect(parsed).toMatchObject({ ok: false, error: { at } });
    if (!parsed.ok) expect(parsed.error.problem).toMatch(problem);
  });
}

test('signs in a class or behind a backslash are no repeats', () => {
  for (const find of ['[*+?]a*b+c?', '\\*\\+\\?\\)\\*', 'a*?b+?c??', '(?:a)b']) {
    expect(parsePattern(find, { matchCase: true, wholeCell: false }).ok, find).toBe(true);
  }
});

test('whatever is taken for a pattern is done with a long text soon', () => {
  const text = `${'a'.repeat(300)}!`;
  const part = fc.constantFrom(...'a . [ab] \\w ( ) (?: | * + ? {2,} ^ $ \\b !'.split(' '));
  let taken = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const parsed = parsePattern(parts.join(''), { matchCase: true, wholeCell: false });
      if (!parsed.ok) return;
      taken++;
      expect(text.replaceAll(parsed.value, '').length).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(200);
});

test('a text that is too long for a pattern is refused by name', () => {
  const long = anSbaProfile({ clickUrl: `https://shop.example/${'a'.repeat(PATTERN_TEXT_MAX)}` });
  const what = { find: 'a', replace: 'b', matchCase: true, wholeCell: false, isPattern: true };
  expect(prepared(findReplace('clickUrl', what, profile))([long]).refused).toMatchObject([{ why: 'too-long' }]);
});

test('results that break the limits of a brand profile are refused', () => {
  const row = anSbaProfile({ headline: 'x'.repeat(44) });
  const outcome = addText([row], 'headline', { before: '', after: '!!' }, profile);
  expect(outcome).toEqual({ changes: [], refused: [{ kind: 'sbaProfile', id: 5, why: 'too-long' }] });
  expect(addText([aCampaign()], 'name', { before: '[campaign] - ', after: '' }, profile).changes).toMatchObject([
    { value: 'Spring video A - Spring video A' },
  ]);
});

test('a text that was too long before, and stays the same, is no change', () => {
  const what = { find: 'hose', replace: 'pipe', matchCase: true, wholeCell: false, isPattern: false };
  const row = anSbaProfile({ headline: 'x'.repeat(60) });
  const none = prepared(findReplace('headline', what, profile))([anSbaProfile({ headline: 'Short' })]);
  expect(prepared(findReplace('headline', what, profile))([row])).toEqual(none);
});

test('in rows of any kind [campaign] stands for the name of their campaign', () => {
  const row = anSbaProfile({ headline: 'Fresh towels' });
  const names = new Map([[row.campaignId ?? 0, 'Spring']]);
  const what = { find: 'Fresh', replace: '[campaign] fresh', matchCase: false, wholeCell: false };
  expect(prepared(findReplace('headline', what, profile))([row], names).changes).toMatchObject([
    { value: 'Spring fresh towels' },
  ]);
  expect(addText([row], 'headline', { before: '', after: ' [campaign]' }, profile).refused).toMatchObject([
    { why: 'no-token' },
  ]);
});

test('case is changed by words or by sentence', () => {
  expect(inCase('PAPER towel', 'title')).toBe('Paper Towel');
  expect(inCase('PAPER towel', 'sentence')).toBe('Paper towel');
  expect(changeCase(keywords, 'text', 'lower', profile).changes).toMatchObject([{ id: 2, value: 'paper roll' }]);
});

test('sums work on the value that is there, in whole cents and without binary fractions', () => {
  expect(sum('+10%')).toBe(110);
  expect(sum('-10%')).toBe(90);
  expect(sum('+0.05')).toBe(105);
  expect(sum('*1.2')).toBe(120);
  expect(sum('/3')).toBe(33);
  expect(sum('×1.5')).toBe(150);
  expect(sum('1.2*1.05')).toBe(126);
  expect(sum('=1.50')).toBe(150);
  expect(sum('1.10+0.05')).toBe(115);
  expect(sum('1+2*3')).toBe(700);
  expect(sum('4.35', null)).toBe(435);
  expect(sum('+10%', null)).toBe(null);
  expect(sum('-2')).toBe(null);
  expect(sum('1.2.3')).toMatch(/Enter a number/);
  expect(sum('/0')).toMatch(/divided by 0/);
  expect(sum('/0.00001%')).toMatch(/divided by 0/);
  expect(sum('abc')).toMatch(/Enter a number/);
});

test('a percentage of nothing sets nothing to zero', () => {
  for (const typed of ['10%', '=10%', ' 50 % ', '10%*2']) expect(sum(typed)).toMatch(/percentage needs an operator/);
  expect(sum('*10%')).toBe(10);
  expect(sum('2+10%')).toBe(220);
});

test('bounds that contradict each other are refused', () => {
  const bounds = { min: 500, max: 100, roundTo: 0, rounding: 'up' } as const;
  expect(changeAmounts('bid', '+1', bounds)).toMatchObject({
    error: { problem: expect.stringContaining('above the maximum') },
  });
});

test('no tool writes a control character into a text', () => {
  const options = { matchCase: false, wholeCell: false };
  for (const sign of ['\u0000', '\n', '\u001b[31m', '\u2028']) {
    const why = [{ why: 'control-character' }];
    expect(replaced({ find: 'towel', replace: `a${sign}b`, ...options })).toMatchObject({ changes: [], refused: why });
    expect(addText(keywords, 'text', { before: `a${sign}`, after: '' }, profile).changes).toEqual([]);
    expect(setCells(keywords, 'text', `a${sign}b`).changes).toEqual([]);
  }
});

test('bid maths keeps the bounds and leaves empty bids to be said', () => {
  const bounds = { min: 150, max: 10_000, roundTo: 5, rounding: 'nearest' as const };
  const outcome = prepared(changeAmounts('bid', '+13%', bounds))(keywords);
  expect(outcome.changes).toMatchObject([{ id: 1, before: 100, value: 150 }]);
  expect(outcome.refused).toMatchObject([{ id: 2, why: 'empty' }]);
  const rounded = prepared(changeAmounts('bid', '*1', bounds))([aKeyword({ bid: cents(203) })]);
  expect(rounded.changes[0]?.value).toBe(205);
});

test.each([
  ['up', '+10%', 105, 1, 116],
  ['up', '+10%', 95, 5, 105],
  ['nearest', '+10%', 105, 1, 116],
  ['nearest', '-10%', 114, 5, 105],
  ['down', '+10%', 105, 1, 115],
] as const)(
  'a result is rounded %s from its parts of a cent: %s of %i cents, by %i',
  (rounding, by, bid, roundTo, expected) => {
    const run = prepared(changeAmounts('bid', by, { min: null, max: null, roundTo, rounding }));
    expect(run([aKeyword({ bid: cents(bid) })]).changes[0]?.value).toBe(expected);
  },
);

test.each([
  ['nearest', 205],
  ['down', 200],
  ['up', 205],
] as const)('2.03 rounded %s to a multiple of 5 cents is %i cents', (rounding, expected) => {
  const run = prepared(changeAmounts('bid', '*1', { min: null, max: null, roundTo: 5, rounding }));
  expect(run([aKeyword({ bid: cents(203) })]).changes[0]?.value).toBe(expected);
});

test('a typed amount means the same in a sum as in a cell, and no sum throws', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.string(), (units, text) => {
      const typed = `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;
      expect(sum(typed)).toBe(units);
      const parsed = parseAmountExpression(text);
      if (parsed.ok) expect(Number.isSafeInteger(parsed.value.apply(100) ?? 0)).toBe(true);
    }),
  );
});
