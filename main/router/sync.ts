import { unreachable } from '../../shared/result.ts';
import type { ReadFailure } from '../api/outcome.ts';
import { maySend } from '../ask-to-send.ts';
import type { RunProblem } from '../sync/port.ts';
import { type NotWritableError, notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

const HOUR_MS = 3_600_000;

export const syncRouter = ({ open, accounts, options }: CoreParts) => ({
  plan: os.sync.plan.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    return sync.plan(input);
  }),
  planBatches: os.sync.planBatches.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    const batches = sync.planBatches(input.planId, input);
    if (batches === null) throw errors.NO_PLAN({ data: { planId: input.planId } });
    return { batches: [...batches] };
  }),
  run: os.sync.run.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    if (await accounts.isReadOnly(input.workspaceId)) throw readOnly(errors.NOT_WRITABLE);
    const sync = await account.sync();
    const { askToSendMany } = options;
    if (askToSendMany !== undefined) {
      const name = (await accounts.list()).find((each) => each.workspaceId === input.workspaceId)?.name ?? '';
      if (
        !(await maySend(
          () => sync.planned(input),
          (size) => askToSendMany(name, size),
        ))
      )
        throw errors.CANCELLED({ data: {} });
    }
    const started = await sync.run(input);
    return started.ok ? started.value : refuseRun(started.error, await runIdOf(account), errors);
  }),
  cancel: os.sync.cancel.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    if (!sync.cancel()) throw errors.NO_SYNC({ data: {} });
    return {};
  }),
  report: os.sync.report.handler(async ({ input, errors }) =>
    (await (await opened(open, input.workspaceId, errors)).sync()).report(),
  ),
  outdated: os.sync.outdated.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const readBefore = hoursBefore(options.clock.nowMs(), input.hours);
    const { campaignIds, ...counts } = await workspace.outbox.outdatedCampaigns({ readBefore });
    return { campaigns: campaignIds.length, ...counts };
  }),
  refresh: os.sync.refresh.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const { workspace } = account;
    const hours = input.outdatedAfterHours;
    const outdated =
      hours === null
        ? null
        : await workspace.outbox.outdatedCampaigns({ readBefore: hoursBefore(options.clock.nowMs(), hours) });
    if (outdated !== null && outdated.campaignIds.length === 0) {
      return { revision: (await workspace.summary()).revision };
    }
    // All of them is a refresh of the account, and counts as one.
    const isAll = outdated !== null && outdated.campaignIds.length === outdated.all;
    const refreshed = await (await account.sync()).refresh(isAll ? null : (outdated?.campaignIds ?? input.campaignIds));
    if (refreshed.ok) return refreshed.value;
    if (refreshed.error.kind === 'sync-running') {
      throw errors.SYNC_RUNNING({ data: { runId: await runIdOf(account) } });
    }
    throw readProblem(refreshed.error, errors);
  }),
  questions: os.sync.questions.handler(async ({ input, errors }) =>
    (await (await opened(open, input.workspaceId, errors)).sync()).questions(),
  ),
  answer: os.sync.answer.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    const answered = await sync.answer(input.questionId, input.answer);
    if (answered.ok) return answered.value;
    if (answered.error.kind === 'no-question') throw errors.NO_QUESTION({ data: { questionId: input.questionId } });
    const { reason, waitMs } = answered.error;
    throw errors.BAD_ANSWER({ data: { reason, waitMs } });
  }),
  conflicts: os.sync.conflicts.handler(async ({ input, errors }) =>
    (await (await opened(open, input.workspaceId, errors)).sync()).conflicts(),
  ),
  resolve: os.sync.resolve.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    const resolved = await sync.resolve(input.choices);
    if (!resolved.ok) throw errors.NO_ROW({ data: resolved.error });
    return resolved.value;
  }),
});

export const reviewRouter = ({ open, accounts }: CoreParts) => ({
  list: os.review.list.handler(async ({ input, errors }) =>
    (await (await opened(open, input.workspaceId, errors)).sync()).reviews.list(),
  ),
  poll: os.review.poll.handler(async ({ input, errors }) => {
    const polled = await (await (await opened(open, input.workspaceId, errors)).sync()).reviews.poll();
    if (!polled.ok) throw readProblem(polled.error, errors);
    return polled.value;
  }),
  submit: os.review.submit.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    if (await accounts.isReadOnly(input.workspaceId)) throw readOnly(errors.NOT_WRITABLE);
    const started = await (await account.sync()).reviews.submit(input.campaignIds);
    return started.ok ? started.value : refuseRun(started.error, await runIdOf(account), errors);
  }),
  cancel: os.review.cancel.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    if (await accounts.isReadOnly(input.workspaceId)) throw readOnly(errors.NOT_WRITABLE);
    const started = await (await account.sync()).reviews.cancel(input.campaignIds);
    return started.ok ? started.value : refuseRun(started.error, await runIdOf(account), errors);
  }),
});

const hoursBefore = (nowMs: number, hours: number): number => nowMs - hours * HOUR_MS;

interface ReadErrors {
  readonly UNREACHABLE: (facts: { data: { detail: string } }) => Error;
  readonly BAD_CREDENTIALS: (facts: { data: { step: 'access'; detail: string } }) => Error;
}

/** A read that failed: the credentials, or the service in one way or another. */
export function readProblem(failure: ReadFailure, errors: ReadErrors): Error {
  if (failure.kind === 'credentials')
    return errors.BAD_CREDENTIALS({ data: { step: 'access', detail: failure.message } });
  const detail = failure.kind === 'unreachable' ? failure.cause : failure.message;
  return errors.UNREACHABLE({ data: { detail } });
}

interface RunErrors {
  readonly SYNC_RUNNING: (facts: { data: { runId: string } }) => Error;
  readonly NOT_WRITABLE: NotWritableError;
}

function refuseRun(problem: RunProblem, runId: string, errors: RunErrors): never {
  switch (problem.kind) {
    case 'sync-running':
      throw errors.SYNC_RUNNING({ data: { runId } });
    case 'not-writable':
      throw notWritable(problem, errors.NOT_WRITABLE);
    default:
      return unreachable(problem);
  }
}

const readOnly = (make: NotWritableError): Error =>
  make({ data: { why: 'read-only', detail: 'this account is set to read only' } });

export async function runIdOf(account: {
  sync(): Promise<{ report(): { readonly runId: string } | null }>;
}): Promise<string> {
  return (await account.sync()).report()?.runId ?? '';
}
