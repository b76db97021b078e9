import { readFile, writeFile } from 'node:fs/promises';
import { PLAN_TEXT_MAX } from '../../shared/contract/plan-changes.ts';
import { fileRefusal } from '../../shared/media/file-refusal.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { AccountService } from '../accounts/account-service.ts';
import type { ReadFailure } from '../api/outcome.ts';
import { ownerIn, type PlanOwner, planFileText, planIn, wishOf } from '../plan-files.ts';
import { badFile, granted } from './granted.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { pendingSyncHandlers, readOnly, refuseRun, runIdOf } from './pending-sync.ts';

const HOUR_MS = 3_600_000;
const PLAN_TYPE = 'text/x-adslate-plan';

/** The account as a plan file names it. */
const ownerOf = async (accounts: Pick<AccountService, 'list'>, workspaceId: WorkspaceId): Promise<PlanOwner> =>
  ownerIn(await accounts.list(), workspaceId);

export const syncRouter = ({ open, accounts, options, grants, exports, ...parts }: CoreParts) => ({
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
  savePlan: os.sync.savePlan.handler(async ({ input, errors }) => {
    const { workspaceId, planId } = input;
    const account = await opened(open, workspaceId, errors);
    const shown = (await account.sync()).shownPlan(planId);
    if (shown === null) throw errors.NO_PLAN({ data: { planId } });
    const text = await planFileText(await ownerOf(accounts, workspaceId), account.workspace, shown);
    return exports.write(async (path) => {
      await writeFile(path, text, { mode: 0o600 });
      return exports.offer({ path, contentType: PLAN_TYPE, fileName: 'plan', workspaceId }, shown.plan.batches.length);
    });
  }),
  openPlan: os.sync.openPlan.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const { path, fileName, bytes } = await granted(grants, input.grant, errors);
    if (bytes > PLAN_TEXT_MAX) {
      throw badFile(fileName, fileRefusal('too-large', { bytes, limit: PLAN_TEXT_MAX }), errors.BAD_FILE);
    }
    const read = planIn(await readFile(path, 'utf8'), await ownerOf(accounts, input.workspaceId));
    if (!read.ok) throw badFile(fileName, read.error, errors.BAD_FILE);
    const { header, plan: written } = read.value;
    const { draftsOf, submit, campaignIds, chosen } = header;
    const beside = await (await account.sync()).planBeside(written, wishOf(header));
    const rows = chosen === null ? null : chosen.rows.reduce((sum, { ids }) => sum + ids.length, 0);
    return { fileName, draftsOf, submit, campaigns: campaignIds?.length ?? null, rows, ...beside };
  }),
  ...pendingSyncHandlers({ open, accounts, options, grants, exports, ...parts }),
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
      return { revision: (await workspace.summary()).revision, gone: [], unreadable: [], notRead: [] };
    }
    // All of them is a refresh of the account, and counts as one.
    const isAll = outdated !== null && outdated.campaignIds.length === outdated.all;
    const refreshed = await (await account.sync()).refresh(isAll ? null : (outdated?.campaignIds ?? input.campaignIds));
    if (refreshed.ok) {
      const { revision, gone, unreadable, notRead } = refreshed.value;
      return { revision, gone: [...gone], unreadable: [...unreadable], notRead: [...notRead] };
    }
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
  readonly SERVICE_ANSWERED: (facts: {
    data: { status: number; call: string; detail: string; retryAt: number | null };
  }) => Error;
  readonly BAD_CREDENTIALS: (facts: { data: { step: 'access'; detail: string } }) => Error;
}

/** A read that failed: the credentials, or the service in one way or another. */
export function readProblem(failure: ReadFailure, errors: ReadErrors): Error {
  if (failure.kind === 'credentials')
    return errors.BAD_CREDENTIALS({ data: { step: 'access', detail: failure.message } });
  if (failure.kind === 'unreachable') return errors.UNREACHABLE({ data: { detail: failure.cause } });
  const status = failure.kind === 'later' ? 429 : (failure.status ?? 0);
  const retryAt = 'retryAt' in failure ? (failure.retryAt ?? null) : null;
  // Without a status nothing was answered: the connection itself was not safe, or what stopped it lies here.
  if (status === 0) return errors.UNREACHABLE({ data: { detail: failure.message } });
  return errors.SERVICE_ANSWERED({ data: { status, call: failure.call ?? '', detail: failure.message, retryAt } });
}
