import { expect, test } from 'vitest';
import { isSameCell, mergeField } from '../../shared/merge/merge.ts';
import type { Cell } from '../../shared/model/field-types.ts';

const bid = (base: Cell, mine: Cell, theirs: Cell) => mergeField('keyword', 'bid', base, mine, theirs);

test('each cell of the outcome table is what the protocol says', () => {
  expect(bid(1, 1, 1)).toBe('same');
  expect(bid(1, 2, 1)).toBe('keep-mine');
  expect(bid(1, 1, 2)).toBe('take-theirs');
  expect(bid(1, 2, 2)).toBe('converged');
  expect(bid(1, 2, 3)).toBe('conflict');
});

test('spelling that the service changes by itself is no difference', () => {
  expect(isSameCell('campaign', 'name', 'Spring  video ', 'Spring video')).toBe(true);
  expect(isSameCell('campaign', 'endDate', null, '9999-12-30')).toBe(true);
  expect(isSameCell('sbaProfile', 'clickUrl', 'https://a.example/x:y', 'https://a.example/x%3Ay')).toBe(true);
  expect(isSameCell('adItem', 'itemId', '0012345678', '12345678')).toBe(false);
});

test('what the service owns never conflicts', () => {
  expect(mergeField('keyword', 'reviewStatus', 'pending', 'rejected', 'approved')).toBe('take-theirs');
});
