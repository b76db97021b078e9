import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldOutcome, mergeField } from '../../shared/merge/merge.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { type AnyValues, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { differingBits, FIELD_BITS } from '../../shared/model/row.ts';
import { SEED } from '../share.ts';
import { aStore, createAll } from './a-store.ts';
import { create, done, remote } from './a-workspace.ts';

/** The store merges in SQL, over many rows at once; the table of `shared/merge` says what must come of each field. */
const CELLS: Readonly<Partial<Record<Kind, Readonly<Record<string, readonly Cell[]>>>>> = {
  campaign: {
    name: ['Spring', 'Spring ', 'Summer'],
    dailyBudget: [7500, 7000, null],
    endDate: [null, '9999-12-30', '2026-06-01'],
  },
  keyword: { bid: [150, 151, null], state: ['enabled', 'paused'] },
  sbaProfile: {
    headline: ['Soft  rolls', 'Soft rolls', 'Softer'],
    clickUrl: ['https://shop.example/s?q=a:b', 'https://shop.example/s?q=a%3Ab', 'https://shop.example/s?q=c'],
  },
};

const changes = fc.constantFrom<Kind>('campaign', 'keyword', 'sbaProfile').chain((kind) => {
  const fields = Object.entries(CELLS[kind] ?? {});
  const all = fc.record(Object.fromEntries(fields.map(([field, cells]) => [field, fc.constantFrom(...cells)])));
  const some = fc.record(Object.fromEntries(fields.map(([field, cells]) => [field, fc.constantFrom(...cells)])), {
    requiredKeys: [],
  });
  return fc.record({ kind: fc.constant(kind), base: all, mine: some, theirs: some });
});

const outcomesOf = (
  kind: Kind,
  base: AnyValues,
  mine: AnyValues,
  theirs: Partial<AnyValues>,
): readonly (readonly [string, FieldOutcome])[] =>
  Object.entries(theirs).map(([field, their]) => [
    field,
    mergeField(kind, field, base[field] ?? null, mine[field] ?? null, their ?? null),
  ]);

test('the store merges field by field as the table says, whatever the spelling', () => {
  const store = aStore();
  const [, group] = createAll(store, [
    create('campaign', null, { name: 'Parent', campaignType: 'sba' }),
    create('adGroup', { at: 0 }, { name: 'Group' }),
  ]);
  const seen = new Map<string, number>();
  let ids = 0;
  const seed = SEED;
  fc.assert(
    fc.property(changes, fc.boolean(), ({ kind, base, mine, theirs }, isAtOnce) => {
      const parent = kind === 'campaign' ? null : { id: group?.id as never };
      const [ref] = createAll(store, [create(kind, parent, base)]);
      if (ref === undefined) throw new Error('not created');
      const remoteId = remote(`${500_000 + ++ids}`);
      store.tx(() => done(store.acceptPushed(ref, { remoteId, sent: base })));
      const updates = Object.entries(mine).map(([field, value]) => ({ ...ref, field, value: value ?? null }));
      if (updates.length > 0) done(store.apply({ label: 'Mine', source: 'user', updates }));
      const before = store.readRow(ref);
      if (before === null) throw new Error('no row');
      const known = { kind, campaignId: before.campaignId, adGroupId: before.adGroupId };
      // Read together, or field by field in another order: what comes of it is the same.
      const parts = Object.entries(theirs).toReversed();
      const reads = isAtOnce ? [theirs] : parts.map(([field, value]) => ({ [field]: value ?? null }));
      for (const values of reads) store.mergeRemoteRows([{ ...known, remoteId, values }]);
      const mineBefore: AnyValues = before.values;
      const baseBefore: AnyValues = { ...before.values, ...before.base };
      const outcomes = outcomesOf(kind, baseBefore, mineBefore, theirs);
      for (const [, outcome] of outcomes) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);

      const after = store.readRow(ref);
      if (after === null) throw new Error('no row');
      const held: AnyValues = after.values;
      const said: AnyValues = { ...after.values, ...after.base };
      for (const [field, outcome] of outcomes) {
        const isTheirs = outcome === 'same' || outcome === 'take-theirs' || outcome === 'converged';
        expect(held[field], `${field} of the draft`).toBe((isTheirs ? theirs : mineBefore)[field]);
        expect(said[field], `${field} of the base`).toBe(theirs[field]);
      }
      for (const field of Object.keys(base).filter((name) => !Object.hasOwn(theirs, name))) {
        expect(held[field], `${field}, which was not read`).toBe(mineBefore[field]);
      }
      const conflicts = store.listConflicts().filter((one) => one.ref.kind === kind && one.ref.id === ref.id);
      expect(conflicts.map(({ field }) => String(field)).toSorted()).toEqual(
        outcomes.flatMap(([field, outcome]) => (outcome === 'conflict' ? [field] : [])).toSorted(),
      );
      expect(after.dirty & FIELD_BITS).toBe(differingBits(kind, held, said));
      store.mergeRemoteRows([{ ...known, remoteId, values: theirs }]);
      expect(store.readRow(ref), 'merged once more').toEqual(after);
      expect(Object.keys(theirs).every((field) => fieldSpec(kind, field)?.owner !== 'service')).toBe(true);
    }),
    { numRuns: 300, seed },
  );
  console.log(`seed ${seed}:`, Object.fromEntries(seen));
  for (const outcome of ['same', 'keep-mine', 'take-theirs', 'converged', 'conflict']) {
    expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(10);
  }
}, 60_000);
