import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmountExpression } from '../../shared/bulk/amount-expression.ts';
import { changeAmounts } from '../../shared/bulk/amount-operations.ts';
import { fillDown, setCells } from '../../shared/bulk/bulk-change.ts';
import { addText, changeCase, findReplace, inCase } from '../../shared/bulk/text-operations.ts';
import { DELETED } from '../../shared/model/row.ts';
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

test('filling down takes the first value to all that follow', () => {
  expect(fillDown(keywords, 'bid').changes).toMatchObject([{ id: 2, value: 100 }]);
  expect(fillDown([], 'bid').changes).toEqual([]);
});

test('find and replace takes its text literally, and a replacement with dollar signs too', () => {
  const options = { matchCase: false, wholeCell: false };
  const outcome = findReplace(keywords, 'text', { find: 'PAPER', replace: '$& [keyword]', ...options }, profile);
  expect(outcome.changes.map((change) => change.value)).toEqual(['$& paper towel towel', '$& Paper roll roll']);
  expect(findReplace(keywords, 'text', { find: '.*', replace: 'x', ...options }, profile).changes).toEqual([]);
  const exact = { find: 'paper', replace: 'kitchen', matchCase: true, wholeCell: false };
  expect(findReplace(keywords, 'text', exact, profile).changes.map((c) => c.id)).toEqual([1]);
});

test('results that break the limits of a brand profile are refused', () => {
  const row = anSbaProfile({ headline: 'x'.repeat(44) });
  const outcome = addText([row], 'headline', { before: '', after: '!!' }, profile);
  expect(outcome).toEqual({ changes: [], refused: [{ kind: 'sbaProfile', id: 5, why: 'too-long' }] });
  expect(addText([aCampaign()], 'name', { before: '[campaign] - ', after: '' }, profile).changes).toMatchObject([
    { value: 'Spring video A - Spring video A' },
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
  expect(sum('1.2.3')).toMatch(/Type a number/);
  expect(sum('/0')).toMatch(/divided by 0/);
  expect(sum('abc')).toMatch(/Type a number/);
});

test('bid maths keeps the bounds and leaves empty bids to be said', () => {
  const bounds = { min: 150, max: 10_000, roundTo: 5 };
  const outcome = changeAmounts(keywords, 'bid', '+13%', bounds);
  if (!outcome.ok) throw new Error(outcome.error.problem);
  expect(outcome.value.changes).toMatchObject([{ id: 1, before: 100, value: 150 }]);
  expect(outcome.value.refused).toMatchObject([{ id: 2, why: 'empty' }]);
  const rounded = changeAmounts([aKeyword({ bid: cents(203) })], 'bid', '*1', bounds);
  expect(rounded.ok && rounded.value.changes[0]?.value).toBe(205);
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
