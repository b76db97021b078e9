import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import type { RemoteRow } from '../../main/store/types.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { type FieldOutcome, mergeField } from '../../shared/merge/merge.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { type AnyValues, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { differingBits, FIELD_BITS, isDeleted, isNew } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { isFull, runs, SEED } from '../share.ts';
import { acceptAll, aSmallCampaign, aStore, at, countOf, create, createAll, done, remote } from './a-workspace.ts';

/** A store in which the service knows a small campaign, with a look at its keyword of 1.00. */
function aSyncedKeyword() {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  acceptAll(store, refs);
  const keyword = at(refs, 3);
  const says = (values: Readonly<Record<string, Cell>>): RemoteRow => {
    const row = read(store, keyword);
    return { kind: 'keyword', remoteId: row.remoteId, campaignId: row.campaignId, adGroupId: row.adGroupId, values };
  };
  const setBid = (value: number) =>
    done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...keyword, field: 'bid', value }] }));
  return { store, refs, keyword, says, setBid };
}

function read(store: OwnStore, ref: RowRef) {
  const row = store.readRow(ref);
  if (row === null) throw new Error('no such row');
  return row;
}

test('a field that both changed differently is a conflict until somebody decides', () => {
  const { store, keyword, says, setBid } = aSyncedKeyword();
  setBid(130);
  store.mergeRemoteRows([says({ bid: 170 })]);
  expect(store.listConflicts()).toMatchObject([
    { ref: keyword, campaign: 'Towels', field: 'bid', base: 100, mine: 130, theirs: 170 },
  ]);
  expect(read(store, keyword)).toMatchObject({ values: { bid: 130 }, base: { bid: 170 } });
  store.mergeRemoteRows([says({ bid: 170 })]);
  expect(store.listConflicts()).toHaveLength(1);

  store.resolveConflict(keyword, 'bid', 'mine', null);
  expect(store.listConflicts()).toEqual([]);
  expect(read(store, keyword)).toMatchObject({ values: { bid: 130 }, base: { bid: 170 } });
});

test('a conflict is over when the service has the earlier value again, and the edit stays', () => {
  const { store, keyword, says, setBid } = aSyncedKeyword();
  setBid(130);
  for (const bid of [170, 100]) store.mergeRemoteRows([says({ bid })]);
  expect(store.listConflicts()).toEqual([]);
  expect(read(store, keyword)).toMatchObject({ values: { bid: 130 }, base: { bid: 100 } });
});

test('settling a conflict with the value of the service ends the edit, and undo brings it back', () => {
  const { store, keyword, says, setBid } = aSyncedKeyword();
  setBid(130);
  store.mergeRemoteRows([says({ bid: 170 })]);
  store.resolveConflict(keyword, 'bid', 'theirs', null);
  expect(read(store, keyword)).toMatchObject({ dirty: 0, values: { bid: 170 } });
  store.step('undo');
  expect(read(store, keyword)).toMatchObject({ values: { bid: 130 }, base: { bid: 170 } });
});

test('rows that only the service has are added under their parents', () => {
  const { store, refs } = aSyncedKeyword();
  const group = read(store, at(refs, 1));
  store.mergeRemoteRows([
    {
      kind: 'keyword',
      remoteId: remote('77'),
      campaignId: null,
      adGroupId: group.id,
      values: { text: 'Blue  Mug', bid: 90 },
    },
    { kind: 'campaign', remoteId: remote('88'), campaignId: null, adGroupId: null, values: { name: 'From elsewhere' } },
    { kind: 'keyword', remoteId: remote('99'), campaignId: null, adGroupId: 4711 as RowId, values: { text: 'orphan' } },
  ]);
  expect([countOf(store, 'campaign'), countOf(store, 'keyword')]).toEqual([2, 3]);
  const [mug] = store.db.all(`SELECT campaign_id, dirty, sort_key FROM keyword WHERE remote_id = '77'`);
  expect(mug).toEqual([group.campaignId, 0, 'blue mug']);
  expect(checkIntegrity(store.db)).toEqual([]);
});

test('a word of the service that nobody here knows is kept as it came, in the row and in its base', () => {
  const { store, keyword, says, setBid } = aSyncedKeyword();
  store.mergeRemoteRows([says({ state: 'napping', bid: 101 })]);
  expect(read(store, keyword)).toMatchObject({ values: { state: 'napping', bid: 101 }, dirty: 0 });
  setBid(120);
  store.mergeRemoteRows([says({ state: 'dozing', bid: 101 })]);
  expect(read(store, keyword)).toMatchObject({
    values: { state: 'dozing', bid: 120 },
    base: { state: 'dozing', bid: 101 },
  });
  expect(checkIntegrity(store.db)).toEqual([]);
});

test('a text with a line end or without an end is no word, and leaves the field as it was', () => {
  const { store, keyword, says } = aSyncedKeyword();
  store.mergeRemoteRows([says({ state: 'nap\nping' }), says({ state: 'z'.repeat(201), bid: 101 })]);
  expect(read(store, keyword)).toMatchObject({ values: { state: 'enabled', bid: 101 } });
});

test.each([
  ['with another value is not created anew', 2000, { values: { multiplier: 2000 }, base: { multiplier: 1500 } }],
  ['with the same value is simply known to it', 1500, { dirty: 0, base: null }],
])('a multiplier that the service has %s', (_, ours, expected) => {
  const { store, refs } = aSyncedKeyword();
  const values = { placement: 'Buy-Box', multiplier: ours };
  const multiplier = at(createAll(store, [create('placementMultiplier', { id: at(refs, 0).id }, values)]), 0);
  const parents = { campaignId: at(refs, 0).id, adGroupId: null };
  const theirs = { ...values, multiplier: 1500 };
  store.mergeRemoteRows([{ kind: 'placementMultiplier', remoteId: null, ...parents, values: theirs }]);
  const row = read(store, multiplier);
  expect(isNew(row)).toBe(false);
  expect(row).toMatchObject(expected);
  expect(checkIntegrity(store.db)).toEqual([]);
});

test('what was edited while it was on its way stays a difference to what was sent', () => {
  const { store, keyword, setBid } = aSyncedKeyword();
  setBid(130);
  const sent = { bid: 130 };
  setBid(140);
  done(store.acceptSent(keyword, { remoteId: null, sent, serviceFields: { reviewStatus: 'pending' } }));
  expect(read(store, keyword)).toMatchObject({ values: { bid: 140, reviewStatus: 'pending' }, base: { bid: 130 } });
});

test('one id of the service belongs to one row', () => {
  const { store, refs } = aSyncedKeyword();
  const taken = read(store, at(refs, 3)).remoteId;
  const outcome = store.acceptSent(at(refs, 4), { remoteId: taken, sent: {} });
  expect(outcome).toEqual({ ok: false, error: { kind: 'remote-id-taken', by: at(refs, 3).id } });
});

test('undoing past a sync makes a new difference and leaves the base alone', () => {
  const { store, keyword, setBid } = aSyncedKeyword();
  setBid(130);
  done(store.acceptSent(keyword, { remoteId: null, sent: { bid: 130 } }));
  store.step('undo');
  expect(read(store, keyword)).toMatchObject({ values: { bid: 100 }, base: { bid: 130 } });
});

test('undoing the creation of a row that was sent meanwhile marks it as deleted', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  acceptAll(store, refs);
  store.step('undo');
  expect(refs.every((ref) => isDeleted(read(store, ref)))).toBe(true);
  store.step('redo');
  expect(refs.some((ref) => isDeleted(read(store, ref)))).toBe(false);
});

test('deleting a new row whose creation is in doubt only marks it', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const group = read(store, at(refs, 1));
  store.db.run(`INSERT INTO outbox_batch(id, kind, verb, method, path, attempt, epoch, correlation_id, body, body_sha256,
    sent_at, last_moment_at) VALUES (1, 'adGroup', 'create', 'POST', '/', 0, 0, 'c', '', '', 0, 0)`);
  store.db.run(
    `INSERT INTO outbox_op(batch_id, idx, kind, row_id, verb, state, sent) VALUES (1, 0, 1, ?, 'create', 'IN_DOUBT', '{}')`,
    group.id,
  );
  done(store.apply({ label: 'Remove', source: 'user', deletes: [at(refs, 1)] }));
  expect(isDeleted(read(store, at(refs, 1)))).toBe(true);
  expect(store.readRow(at(refs, 3))).toBeNull();
  store.step('undo');
  expect(isDeleted(read(store, at(refs, 1)))).toBe(false);
  expect(read(store, at(refs, 3)).values).toMatchObject({ text: 'Paper Towel' });
});

test('a status that nobody knows is no report, and breaks nothing; one that is known is', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  acceptAll(store, refs);
  const campaign = at(refs, 0);
  const says = (serviceStatus: string): RemoteRow => ({
    kind: 'campaign',
    remoteId: read(store, campaign).remoteId,
    campaignId: null,
    adGroupId: null,
    values: { serviceStatus },
  });
  const shown = () => {
    const row = read(store, campaign);
    return row.kind === 'campaign' ? `${row.values.campaignState}, ${row.values.stateSource}` : '';
  };
  store.mergeRemoteRows([says('live')]);
  expect(shown()).toBe('live, service');
  store.mergeRemoteRows([says('hibernating')]);
  expect(shown()).toBe('live, estimated');
  store.mergeRemoteRows([says('paused')]);
  expect(shown()).toBe('paused, service');
});

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
      const ref = at(createAll(store, [create(kind, parent, base)]), 0);
      const remoteId = remote(`${500_000 + ++ids}`);
      store.tx(() => done(store.acceptSent(ref, { remoteId, sent: base })));
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
    { numRuns: runs(300), seed },
  );
  console.log(`seed ${seed}:`, Object.fromEntries(seen));
  for (const outcome of ['same', 'keep-mine', 'take-theirs', 'converged', 'conflict']) {
    expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(isFull ? 10 : 0);
  }
});
