import type { ExportedFile } from '../../../shared/api/files.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { ChosenRows } from '../../../shared/api/sync.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { type ActionContext, runAction } from '../../app/actions/action-context.ts';
import { plural } from '../../app/locale/numbers.ts';
import { type Client, isRefused } from '../../app/transport/connection.ts';

const texts = {
  scheduled: 'The sync is scheduled. Adslate has to stay open.',
  staged: (n: number) => `${plural(n, 'value')} restored. Check the Changes tab, then sync.`,
} as const;

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

/** What is begun and answered in the dialogs of a sync and in the list of what it has left. */
interface SyncDialogActions {
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
  /** Sends and submits what was kept for after a review that is over. */
  submitKept(campaignId: RowRef['id']): Promise<boolean>;
  /** Cancels a review, sends what waits for its end, and asks for the review anew. */
  restartReview(campaignId: RowRef['id']): Promise<boolean>;
  answer(questionId: number, answer: Answer): Promise<boolean>;
  resolve(choices: readonly Choice[]): Promise<boolean>;
  answerUploadHost(host: string, allow: boolean): Promise<boolean>;
  forgetUploadHost(host: string): Promise<boolean>;
  stageTakeBack(runId: string): Promise<boolean>;
}

export function syncDialogActions(doing: ActionContext): SyncDialogActions {
  const { client } = doing.connection;
  const done = async <T>(call: (workspaceId: string) => Promise<T>): Promise<boolean> =>
    (await runAction(doing, call)) !== null;
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
      if (isScheduled) doing.notes.tell(texts.scheduled);
      return isScheduled;
    },
    submitKept: (campaignId) =>
      done((workspaceId) => client.sync.run({ workspaceId, submit: true, campaignIds: [campaignId], resumes: true })),
    restartReview: (campaignId) =>
      done((workspaceId) =>
        client.sync.run({ workspaceId, submit: true, campaignIds: [campaignId], cancelReviews: true, resumes: true }),
      ),
    answer: (questionId, answer) => done((workspaceId) => client.sync.answer({ workspaceId, questionId, answer })),
    resolve: (choices) => done((workspaceId) => client.sync.resolve({ workspaceId, choices: [...choices] })),
    answerUploadHost: async (host, allow) =>
      (await runAction(doing, (workspaceId) => client.uploadHosts.set({ workspaceId, host, allow }))) !== null,
    forgetUploadHost: async (host) =>
      (await runAction(doing, (workspaceId) => client.uploadHosts.reset({ workspaceId, host }))) !== null,
    stageTakeBack: async (runId) => {
      const staged = await doing.inOrder(() =>
        runAction(doing, (workspaceId) => client.rollback.stage({ workspaceId, runId })),
      );
      if (staged !== null) doing.notes.tell(texts.staged(staged.cells));
      return staged !== null;
    },
  };
}
