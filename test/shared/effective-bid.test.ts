import { expect, test } from 'vitest';
import { effectiveBid } from '../../shared/model/decimal.ts';

test('a multiplier raises a bid by so many percent, cut to whole cents', () => {
  expect(effectiveBid(150, 2500)).toBe(187);
  expect(effectiveBid(199, 99)).toBe(200);
  expect(effectiveBid(150, 0)).toBe(150);
  expect(effectiveBid(150, null)).toBe(150);
});
