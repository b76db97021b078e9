import { RESOLVE_MAX } from '../../../shared/api/limits.ts';
import { type ActionContext, runAction, runEdit } from '../../app/actions.ts';
import { plural } from '../../app/locale/numbers.ts';
import type { Client } from '../../app/transport/connection.ts';

const texts = {
  scheduled: 'The sync is scheduled. Adslate has to stay open.',
  staged: (n: number) => `${plural(n, 'value')} restored. Check the Changes tab, then sync.`,
} as const;

type Answer = Parameters<Client['sync']['answer']>[0]['answer'];
type Choice = Parameters<Client['sync']['resolve']>[0]['choices'][number];

/** What a plan was made of. */
type Wish = Pick<Parameters<Client['sync']['run']>[0], 'submit' | 'chosen' | 'campaignIds' | 'cancelReviews'>;

interface ScheduleOptions extends Wish {
  readonly shownPlan: string;
  /** Milliseconds since 1970. */
  readonly deadline: number | null;
  readonly after: number;
  readonly healthyMinutes: number;
}

/** Actions of the sync dialogs and of the lists of their results. */
export function syncDialogActions(context: ActionContext) {
  const { client } = context.connection;
  const done = async <T>(call: (workspaceId: string) => Promise<T>): Promise<boolean> =>
    (await runAction(context, call)) !== null;
  return {
    /** @returns the ID of the run; null if none started or the plan has changed, which a message explains */
    startSync: async (shownPlan: string, wish: Wish, deadline: number | null) => {
      const options = { ...wish, deadline, resumes: true, shownPlan };
      const run = await runAction(context, (workspaceId) => client.sync.run({ workspaceId, ...options }));
      return run?.runId ?? null;
    },
    /** Sends the plan shown, or nothing. @returns as `startSync` */
    runPlan: async (planId: string) =>
      (await runAction(context, (workspaceId) => client.sync.run({ workspaceId, planId, resumes: true })))?.runId ??
      null,
    /** The plan shown, as a file; null if main no longer has it, which a message explains. */
    savePlan: (planId: string) => runAction(context, (workspaceId) => client.sync.savePlan({ workspaceId, planId })),
    /** Schedules the plan for when the service has been healthy for some minutes without a break. */
    scheduleSync: async (options: ScheduleOptions) => {
      const isScheduled = await done((workspaceId) => client.sync.schedule({ workspaceId, ...options, resumes: true }));
      if (isScheduled) context.toasts.tell(texts.scheduled);
      return isScheduled;
    },
    answer: (questionId: number, answer: Answer) =>
      done((workspaceId) => client.sync.answer({ workspaceId, questionId, answer })),
    resolve: (choices: readonly Choice[]) =>
      done(async (workspaceId) => {
        for (let from = 0; from < choices.length; from += RESOLVE_MAX)
          await client.sync.resolve({ workspaceId, choices: choices.slice(from, from + RESOLVE_MAX) });
      }),
    answerUploadHost: (host: string, allow: boolean) =>
      done((workspaceId) => client.uploadHosts.set({ workspaceId, host, allow })),
    forgetUploadHost: (host: string) => done((workspaceId) => client.uploadHosts.reset({ workspaceId, host })),
    stageRollback: async (runId: string) => {
      const staged = await runEdit(context, (workspaceId) => client.rollback.stage({ workspaceId, runId }));
      if (staged !== null) context.toasts.tell(texts.staged(staged.cells));
      return staged !== null;
    },
  };
}
