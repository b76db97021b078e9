import { expect, test } from 'vitest';
import { sumsOf, totalOf } from '../../shared/model/decimal.ts';

test('amounts are counted, added up and averaged, cut to a whole step; texts and empty cells are left out', () => {
  expect(sumsOf([100, null, 'a word', 101])).toEqual({ count: 2, sum: 201, average: 100 });
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
