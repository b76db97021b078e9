import fc from 'fast-check';
import { allTables } from '../../main/store/schema/tables.ts';
import type { EditOutcome } from '../../main/store/types.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Result } from '../../shared/result.ts';
import { acceptAll, aSmallCampaign } from './a-workspace.ts';

/** What somebody may do to a workspace; the numbers pick rows, fields and values. */
export interface Act {
  readonly verb: Edit | 'undo' | 'redo' | 'sent' | 'checked' | 'read';
  readonly pick: number;
  readonly value: number;
}
type Edit = 'set' | 'set many' | 'remove' | 'hold' | 'release' | 'revert' | 'create' | 'duplicate';

export const actOf = (...verbs: readonly Act['verb'][]): fc.Arbitrary<Act> =>
  fc.record({ verb: fc.constantFrom(...verbs), pick: fc.nat(200), value: fc.nat(4) });
/** What undo takes back. */
export const EDITS = ['set', 'set', 'set', 'set many', 'remove', 'hold', 'release', 'revert', 'create'] as const;

/** Fields of which other rows' issues tell, or on which their rules depend. */
const SETTABLE: Readonly<Partial<Record<Kind, readonly (readonly [string, readonly Cell[]])[]>>> = {
  campaign: [
    ['name', ['Towels', 'ÄPFEL', 'towels', 'x', null]],
    ['dailyBudget', [50, 90, 7000, null, 70]],
    ['totalBudget', [500_000, 100, null, 5000, 1]],
    ['status', ['enabled', 'paused', 'enabled', 'paused', 'enabled']],
    ['endDate', ['2026-05-01', '2026-06-01', null, '2026-05-04', null]],
  ],
  adGroup: [
    ['status', ['enabled', 'disabled', 'enabled', 'disabled', 'enabled']],
    ['name', ['Towels group', 'Other', 'towels group', null, 'x']],
  ],
  adItem: [['bid', [40, 50, 9_000_000, null, 1]]],
  keyword: [
    ['bid', [100, 120, 9_000_000, null, 1]],
    ['state', ['enabled', 'paused', 'archived', 'enabled', 'paused']],
    ['text', ['paper towel', 'Paper  Towel', 'kitchen roll', 'x', null]],
  ],
  sbaProfile: [
    ['headline', ['Fresh', 'FRESH', null, 'A very long headline that goes on and on and on and on and on', 'x']],
    ['clickUrl', ['https://shop.example/b', null, 'nonsense', 'https://else.example', 'https://shop.example/c']],
  ],
  media: [['fileName', ['a.png', 'b.png', 'c.png', 'd.png', 'e.png']]],
};

export const rowsOf = (store: OwnStore): readonly RowRef[] =>
  allTables().flatMap(({ kind, name }) =>
    store.db.all(`SELECT id FROM ${name} ORDER BY id`).map(([id]) => ({ kind, id: id as RowRef['id'] })),
  );

/** @returns what an edit came to; null for what is none */
export function perform(store: OwnStore, { verb, pick, value }: Act): Result<EditOutcome, unknown> | null {
  if (verb === 'undo' || verb === 'redo') return store.step(verb);
  if (verb === 'create')
    return store.apply({ label: 'New', source: 'user', creates: aSmallCampaign(`Towels${pick % 2}`) });
  const rows = rowsOf(store);
  const ref = rows[pick % Math.max(1, rows.length)];
  if (ref === undefined) return null;
  const fields = SETTABLE[ref.kind] ?? [];
  const [field, values] = fields[pick % Math.max(1, fields.length)] ?? ['', []];
  const cell = values[value] ?? null;
  if (verb === 'hold' || verb === 'release') return store.hold([ref], verb === 'hold');
  if (verb === 'remove') return store.apply({ label: 'Remove', source: 'user', deletes: [ref] });
  if (verb === 'revert') return store.revert([ref], value > 2 ? field : null);
  if (verb === 'duplicate') {
    const scope = [{ kind: ref.kind, ids: Int32Array.of(ref.id) }];
    store.applyTool(scope, { tool: 'duplicate' }, 'Duplicate', { isCancelled: () => false, progress: () => {} });
    return null;
  }
  if (verb === 'sent') {
    acceptAll(store, rows.slice(0, pick));
    return null;
  }
  if (verb === 'checked') {
    // After slices of checks nothing is remembered of what was found before.
    checkAll(store);
    return null;
  }
  if (field === '') return null;
  if (verb === 'read') {
    const row = store.readRow(ref);
    if (row?.remoteId == null) return null;
    const { campaignId, adGroupId, remoteId } = row;
    store.mergeRemoteRows([{ kind: ref.kind, remoteId, campaignId, adGroupId, values: { [field]: cell } }]);
    return null;
  }
  const same = verb === 'set many' ? rows.filter(({ kind }) => kind === ref.kind) : [ref];
  return store.apply({ label: 'Set', source: 'media', updates: same.map((each) => ({ ...each, field, value: cell })) });
}

export function checkAll(store: OwnStore): void {
  store.db.run('INSERT OR IGNORE INTO check_pending SELECT id FROM campaign UNION SELECT 0');
  while (store.checkSlice());
}
