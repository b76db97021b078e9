import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import { runs } from '../share.ts';
import { acceptAll, aSmallCampaign, aStore, contents, create, createAll, remote } from './a-workspace.ts';
import { actOf, checkAll, EDITS, perform } from './random-acts.ts';

const edit = actOf(...EDITS);
const act = fc.oneof(edit, actOf('undo', 'redo', 'sent', 'read'));

test('whatever is done in whatever order, row, base and marks agree', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 5, maxLength: 40 }), (acts) => {
      const store = aStore();
      for (const what of [{ verb: 'create', pick: 0, value: 0 } as const, ...acts]) perform(store, what);
      expect(checkIntegrity(store.db)).toEqual([]);
      store.db.close();
    }),
    { numRuns: runs(60, 20) },
  );
});

test('what is stored about issues is what a check of everything finds', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 5, maxLength: 30 }), (acts) => {
      const store = aStore();
      for (const what of [{ verb: 'create', pick: 0, value: 0 } as const, ...acts]) perform(store, what);
      while (store.checkSlice());
      const before = issues(store);
      checkAll(store);
      expect(issues(store)).toEqual(before);
      store.db.close();
    }),
    { numRuns: runs(40, 15) },
  );
});

test('undoing every edit leaves the workspace as it was, and redoing them all as it became', () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 15 }), (edits) => {
      const store = aStore();
      acceptAll(store, createAll(store, aSmallCampaign()));
      createAll(store, aSmallCampaign('Second'));
      const before = contents(store);
      const stepsBefore = stepCount(store);
      for (const what of edits) perform(store, what);
      const after = contents(store);
      const steps = stepCount(store) - stepsBefore;
      for (let i = 0; i < steps; i++) expect(store.step('undo').ok).toBe(true);
      expect(contents(store)).toEqual(before);
      for (let i = 0; i < steps; i++) expect(store.step('redo').ok).toBe(true);
      expect(contents(store)).toEqual(after);
      store.db.close();
    }),
    { numRuns: runs(40, 15) },
  );
});

test('what was sent and read back unchanged leaves nothing to send', () => {
  const store = aStore();
  const refs = createAll(store, [
    ...aSmallCampaign(),
    create('placementMultiplier', { at: 0 }, { placement: 'Buy-Box', multiplier: 1000 }),
  ]);
  acceptAll(store, refs);
  const before = contents(store);
  store.mergeRemoteRows(
    refs.map((ref) => {
      const row = store.readRow(ref);
      if (row === null) throw new Error('the row is gone');
      const { campaignId, adGroupId, values } = row;
      return { kind: ref.kind, remoteId: row.remoteId ?? remote('0'), campaignId, adGroupId, values };
    }),
  );
  expect(contents(store)).toEqual(before);
});

const issues = (store: OwnStore): unknown => [
  store.db.all('SELECT * FROM finding_count ORDER BY campaign_id'),
  ...['campaign', 'ad_group', 'ad_item', 'keyword'].map((table) =>
    store.db.all(`SELECT id, issues FROM ${table} ORDER BY id`),
  ),
];

const stepCount = (store: OwnStore): number => store.db.all('SELECT id FROM step WHERE state = 0').length;
