import type { ExportedFile } from '../../shared/contract/exported-file.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { ChosenRows } from '../../shared/contract/sync.ts';
import { fileRefusalText } from '../../shared/media/file-refusal.ts';
import { en } from '../messages/en.ts';
import { enLaunch } from '../messages/en-launch.ts';
import { enPendingSync } from '../messages/en-pending-sync.ts';
import type { Client } from '../transport/connection.ts';
import { isRefused } from '../transport/files.ts';
import { runAction, type ActionContext } from './doing.ts';

type Answer = Parameters<Client['sync']['answer']>[0]['answer'];
type Choice = Parameters<Client['sync']['resolve']>[0]['choices'][number];

interface ScheduleWish {
  readonly submit: boolean;
  readonly chosen: ChosenRows | null;
  /** Milliseconds since 1970. */
  readonly deadline: number | null;
  readonly after: number;
  readonly healthyMinutes: number;
}

/** Everything that talks to the service. Progress and results come by events. */
export interface SyncActions {
  /** @returns the run that has begun; null when none could, which was said */
  startSync(submit: boolean, chosen: ChosenRows | null, deadline: number | null): Promise<string | null>;
  /** Sends the plan that was shown, or nothing. @returns the run that has begun, as `startSync` does */
  runPlan(planId: string): Promise<string | null>;
  /** The plan that was shown as a file; null when there is none by now, which was said. */
  savePlan(planId: string): Promise<ExportedFile | null>;
  /** Hands a plan file to main. @returns its grant; null when it could not be handed over, which was said */
  grantPlan(file: File): Promise<string | null>;
  /** Sends the plan once the service has responded for some minutes without a break. */
  scheduleSync(wish: ScheduleWish): Promise<boolean>;
  pauseSync(): Promise<boolean>;
  /** Goes on now with the sync that is paused or waits. */
  resumeSync(): Promise<boolean>;
  /** Stops what runs, or drops what is pending. */
  stopSync(): Promise<boolean>;
  refreshAll(): Promise<boolean>;
  /** Reads these campaigns alone, with all that hangs from them. */
  refreshCampaigns(campaignIds: readonly RowRef['id'][]): Promise<boolean>;
  /** Reads the campaigns that may be out of date: those not read for so many hours, and those that are always read. */
  refreshOutdated(hours: number, campaigns: number): Promise<boolean>;
  pollReviews(): Promise<boolean>;
  review(what: 'submit' | 'cancel', campaignIds: readonly number[]): Promise<boolean>;
  /** Sends what was mended in these campaigns and asks again for those; tells the user when nothing was. */
  reviewAgain(campaignIds: readonly RowRef['id'][]): Promise<boolean>;
  /** Sends and submits what was kept for after a review that is over. */
  submitKept(campaignId: RowRef['id']): Promise<boolean>;
  /** Cancels a review, sends what waits for its end, and asks for the review anew. */
  restartReview(campaignId: RowRef['id']): Promise<boolean>;
  answer(questionId: number, answer: Answer): Promise<boolean>;
  resolve(choices: readonly Choice[]): Promise<boolean>;
  movePracticeClock(duration: string): Promise<string | null>;
  decideReview(reviewId: string, verdict: 'approved' | 'rejected'): Promise<boolean>;
}

export function syncActions(doing: ActionContext): SyncActions {
  const { client } = doing.connection;
  const done = async <T>(call: (workspaceId: string) => Promise<T>): Promise<boolean> =>
    (await runAction(doing, call)) !== null;
  const practiceChanged = (): void => {
    const { workspaceId } = doing.store.getState();
    doing.queries.refetch(`practice ${workspaceId}`);
    doing.queries.refetch(`reviews ${workspaceId}`);
  };
  return {
    startSync: async (submit, chosen, deadline) => {
      const wish = { submit, chosen, deadline, resumes: true };
      const run = await runAction(doing, (workspaceId) => client.sync.run({ workspaceId, ...wish }));
      return run?.runId ?? null;
    },
    runPlan: async (planId) =>
      (await runAction(doing, (workspaceId) => client.sync.run({ workspaceId, planId, resumes: true })))?.runId ?? null,
    savePlan: (planId) => runAction(doing, (workspaceId) => client.sync.savePlan({ workspaceId, planId })),
    grantPlan: async (file) => {
      const granted = await doing.connection.files.grant(file);
      if (!isRefused(granted)) return granted.grant;
      doing.notes.fail(fileRefusalText(file.name, granted.error, {}));
      return null;
    },
    scheduleSync: async (wish) => {
      const isScheduled = await done((workspaceId) => client.sync.schedule({ workspaceId, ...wish, resumes: true }));
      if (isScheduled) doing.notes.tell(enPendingSync.scheduled);
      return isScheduled;
    },
    pauseSync: () => done((workspaceId) => client.sync.pause({ workspaceId })),
    resumeSync: () => done((workspaceId) => client.sync.resume({ workspaceId })),
    stopSync: () => done((workspaceId) => client.sync.cancel({ workspaceId })),
    refreshAll: async () => {
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId }));
      if (refreshed) doing.notes.tell(en.sync.refreshed);
      return refreshed;
    },
    refreshCampaigns: async (campaignIds) => {
      const some = { campaignIds: [...campaignIds] };
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId, ...some }));
      if (refreshed) doing.notes.tell(en.sync.refreshedSome(campaignIds.length));
      return refreshed;
    },
    refreshOutdated: async (hours, campaigns) => {
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId, outdatedAfterHours: hours }));
      if (refreshed) doing.notes.tell(en.sync.refreshedSome(campaigns));
      return refreshed;
    },
    pollReviews: () => done((workspaceId) => client.review.poll({ workspaceId })),
    review: (what, campaignIds) =>
      done((workspaceId) => client.review[what]({ workspaceId, campaignIds: [...campaignIds] })),
    reviewAgain: async (rejected) => {
      const campaignIds = [...rejected];
      const plan = await runAction(doing, (workspaceId) => client.sync.plan({ workspaceId, submit: true, campaignIds }));
      if (plan === null) return false;
      if (plan.reviews > 0) return done((workspaceId) => client.review.submit({ workspaceId, campaignIds }));
      doing.notes.tell(enLaunch.reviews.unchanged);
      return false;
    },
    submitKept: (campaignId) =>
      done((workspaceId) => client.sync.run({ workspaceId, submit: true, campaignIds: [campaignId], resumes: true })),
    restartReview: (campaignId) =>
      done((workspaceId) =>
        client.sync.run({ workspaceId, submit: true, campaignIds: [campaignId], cancelReviews: true, resumes: true }),
      ),
    answer: (questionId, answer) => done((workspaceId) => client.sync.answer({ workspaceId, questionId, answer })),
    resolve: (choices) => done((workspaceId) => client.sync.resolve({ workspaceId, choices: [...choices] })),
    // The practice service has moved on, so what is here is read anew at once.
    movePracticeClock: async (duration) => {
      const state = await runAction(doing, (workspaceId) => client.practice.advance({ workspaceId, duration }));
      practiceChanged();
      if (state !== null) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return state?.now ?? null;
    },
    decideReview: async (reviewId, verdict) => {
      const decided = await done((workspaceId) => client.practice.decide({ workspaceId, reviewId, verdict }));
      practiceChanged();
      if (decided) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return decided;
    },
  };
}
