import type { OutdatedSummary } from '../../../shared/api/sync.ts';
import { kindCode } from '../../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { asNumberOrNull, asTextOrNull, rowIdsOf } from '../db/db.ts';
import { changedCampaigns, openReviews } from '../outbox/sync-queries.ts';
import { choiceCode, tableOf } from '../schema/tables.ts';
import type { WriterStore } from '../writer/writer-store.ts';

/**
 * Records that these campaigns were read completely, and reports it like a change of them. Keeps the newest time, in
 * case the clock was set back.
 */
export function recordRefresh(store: WriterStore, args: { readonly campaignIds: readonly RowId[] }): void {
  const nowMs = Math.trunc(store.nowMs());
  for (const id of args.campaignIds) {
    store.db.run(
      `INSERT INTO campaign_read VALUES (?, CAST(? AS INTEGER))
       ON CONFLICT(campaign_id) DO UPDATE SET at = max(at, excluded.at)`,
      id,
      nowMs,
    );
  }
  store.bumpRevision(['campaign']);
}

/** The campaign's service ID, and when it was last read; null if there is none yet. */
export function lastRefreshOf(
  { db }: WriterStore,
  args: { readonly campaignId: RowId },
): { readonly remoteId: RemoteId | null; readonly at: number | null } {
  const found = db.get(
    'SELECT c.remote_id, r.at FROM campaign c LEFT JOIN campaign_read r ON r.campaign_id = c.id WHERE c.id = ?',
    args.campaignId,
  );
  return { remoteId: asTextOrNull(found?.[0]) as RemoteId | null, at: asNumberOrNull(found?.[1]) };
}

/** Campaigns with a label of this name are always read again. */
const KEEP_FRESH = 'keep fresh';

/** Campaigns that may have changed on the service, and why; one may be counted under several reasons. */
export interface OutdatedCampaigns extends Omit<OutdatedSummary, 'campaigns'> {
  readonly campaignIds: readonly RowId[];
}

/** @param args.readBefore campaigns last read before this time are outdated, in milliseconds since 1970 */
export function outdatedCampaigns(store: WriterStore, args: { readonly readBefore: number }): OutdatedCampaigns {
  const { db } = store;
  const known = new Set(rowIdsOf(db, 'SELECT id FROM campaign WHERE remote_id IS NOT NULL'));
  const here = (ids: readonly RowId[]): readonly RowId[] => [...new Set(ids)].filter((id) => known.has(id));
  const old = rowIdsOf(
    db,
    `SELECT c.id FROM campaign c LEFT JOIN campaign_read r ON r.campaign_id = c.id
     WHERE c.remote_id IS NOT NULL AND coalesce(r.at, 0) < CAST(? AS INTEGER)`,
    Math.trunc(args.readBefore),
  );
  const touched = here(changedCampaigns(db));
  const inReview = here(openReviews(store).map(({ campaignId }) => campaignId));
  const processing = here(
    rowIdsOf(
      db,
      `SELECT DISTINCT p.campaign_id FROM ${tableOf('videoProfile').name} p JOIN media m ON m.id = p.video
       WHERE m."mediaState" = ${choiceCode('media', 'mediaState', 'processing')}`,
    ),
  );
  const keptFresh = here(
    rowIdsOf(
      db,
      `SELECT r.id FROM row_label r JOIN label l ON l.id = r.label WHERE l.name_key = ? AND r.kind = ${kindCode('campaign')}`,
      KEEP_FRESH,
    ),
  );
  const campaignIds = [...new Set([...old, ...touched, ...inReview, ...processing, ...keptFresh])];
  return {
    campaignIds: campaignIds.sort((one, other) => one - other),
    all: known.size,
    why: {
      old: old.length,
      touched: touched.length,
      inReview: inReview.length,
      processing: processing.length,
      keptFresh: keptFresh.length,
    },
  };
}
