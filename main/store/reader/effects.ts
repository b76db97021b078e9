import type { BulkPreview } from '../../../shared/api/bulk.ts';
import { type Impact, rowImpact } from '../../../shared/lifecycle/change-impact.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, memo } from '../db/db.ts';
import { readRows, readRowsWithIds } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { tableOf } from '../schema/tables.ts';

/** What tells the effect of a change beside the changed field; kinds without an entry are few and are read whole. */
const READ: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  keyword: ['state'],
  adItem: ['status'],
  adGroup: ['status'],
  placementMultiplier: [],
  platformMultiplier: [],
  media: [],
};
/** What decides about rows of other kinds: the campaign, and the reviews of its ad groups. */
const WITHOUT = KINDS.filter((kind) => kind !== 'campaign' && kind !== 'adGroup');

/** The fields that have to be read so that effects can be told; null for all. */
export const effectFields = (kind: Kind): readonly string[] | null => READ[kind] ?? null;

/** What a change of each field of these rows would cost now. A campaign is read once, and only where its state decides. */
export function readImpacts(db: Db, kind: Kind, ids: readonly RowId[]) {
  const treeOf = campaignsOf(db);
  const fields = tableOf(kind).userColumns.map(({ field }) => field);
  return (readRowsWithIds(db, kind, ids) as readonly AnyRow[]).map((row) => ({
    id: row.id,
    impacts: Object.fromEntries(
      fields.map((field) => [field, rowImpact(field, row, () => treeOf(kind, row.campaignId ?? row.id))]),
    ),
  }));
}

function campaignsOf(db: Db) {
  const trees = new Map<RowId, CampaignTree>();
  return (kind: Kind, campaignId: RowId): CampaignTree => {
    // Whether a campaign can be taken up again depends on all of its parts.
    const tree = trees.get(campaignId) ?? readTrees(db, [campaignId], kind === 'campaign' ? [] : WITHOUT)[0];
    if (tree === undefined) throw new Error(`no campaign ${campaignId}`);
    trees.set(campaignId, tree);
    return tree;
  };
}

/** The bits of the fields that switch a row on and off. */
const switchBits = memo((kind: Kind): number =>
  ['state', 'status'].reduce((mask, field) => {
    const bit = fieldSpec(kind, field)?.bit ?? null;
    return bit === null ? mask : mask | (1 << bit);
  }, 0),
);

/** Counts how changes of rows would take effect. A campaign is read once, and only where its state decides. */
export function createEffects(db: Db) {
  const counts = new Map<Impact['cost'], number>();
  const treeOf = campaignsOf(db);
  const count = (row: AnyRow, field: string): void => {
    const { cost } = rowImpact(field, row, () => treeOf(row.kind, row.campaignId ?? row.id));
    counts.set(cost, (counts.get(cost) ?? 0) + 1);
  };
  return {
    /** @param rows without their bases, as far as `effectFields` */
    add: (field: string, rows: readonly AnyRow[]): void => {
      const touched: AnyRow[] = [];
      for (const row of rows) {
        if ((row.dirty & switchBits(row.kind)) === 0) count(row, field);
        else touched.push(row);
      }
      const [first] = touched;
      if (first === undefined) return;
      // What is switched here already is judged by what the service has.
      const ids = `[${touched.map(({ id }) => id).join(',')}]`;
      const whole = readRows(db, first.kind, 'k.id IN (SELECT value FROM json_each(?))', ids);
      for (const row of whole as readonly AnyRow[]) count(row, field);
    },
    list: (): BulkPreview['effects'] => [...counts].map(([cost, rows]) => ({ cost, rows })),
  };
}
