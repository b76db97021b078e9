import type { ViewGroup } from '../../../shared/contract/views.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import type { Db } from '../db/db.ts';
import { readIds } from '../db/read-ids.ts';
import { snapshot } from '../db/snapshot.ts';
import { campaignNames } from '../rows/campaign-names.ts';
import type { Table } from '../schema/tables.ts';

/** Where runs of rows of one campaign begin in an order, and whose they are (0 for no campaign). */
export interface CampaignRuns {
  readonly from: Int32Array;
  readonly campaign: Int32Array;
}

/**
 * Finds the runs of an order. Rows that were appended since the view was opened make runs of their own at its end,
 * as the rows themselves stand there.
 */
export function campaignRuns(db: Db, table: Table, order: Int32Array): CampaignRuns {
  const [ids, owners] = snapshot(db, () => [
    readIds(db, `SELECT id FROM ${table.name} ORDER BY id`),
    readIds(db, `SELECT coalesce(k.campaign_id, 0) AS id FROM ${table.name} k ORDER BY k.id`),
  ]);
  const owner = new Int32Array((ids[ids.length - 1] ?? 0) + 1);
  for (const [at, id] of ids.entries()) owner[id] = owners[at] ?? 0;
  const from: number[] = [];
  const campaign: number[] = [];
  let last = -1;
  for (let at = 0; at < order.length; at++) {
    const own = owner[order[at] ?? 0] ?? 0;
    if (own === last) continue;
    last = own;
    from.push(at);
    campaign.push(own);
  }
  return { from: Int32Array.from(from), campaign: Int32Array.from(campaign) };
}

export function namedRuns(
  db: Db,
  { from, campaign }: CampaignRuns,
  length: number,
  first: number,
  count: number,
): ViewGroup[] {
  const campaignIdOf = (run: number): RowId | null => (campaign[run] === 0 ? null : asRowId(campaign[run] ?? 0));
  const wanted = Array.from({ length: Math.max(0, Math.min(count, from.length - first)) }, (_, i) => first + i);
  const names = campaignNames(
    db,
    wanted.map((run) => ({ campaignId: campaignIdOf(run) })),
  );
  return wanted.map((run) => {
    const campaignId = campaignIdOf(run);
    const start = from[run] ?? 0;
    const end = from[run + 1] ?? length;
    return {
      campaignId,
      campaignName: campaignId === null ? '' : (names.get(campaignId) ?? ''),
      from: start,
      count: end - start,
    };
  });
}
