import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPolicy } from '../../shared/merge/merge.ts';

const sideOf = (text: string, field: string | null) => {
  const policy = readPolicy(text);
  if (!policy.ok) throw new Error(policy.error.part);
  return policy.value(field);
};

test('a named field has its side, and every other the side of "other"', () => {
  const text = 'bid=mine, Daily budget=theirs, gone=ask, other=mine';
  expect(sideOf(text, 'bid')).toEqual({ take: 'mine', rule: 'bid=mine' });
  expect(sideOf(text, 'dailyBudget')).toEqual({ take: 'theirs', rule: 'Daily budget=theirs' });
  expect(sideOf(text, 'headline')).toEqual({ take: 'mine', rule: 'other=mine' });
  expect(sideOf(text, null)).toBeNull();
});

test('what no part decides is asked, and an empty policy asks always', () => {
  expect(sideOf('bid=mine', 'headline')).toBeNull();
  expect(sideOf('bid=ask,other=theirs', 'bid')).toBeNull();
  fc.assert(
    fc.property(fc.option(fc.string()), (field) => {
      expect(sideOf('', field)).toBeNull();
    }),
  );
});

test('what is no rule is named', () => {
  for (const part of ['bid', 'bid=both', '=mine', 'bid=mine=theirs', '...=mine'])
    expect(readPolicy(`other=ask,${part}`)).toEqual({ ok: false, error: { part } });
});
