import type { RowRef } from '../../../shared/api/scalars.ts';
import type { Conflict } from '../../../shared/api/sync.ts';
import { ITEM_CHECK_STATUSES, type ItemCheckResult } from '../../../shared/model/item-check.ts';
import { NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asText, rowIdsOf } from '../db/db.ts';
import { lastRefreshOf, outdatedCampaigns, recordRefresh } from '../remote/last-refresh.ts';
import { confirmRemoteIds, insertCampaign } from '../remote/remote-ids.ts';
import { unconfirmedItems } from '../rows/item-facts.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { changeLimit, spendInBackground, waitForChanges } from './change-limit.ts';
import {
  correlationsKnown,
  countStates,
  importIntents,
  itemProvenance,
  noteRun,
  sentElements,
  sentRuns,
} from './inspect.ts';
import { recordMissing, resolveMissing } from './missing-rows.ts';
import { recordOutcome } from './record-outcome.ts';
import {
  elementsOf,
  HEAD_COLUMNS,
  HEAD_WIDTH,
  headOf,
  type Receipt,
  type RequestElement,
  type RequestHead,
  receiptsOf,
} from './requests.ts';
import { renewTimestamp, saveIntent } from './save-intent.ts';
import {
  campaignsToSync,
  closeAgreedDeletions,
  knownIds,
  liveAndInReviewCounts,
  openReviews,
  pendingOnService,
  reviewedCampaigns,
  reviewsAsked,
} from './sync-queries.ts';
import { correlationsSince, intentsOf, outcomeOf, recallIntents } from './team-intents.ts';
import {
  adopt,
  adoptRow,
  listUnresolved,
  live,
  markNotProcessed,
  merge,
  openUnresolved,
  question,
  recordAbsent,
  recover,
  resolve,
  restartSettleWindows,
  takeOwnership,
} from './unconfirmed.ts';

/** IDs of new items that no search has confirmed. */
const itemsToConfirm = ({ db }: WriterStore): readonly string[] => unconfirmedItems(db);

/**
 * Stores the results of an item search, and schedules checks of campaigns for which a result has changed.
 *
 * @returns new rows without a name, with the name from the catalog
 */
function noteItems(
  store: WriterStore,
  facts: readonly ItemCheckResult[],
): readonly { readonly id: RowId; readonly name: string }[] {
  const { db } = store;
  const nameless: { id: RowId; name: string }[] = [];
  for (const { itemId, verdict, name } of facts) {
    const position = ITEM_CHECK_STATUSES.indexOf(verdict);
    const before = db.get('SELECT verdict FROM item_fact WHERE item_id = ?', itemId)?.[0];
    db.run('INSERT OR REPLACE INTO item_fact(item_id, verdict, at) VALUES (?, ?, ?)', itemId, position, store.nowMs());
    if (before !== position) {
      store.recheck(rowIdsOf(db, 'SELECT DISTINCT campaign_id FROM ad_item WHERE itemId = ?', itemId));
    }
    if (name === null || name === '') continue;
    const rows = `SELECT id FROM ad_item WHERE itemId = ? AND itemName IS NULL AND dirty & ${NEW}`;
    for (const id of rowIdsOf(db, rows, itemId)) nameless.push({ id, name });
  }
  return nameless;
}

/** One request of the log with its results. */
interface RequestLogEntry extends RequestHead {
  /** The exact bytes that were sent; credentials are only in headers and never stored here. */
  readonly body: string;
  readonly rows: readonly RequestElement[];
  readonly receipts: readonly Receipt[];
}

/**
 * All requests ever sent, oldest first, in parts.
 *
 * @param args.after the ID of the last entry already read; 0 for the first part
 */
const readRequestLog = (
  { db }: WriterStore,
  args: { readonly after: number; readonly count: number },
): readonly RequestLogEntry[] =>
  db
    .all(
      `SELECT ${HEAD_COLUMNS}, b.body FROM outbox_batch b WHERE b.id > ? ORDER BY b.id LIMIT ?`,
      args.after,
      args.count,
    )
    .map((row) => {
      const head = headOf(row);
      return {
        ...head,
        body: asText(row[HEAD_WIDTH]),
        rows: elementsOf(db, head.id),
        receipts: receiptsOf(db, head.id),
      };
    });

/**
 * All store operations of sync beyond those of the workspace. Each function runs in the writer thread in one
 * transaction; arguments and results are plain data.
 */
export const outboxOps = {
  takeOwnership,
  recover,
  saveIntent,
  renewTimestamp,
  recordOutcome,
  live,
  adopt,
  adoptRow,
  recordAbsent,
  merge,
  recordMissing,
  resolveMissing,
  markNotProcessed,
  restartSettleWindows,
  openUnresolved,
  listUnresolved,
  question,
  resolve,
  changeLimit,
  waitForChanges,
  spendInBackground,
  countStates,
  correlationsKnown,
  importIntents,
  outcomeOf,
  correlationsSince,
  intentsOf,
  recallIntents,
  readRequestLog,
  noteRun,
  sentRuns,
  sentElements,
  liveAndInReviewCounts,
  pendingOnService,
  reviewsAsked,
  campaignsToSync,
  openReviews,
  knownIds,
  reviewedCampaigns,
  closeAgreedDeletions,
  itemsToConfirm,
  noteItems,
  itemProvenance,
  confirmRemoteIds,
  recordRefresh,
  lastRefreshOf,
  outdatedCampaigns,
  insertCampaign,
  conflicts: (store: WriterStore): Conflict[] => store.listConflicts(),
  resolveConflict: (
    store: WriterStore,
    args: {
      readonly ref: RowRef;
      readonly field: string;
      readonly take: 'mine' | 'theirs';
      /** The rule of a policy that decided; null for the user. */
      readonly by: string | null;
    },
  ): void => store.resolveConflict(args.ref, args.field, args.take, args.by),
} as const;

type Ops = typeof outboxOps;
/** The operations as called from the main thread. */
export type OutboxClient = {
  readonly [Name in keyof Ops]: Parameters<Ops[Name]> extends [unknown, infer Args]
    ? (args: Args) => Promise<ReturnType<Ops[Name]>>
    : () => Promise<ReturnType<Ops[Name]>>;
};
