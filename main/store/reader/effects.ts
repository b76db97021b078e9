import type { BulkPreview } from '../../../shared/api/bulk.ts';
import { type Impact, rowImpact } from '../../../shared/lifecycle/change-impact.ts';
import { memo } from '../../../shared/memo.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Db } from '../db/db.ts';
import { readRows, readRowsWithIds } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { tableOf } from '../schema/tables.ts';

/**
 * Fields that decide the effect of a change, besides the changed field. Other kinds have few rows and are read
 * completely.
 */
const READ: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  keyword: ['state'],
  adItem: ['status'],
  adGroup: ['status'],
  placementMultiplier: [],
  platformMultiplier: [],
  media: [],
};
/** Kinds that don't decide about others: only the campaign and the reviews of its ad groups do. */
const WITHOUT = KINDS.filter((kind) => kind !== 'campaign' && kind !== 'adGroup');

/** The fields needed to determine effects; null for all. */
export const effectFields = (kind: Kind): readonly string[] | null => READ[kind] ?? null;

/**
 * The effect of changing each field of these rows now. A campaign is read at most once, and only if its state decides.
 */
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
    // Whether a campaign can be enabled again depends on all of its parts.
    const tree = trees.get(campaignId) ?? readTrees(db, [campaignId], kind === 'campaign' ? [] : WITHOUT)[0];
    if (tree === undefined) throw new Error(`no campaign ${campaignId}`);
    trees.set(campaignId, tree);
    return tree;
  };
}

/** The bits of the fields that enable and disable a row. */
const switchBits = memo((kind: Kind): number =>
  ['state', 'status'].reduce((mask, field) => {
    const bit = fieldSpec(kind, field)?.bit ?? null;
    return bit === null ? mask : mask | (1 << bit);
  }, 0),
);

/** Counts the effects of changed rows. A campaign is read at most once, and only if its state decides. */
export function createEffects(db: Db) {
  const counts = new Map<Impact['cost'], number>();
  const treeOf = campaignsOf(db);
  const count = (row: AnyRow, field: string): void => {
    const { cost } = rowImpact(field, row, () => treeOf(row.kind, row.campaignId ?? row.id));
    counts.set(cost, (counts.get(cost) ?? 0) + 1);
  };
  return {
    /** @param rows without their bases, with the fields of `effectFields` */
    add: (field: string, rows: readonly AnyRow[]): void => {
      const touched: AnyRow[] = [];
      for (const row of rows) {
        if ((row.dirty & switchBits(row.kind)) === 0) count(row, field);
        else touched.push(row);
      }
      const [first] = touched;
      if (first === undefined) return;
      // Rows already enabled or disabled here are judged by their service values.
      const ids = `[${touched.map(({ id }) => id).join(',')}]`;
      const whole = readRows(db, first.kind, 'k.id IN (SELECT value FROM json_each(?))', ids);
      for (const row of whole as readonly AnyRow[]) count(row, field);
    },
    list: (): BulkPreview['effects'] => [...counts].map(([cost, rows]) => ({ cost, rows })),
  };
}
