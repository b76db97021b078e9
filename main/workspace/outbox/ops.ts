import type { RowRef } from '../../../shared/contract/scalars.ts';
import { campaignRead, noteRead, outdatedCampaigns } from '../known/campaign-reads.ts';
import { confirmKnown } from '../known/note-known.ts';
import { takeIn } from '../known/take-in.ts';
import type { ConflictRow, WriterStore } from '../writer/store.ts';
import { adopt, adoptRow, ask, live, merge, noteAbsent, recover, release, restartWindows, takeOver } from './doubt.ts';
import { budgetLeft } from './element-budget.ts';
import { noteMissing, releaseGone } from './gone.ts';
import { correlationsKnown, countStates, importIntents } from './inspect.ts';
import { dateAnew, intend } from './intend.ts';
import { itemsToConfirm, noteItems } from './item-facts.ts';
import { itemProvenance } from './item-provenance.ts';
import { ledger } from './ledger.ts';
import { answer, question, questions } from './questions.ts';
import { sentRequest, sentRequests } from './requests.ts';
import { noteRun, sentElements, sentRuns } from './sent-runs.ts';
import { settle } from './settle.ts';
import { campaignsToVisit, closeAgreed, knownIds, openReviews, reviewedCampaigns, standing } from './standing.ts';
import { reviewsAsked, waitingOnService } from './waiting.ts';

/**
 * Everything sync asks of the store beyond the workspace's own calls. Each function runs in the writer's thread,
 * inside one transaction; its arguments and its answer are plain data.
 */
export const outboxOps = {
  takeOver,
  recover,
  intend,
  dateAnew,
  settle,
  live,
  adopt,
  adoptRow,
  noteAbsent,
  merge,
  noteMissing,
  releaseGone,
  release,
  restartWindows,
  ask,
  questions,
  question,
  answer,
  budgetLeft,
  countStates,
  correlationsKnown,
  importIntents,
  ledger,
  sentRequests,
  sentRequest,
  noteRun,
  sentRuns,
  sentElements,
  standing,
  waitingOnService,
  reviewsAsked,
  campaignsToVisit,
  openReviews,
  knownIds,
  reviewedCampaigns,
  closeAgreed,
  itemsToConfirm,
  noteItems,
  itemProvenance,
  confirmKnown,
  noteRead,
  campaignRead,
  outdatedCampaigns,
  takeIn,
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
