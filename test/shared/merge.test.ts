import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameCell } from '../../shared/merge/canonical.ts';
import { mergeField, mergeRow } from '../../shared/merge/merge.ts';
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

test('an edit and a remote change of different fields both survive', () => {
  const base = { bid: 100, state: 'enabled' };
  const merged = mergeRow('keyword', base, { bid: 200, state: 'enabled' }, { bid: 100, state: 'paused' });
  expect(merged.values).toEqual({ bid: 200, state: 'paused' });
  expect(merged.base).toEqual({ bid: 100, state: 'paused' });
  expect(merged.conflicts).toEqual([]);
});

test('a conflict keeps mine in the draft and theirs in the base', () => {
  const merged = mergeRow('keyword', { bid: 100 }, { bid: 200 }, { bid: 300 });
  expect(merged).toMatchObject({ values: { bid: 200 }, base: { bid: 300 } });
  expect(merged.conflicts).toEqual([{ field: 'bid', base: 100, mine: 200, theirs: 300 }]);
});

test('what the service owns never conflicts', () => {
  expect(mergeField('keyword', 'reviewStatus', 'pending', 'rejected', 'approved')).toBe('take-theirs');
});

test('fields that the answer did not have stay as they are', () => {
  const merged = mergeRow('keyword', { bid: 100, state: 'enabled' }, { bid: 200, state: 'enabled' }, {});
  expect(merged.values).toEqual({ bid: 200, state: 'enabled' });
});

const value = fc.record({ bid: fc.nat(3), state: fc.constantFrom('enabled', 'paused', 'archived') });

test('a merge never invents a value, never drops mine without a conflict, and is done after one run', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(value, value, value, (base, mine, theirs) => {
      const merged = mergeRow('keyword', base, mine, theirs);
      for (const field of ['bid', 'state'] as const) {
        seen.add(merged.outcomes[field] ?? '');
        expect([mine[field], theirs[field]]).toContain(merged.values[field]);
        if (mine[field] !== base[field]) expect(merged.values[field]).toBe(mine[field]);
      }
      expect(merged.base).toEqual(theirs);
      const again = mergeRow('keyword', merged.base, merged.values, theirs);
      expect(again.values).toEqual(merged.values);
      expect(again.conflicts).toEqual([]);
    }),
  );
  expect([...seen].toSorted()).toEqual(['conflict', 'converged', 'keep-mine', 'same', 'take-theirs']);
});

test('merges of disjoint fields commute', () => {
  fc.assert(
    fc.property(value, value, value, (base, mine, theirs) => {
      const one = mergeRow('keyword', base, mine, { bid: theirs.bid });
      const both = mergeRow('keyword', one.base, one.values, { state: theirs.state });
      const other = mergeRow('keyword', base, mine, { state: theirs.state });
      const same = mergeRow('keyword', other.base, other.values, { bid: theirs.bid });
      expect(same.values).toEqual(both.values);
      expect(same.base).toEqual(both.base);
    }),
  );
});
