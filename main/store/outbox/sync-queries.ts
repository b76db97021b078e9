import { fieldNames, fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS, type Kind, kindCode } from '../../../shared/model/kinds.ts';
import { DELETED, isDeleted, isNew } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asNumberOrNull, asText, asTextOrNull, type Db, numberOf, rowIdOf, rowIdsOf } from '../db/db.ts';
import { campaignNameSql } from '../rows/campaign-ids.ts';
import { choiceCode, DELETED_CODE, tableOf } from '../schema/tables.ts';
import { storeRemovedRows } from '../writer/removal.ts';
import { fillSelectionWith } from '../writer/selection.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { isCurrentOwner } from './save-intent.ts';

/** SQL: the field has one of these words, or a word that this version does not know. */
const isOneOf = (kind: Kind, field: string, words: readonly string[]): string => {
  const codes = words.map((word) => choiceCode(kind, field, word)).join(', ');
  return `(k."${field}" IN (${codes}) OR typeof(k."${field}") = 'text')`;
};

const undecidedReview = (): string => isOneOf('adGroup', 'reviewStatus', ['pending', 'in-progress']);

/** The numbers of live campaigns and of ad groups in review. */
export function liveAndInReviewCounts(store: WriterStore): { readonly live: number; readonly inReview: number } {
  const live = choiceCode('campaign', 'campaignState', 'live');
  return {
    live: numberOf(store.db, 'SELECT count(*) FROM campaign WHERE "campaignState" = ?', live),
    inReview: numberOf(store.db, `SELECT count(*) FROM ad_group k WHERE ${undecidedReview()}`),
  };
}

/**
 * Campaigns that a sync has to process: those with a change, and, if reviews are submitted, those with unreviewed rows
 * and no open review. A campaign that was not created here belongs to others, whether it was added by its ID or listed:
 * it is submitted only after a change was sent from here, or if the user names it.
 *
 * @param args.named the campaigns to which the user has limited the sync; null for no limit
 */
export function campaignsToSync(
  store: WriterStore,
  args: { readonly submit: boolean; readonly named: readonly RowId[] | null },
): readonly RowId[] {
  const unasked = args.submit ? unreviewed(store, args.named ?? []) : [];
  return [...new Set([...changedCampaigns(store.db), ...unasked])].sort((a, b) => a - b);
}

/** Campaigns with a changed row of any kind. */
export const changedCampaigns = (db: Db): readonly RowId[] =>
  KINDS.filter((kind) => kind !== 'media').flatMap((kind) =>
    rowIdsOf(db, `SELECT DISTINCT campaign_id FROM ${tableOf(kind).name} WHERE dirty <> 0`),
  );

function unreviewed(store: WriterStore, named: readonly RowId[]): readonly RowId[] {
  const types = [choiceCode('campaign', 'campaignType', 'sba'), choiceCode('campaign', 'campaignType', 'video')];
  const pending = choiceCode('adItem', 'reviewStatus', 'pending');
  const open = [choiceCode('adGroup', 'reviewStatus', 'pending'), choiceCode('adGroup', 'reviewStatus', 'in-progress')];
  const waiting = (['adItem', 'keyword', 'sbaProfile', 'videoProfile'] as const)
    .map(
      (kind) => `SELECT 1 FROM ${tableOf(kind).name} r WHERE r.ad_group_id = g.id
      AND (r."reviewStatus" IS NULL OR r."reviewStatus" = ${pending})`,
    )
    .join(' UNION ALL ');
  const sql = `SELECT DISTINCT g.campaign_id FROM ad_group g JOIN campaign c ON c.id = g.campaign_id
    WHERE c."campaignType" IN (?, ?) AND (g."reviewStatus" IS NULL OR g."reviewStatus" NOT IN (?, ?))
      AND EXISTS (${waiting})
      AND (NOT EXISTS (SELECT 1 FROM known_id n WHERE n.kind = ${kindCode('campaign')} AND n.id = c.remote_id
          AND n.source <> 'made')
        OR c.id IN (SELECT campaign_id FROM outbox_batch) OR c.id IN (SELECT value FROM json_each(?)))`;
  return rowIdsOf(store.db, sql, ...types, ...open, JSON.stringify(named));
}

/** Ad groups with an open review. */
export function openReviews(store: WriterStore): readonly { readonly campaignId: RowId; readonly adGroupId: RowId }[] {
  const sql = `SELECT campaign_id, id FROM ad_group k WHERE remote_id IS NOT NULL AND ${undecidedReview()}`;
  return store.db.all(sql).map(([campaignId, id]) => ({
    campaignId: rowIdOf(campaignId),
    adGroupId: rowIdOf(id),
  }));
}

/** The rows of a kind that have a remote ID, with these IDs. */
export const knownIds = (
  store: WriterStore,
  args: { readonly kind: Kind },
): readonly { readonly id: RowId; readonly remoteId: RemoteId }[] =>
  store.db
    .all(`SELECT id, remote_id FROM ${tableOf(args.kind).name} WHERE remote_id IS NOT NULL`)
    .map(([id, remoteId]) => ({ id: rowIdOf(id), remoteId: asText(remoteId) as RemoteId }));

/** Campaigns that ever had a review. */
export const reviewedCampaigns = (store: WriterStore): readonly RowId[] =>
  rowIdsOf(store.db, 'SELECT DISTINCT campaign_id FROM ad_group WHERE "reviewId" IS NOT NULL ORDER BY campaign_id');

/** Fields of a kind that have a base: all except service-only fields. */
export const baseFields = (kind: Kind): readonly string[] =>
  fieldNames(kind).filter((field) => fieldSpec(kind, field)?.bit !== null);

/**
 * Removes a row that was deleted during its create if the create was not executed, like any deleted new row; undoing
 * the delete restores it.
 */
export function leaveIfDeleted(store: WriterStore, op: { readonly kind: Kind; readonly rowId: RowId }): void {
  const row = store.readRow({ kind: op.kind, id: op.rowId });
  if (row === null || row.remoteId !== null || !isNew(row) || !isDeleted(row)) return;
  const table = tableOf(op.kind);
  const step = store.db.get(
    'SELECT max(step) FROM step_cell WHERE kind = ? AND id = ? AND field = ?',
    table.code,
    op.rowId,
    DELETED_CODE,
  )?.[0];
  if (typeof step !== 'number') return;
  store.db.run('DELETE FROM step_cell WHERE step = ? AND kind = ? AND id = ?', step, table.code, op.rowId);
  store.db.run(`UPDATE ${table.name} SET dirty = dirty & ~${DELETED} WHERE id = ?`, op.rowId);
  fillSelectionWith(store.db, [op.rowId], null);
  storeRemovedRows(store.db, table, step, 'removed');
  store.noteRemoved(op.kind);
  if (row.campaignId !== null && op.kind !== 'campaign') store.recheck([row.campaignId]);
}

/**
 * Closes rows that are deleted here and permanently off on the service: both sides agree. @returns the number of rows
 */
export function closeAgreedDeletions(
  store: WriterStore,
  args: { readonly epoch: number; readonly kind: Kind; readonly ids: readonly RowId[] },
): { readonly closed: number } {
  let closed = 0;
  if (!isCurrentOwner(store.db, args.epoch)) return { closed };
  for (const id of args.ids) {
    const row = store.readRow({ kind: args.kind, id });
    if (row === null || !isDeleted(row)) continue;
    closeDeleted(store, args.kind, id);
    closed++;
  }
  if (closed > 0) store.bumpRevision([args.kind]);
  return { closed };
}

/**
 * Marks a row deleted on the service as permanently off. It is kept because the service may still list it, and it must
 * not be added again.
 *
 * @returns false for a kind that has no such state
 */
export function closeDeleted(store: WriterStore, kind: Kind, id: RowId): boolean {
  const field = kind === 'adItem' ? 'status' : kind === 'keyword' ? 'state' : null;
  if (field === null) return false;
  const table = tableOf(kind);
  const off = choiceCode(kind, field, kind === 'adItem' ? 'deleted' : 'archived');
  store.db.run(`UPDATE ${table.name} SET "${field}" = ${off}, dirty = 0 WHERE id = ?`, id);
  store.db.run(`DELETE FROM ${table.base} WHERE id = ?`, id);
  return true;
}

/** Rows in a state that only the service ends: their number, and the first of them. */
interface PendingRows {
  readonly rows: number;
  readonly first: readonly WaitingRow[];
}

export interface WaitingRow {
  readonly id: RowId;
  readonly name: string;
  /** `since`: when the upload was completed; `day`: the first day of the campaign; else null. */
  readonly since: number | null;
  readonly day: string | null;
}

const NAMED = 20;

/** Videos in processing, ad groups in review, and campaigns scheduled for a later day. */
export function pendingOnService(store: WriterStore): {
  readonly videos: PendingRows;
  readonly reviews: PendingRows;
  readonly scheduled: PendingRows;
} {
  // The newest upload counts; a row from a read has none.
  const finished = `(SELECT max(b.last_moment_at) FROM outbox_op o JOIN outbox_batch b ON b.id = o.batch_id
    WHERE o.kind = ${kindCode('media')} AND o.row_id = k.id AND o.verb = 'upload' AND o.state = 'DONE')`;
  const states = {
    videos: ['media', 'mediaState', ['processing'], 'k."mediaName"', finished, 'NULL'],
    reviews: ['adGroup', 'reviewStatus', ['pending', 'in-progress'], CAMPAIGN_NAME, 'NULL', 'NULL'],
    scheduled: ['campaign', 'campaignState', ['scheduled'], campaignNameSql('k'), 'NULL', 'k."startDate"'],
  } as const;
  const read = (which: keyof typeof states): PendingRows => {
    const [kind, field, words, name, since, day] = states[which];
    const from = `FROM ${tableOf(kind).name} k WHERE k.remote_id IS NOT NULL AND ${isOneOf(kind, field, words)}`;
    const first = store.db.all(
      `SELECT k.id, ${name}, ${since}, ${day} ${from} ORDER BY ${since}, ${day}, k.id LIMIT ${NAMED}`,
    );
    return {
      rows: numberOf(store.db, `SELECT count(*) ${from}`),
      first: first.map(([id, label, at, date]) => ({
        id: rowIdOf(id),
        name: asTextOrNull(label) ?? '',
        since: asNumberOrNull(at),
        day: asTextOrNull(date),
      })),
    };
  };
  return { videos: read('videos'), reviews: read('reviews'), scheduled: read('scheduled') };
}

/** When the newest review of each campaign was submitted from here, from the request log. */
export const reviewsAsked = (store: WriterStore): readonly { readonly campaignId: RowId; readonly at: number }[] =>
  store.db
    .all(
      `SELECT b.campaign_id, max(b.sent_at) FROM outbox_batch b JOIN outbox_op o ON o.batch_id = b.id
       WHERE b.kind = 'review' AND b.verb = 'submit' AND o.state = 'DONE' AND b.campaign_id IS NOT NULL
       GROUP BY b.campaign_id`,
    )
    .map(([campaignId, at]) => ({ campaignId: rowIdOf(campaignId), at: asNumber(at) }));

const CAMPAIGN_NAME = `(SELECT ${campaignNameSql('c')} FROM campaign c WHERE c.id = k.campaign_id)`;
