import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import { unreachable } from '../../shared/result.ts';
import { maySend, type SendSize } from '../ask-to-send.ts';
import type { RunOptions, RunProblem } from '../sync/context.ts';
import type { PendingOptions } from '../sync/pending-sync.ts';
import type { SyncService } from '../sync/service.ts';
import { type NotWritableError, notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

const MINUTE_MS = 60_000;

/** Syncs as a whole: begun now or later, paused, resumed. */
export function pendingSyncHandlers({ open, accounts, options }: CoreParts) {
  /** What the user has agreed to outside the window, and nothing where no host asks. */
  const agreed = async <T extends RunOptions & { readonly workspaceId: WorkspaceId }>(
    sync: Pick<SyncService, 'planToSend'>,
    input: T,
    errors: RunErrors,
  ): Promise<T & PendingOptions> => {
    if (await accounts.isReadOnly(input.workspaceId)) throw readOnly(errors.NOT_WRITABLE);
    const { askToSendMany } = options;
    if (askToSendMany === undefined) return input;
    const name = (await accounts.list()).find((each) => each.workspaceId === input.workspaceId)?.name ?? '';
    const plan = () => sync.planToSend(input);
    const size: SendSize | null = await maySend(plan, (asked) => askToSendMany(name, asked));
    if (size === null) throw errors.CANCELLED({ data: {} });
    return { ...input, agreed: size };
  };
  return {
    run: os.sync.run.handler(async ({ input: { planId, ...wished }, errors }) => {
      const account = await opened(open, wished.workspaceId, errors);
      const sync = await account.sync();
      const shown = planId === null ? null : sync.shownPlan(planId);
      if (planId !== null && shown === null) throw errors.NO_PLAN({ data: { planId } });
      const input = shown === null ? wished : { ...wished, ...shown.options, plan: planText(shown.plan) };
      const started = await sync.run(await agreed(sync, input, errors));
      return started.ok ? started.value : refuseRun(started.error, await runIdOf(account), errors);
    }),
    schedule: os.sync.schedule.handler(async ({ input, errors }) => {
      const account = await opened(open, input.workspaceId, errors);
      const sync = await account.sync();
      const health = { after: input.after, healthyMs: input.healthyMinutes * MINUTE_MS };
      const given = await sync.schedule(await agreed(sync, input, errors), health);
      return given.ok ? {} : refuseRun(given.error, await runIdOf(account), errors);
    }),
    pause: os.sync.pause.handler(async ({ input, errors }) => {
      const sync = await (await opened(open, input.workspaceId, errors)).sync();
      if (!(await sync.pauseSync())) throw errors.NO_SYNC({ data: {} });
      return {};
    }),
    resume: os.sync.resume.handler(async ({ input, errors }) => {
      const account = await opened(open, input.workspaceId, errors);
      const started = await (await account.sync()).resumeSync();
      if (started === null) throw errors.NO_SYNC({ data: {} });
      return started.ok ? started.value : refuseRun(started.error, await runIdOf(account), errors);
    }),
    pending: os.sync.pending.handler(async ({ input, errors }) =>
      (await (await opened(open, input.workspaceId, errors)).sync()).pending(),
    ),
  };
}

interface RunErrors {
  readonly CANCELLED: (facts: { data: Record<string, never> }) => Error;
  readonly SYNC_RUNNING: (facts: { data: { runId: string } }) => Error;
  readonly NOT_WRITABLE: NotWritableError;
}

export function refuseRun(problem: RunProblem, runId: string, errors: RunErrors): never {
  switch (problem.kind) {
    case 'not-agreed':
      throw errors.CANCELLED({ data: {} });
    case 'sync-running':
      throw errors.SYNC_RUNNING({ data: { runId } });
    case 'not-writable':
      throw notWritable(problem, errors.NOT_WRITABLE);
    default:
      return unreachable(problem);
  }
}

export const readOnly = (make: NotWritableError): Error =>
  make({ data: { why: 'read-only-account', detail: 'this account is set to read only' } });

export async function runIdOf(account: {
  sync(): Promise<{ report(): { readonly runId: string } | null }>;
}): Promise<string> {
  return (await account.sync()).report()?.runId ?? '';
}
