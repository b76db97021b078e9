import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { runs } from '../share.ts';
import { acceptAll, aSmallCampaign, aStore, contents, create, createAll, remote } from './a-workspace.ts';

/** What somebody may do to a workspace; the numbers pick rows, fields and values. */
interface Act {
  readonly verb: 'set' | 'remove' | 'hold' | 'release' | 'revert' | 'accept' | 'read' | 'create' | 'undo' | 'redo';
  readonly pick: number;
  readonly value: number;
}

const actOf = (...verbs: readonly Act['verb'][]): fc.Arbitrary<Act> =>
  fc.record({ verb: fc.constantFrom(...verbs), pick: fc.nat(50), value: fc.nat(4) });
const edit = actOf('set', 'set', 'set', 'remove', 'hold', 'release', 'revert', 'create');
const act = fc.oneof(edit, actOf('undo', 'redo', 'accept', 'read'));

const SETTABLE: Readonly<Record<string, readonly (readonly [string, readonly Cell[]])[]>> = {
  campaign: [
    ['name', ['Towels', 'Rolls', 'ÄPFEL', 'x', null]],
    ['dailyBudget', [5000, 6000, 7000, null, 1]],
  ],
  adGroup: [['status', ['enabled', 'disabled', 'enabled', 'disabled', 'enabled']]],
  adItem: [['bid', [40, 50, 60, null, 40]]],
  keyword: [
    ['bid', [100, 120, 140, null, 100]],
    ['state', ['enabled', 'paused', 'archived', 'enabled', 'paused']],
  ],
};

function allRows(store: OwnStore): readonly RowRef[] {
  return (['campaign', 'adGroup', 'adItem', 'keyword'] as const).flatMap((kind) => {
    const table = { campaign: 'campaign', adGroup: 'ad_group', adItem: 'ad_item', keyword: 'keyword' }[kind];
    return store.db.all(`SELECT id FROM ${table} ORDER BY id`).map((row) => ({ kind, id: row[0] as RowRef['id'] }));
  });
}

function perform(store: OwnStore, what: Act): void {
  if (what.verb === 'undo' || what.verb === 'redo') {
    store.step(what.verb);
    return;
  }
  if (what.verb === 'create') {
    createAll(store, aSmallCampaign(`Campaign ${what.value}`));
    return;
  }
  const rows = allRows(store);
  const ref = rows[what.pick % Math.max(1, rows.length)];
  if (ref === undefined) return;
  const fields = SETTABLE[ref.kind] ?? [];
  const [field, values] = fields[what.pick % fields.length] ?? ['', []];
  const value = values[what.value] ?? null;
  switch (what.verb) {
    case 'set':
      store.apply({ label: 'Set', source: 'user', updates: [{ ...ref, field, value }] });
      return;
    case 'remove':
      store.apply({ label: 'Remove', source: 'user', deletes: [ref] });
      return;
    case 'hold':
    case 'release':
      store.hold([ref], what.verb === 'hold');
      return;
    case 'revert':
      store.revert([ref], what.value > 2 ? field : null);
      return;
    case 'accept':
      acceptAll(store, rows.slice(0, what.pick));
      return;
    case 'read': {
      const row = store.readRow(ref);
      if (row?.remoteId == null) return;
      const parents = { campaignId: row.campaignId, adGroupId: row.adGroupId };
      store.mergeRemoteRows([{ kind: ref.kind, remoteId: row.remoteId, ...parents, values: { [field]: value } }]);
    }
  }
}

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

test('what is stored about findings is what a check of everything finds', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 5, maxLength: 30 }), (acts) => {
      const store = aStore();
      for (const what of [{ verb: 'create', pick: 0, value: 0 } as const, ...acts]) perform(store, what);
      while (store.checkSlice());
      const before = findings(store);
      store.db.run('INSERT OR IGNORE INTO check_pending SELECT id FROM campaign UNION SELECT 0');
      while (store.checkSlice());
      expect(findings(store)).toEqual(before);
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
  const merged = store.mergeRemoteRows(
    refs.map((ref) => {
      const row = store.readRow(ref);
      if (row === null) throw new Error('the row is gone');
      const { campaignId, adGroupId, values } = row;
      return { kind: ref.kind, remoteId: row.remoteId ?? remote('0'), campaignId, adGroupId, values };
    }),
  );
  expect(merged).toMatchObject({ added: 0, updated: 0, conflicts: 0 });
  expect(contents(store)).toEqual(before);
});

const findings = (store: OwnStore): unknown => [
  store.db.all('SELECT * FROM finding_count ORDER BY campaign_id'),
  ...['campaign', 'ad_group', 'ad_item', 'keyword'].map((table) =>
    store.db.all(`SELECT id, issues FROM ${table} ORDER BY id`),
  ),
];

const stepCount = (store: OwnStore): number => store.db.all('SELECT id FROM step WHERE state = 0').length;
