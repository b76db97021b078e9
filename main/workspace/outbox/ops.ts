import type { RowRef } from '../../../shared/contract/scalars.ts';
import { lastRefreshOf, recordRefresh, outdatedCampaigns } from '../known/campaign-reads.ts';
import { confirmRemoteIds } from '../known/note-known.ts';
import { insertCampaign } from '../known/take-in.ts';
import type { ConflictRow, WriterStore } from '../writer/store.ts';
import { adopt, adoptRow, openUnresolved, live, merge, recordAbsent, recover, markNotProcessed, restartSettleWindows, takeOwnership } from './doubt.ts';
import { changesLeft } from './element-budget.ts';
import { recordMissing, detachFromService } from './gone.ts';
import { correlationsKnown, countStates, importIntents } from './inspect.ts';
import { renewTimestamp, saveIntent } from './intend.ts';
import { itemsToConfirm, noteItems } from './item-facts.ts';
import { itemProvenance } from './item-provenance.ts';
import { readRequestLog } from './ledger.ts';
import { resolve, question, listUnresolved } from './questions.ts';
import { sentRequest, sentRequests } from './requests.ts';
import { noteRun, sentElements, sentRuns } from './sent-runs.ts';
import { recordOutcome } from './settle.ts';
import { campaignsToSync, closeAgreedDeletions, knownIds, openReviews, reviewedCampaigns, liveAndInReviewCounts } from './standing.ts';
import { reviewsAsked, pendingOnService } from './waiting.ts';

/**
 * Everything sync asks of the store beyond the workspace's own calls. Each function runs in the writer's thread,
 * inside one transaction; its arguments and its answer are plain data.
 */
export const outboxOps = {
  takeOver: takeOwnership,
  recover,
  intend: saveIntent,
  dateAnew: renewTimestamp,
  settle: recordOutcome,
  live,
  adopt,
  adoptRow,
  noteAbsent: recordAbsent,
  merge,
  noteMissing: recordMissing,
  releaseGone: detachFromService,
  release: markNotProcessed,
  restartWindows: restartSettleWindows,
  ask: openUnresolved,
  questions: listUnresolved,
  question,
  answer: resolve,
  budgetLeft: changesLeft,
  countStates,
  correlationsKnown,
  importIntents,
  ledger: readRequestLog,
  sentRequests,
  sentRequest,
  noteRun,
  sentRuns,
  sentElements,
  standing: liveAndInReviewCounts,
  waitingOnService: pendingOnService,
  reviewsAsked,
  campaignsToVisit: campaignsToSync,
  openReviews,
  knownIds,
  reviewedCampaigns,
  closeAgreed: closeAgreedDeletions,
  itemsToConfirm,
  noteItems,
  itemProvenance,
  confirmKnown: confirmRemoteIds,
  noteRead: recordRefresh,
  campaignRead: lastRefreshOf,
  outdatedCampaigns,
  takeIn: insertCampaign,
  conflicts: (store: WriterStore): readonly ConflictRow[] => store.listConflicts(),
  resolveConflict: (
    store: WriterStore,
    args: {
      readonly ref: RowRef;
      readonly field: string;
      readonly take: 'mine' | 'theirs';
      /** The rule of a policy that decided; null when the user did. */
      readonly by: string | null;
    },
  ): void => store.resolveConflict(args.ref, args.field, args.take, args.by),
} as const;

type Ops = typeof outboxOps;
/** The same operations as seen from the main thread. */
export type OutboxClient = {
  readonly [Name in keyof Ops]: Parameters<Ops[Name]> extends [unknown, infer Args]
    ? (args: Args) => Promise<ReturnType<Ops[Name]>>
    : () => Promise<ReturnType<Ops[Name]>>;
};
