import { readFile } from 'node:fs/promises';
import { BODY_SHOWN_MAX } from '../../shared/api/limits.ts';
import { type PlanFile, type PlanHeader, printPlanFile, readPlanFile } from '../../shared/api/plan-file.ts';
import { type ConflictChoice, PLAN_TEXT_MAX } from '../../shared/api/sync.ts';
import { type FileRefusal, fileError, fileRefusal } from '../../shared/media/file-refusal.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { planText, writtenPlan } from '../../shared/plan/plan-text.ts';
import type { LeftOut } from '../../shared/plan/plan-types.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { isSyncConfirmed, type SyncSize } from '../app/confirm-large-sync.ts';
import { lowSpace } from '../app/system.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import type { ResponseLogFigures } from '../core/response-log.ts';
import { createUploadHosts } from '../files/upload/upload-url-check.ts';
import type { Workspace } from '../store/workspace.ts';
import type { RunOptions } from '../sync/context.ts';
import { listPending } from '../sync/pending.ts';
import type { PendingOptions } from '../sync/pending-sync.ts';
import type { ShownPlan } from '../sync/plan-preview.ts';
import { listedNotes, NO_NOTES } from '../sync/read.ts';
import { changesAfterReview } from '../sync/reviews.ts';
import { applyRollback, previewRollback, runView } from '../sync/rollback.ts';
import type { SyncService } from '../sync/service.ts';
import { readInTurnFailed, resolveGrant } from './failures.ts';
import type { MainOperations, RouterContext } from './router.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MB = 1024 * 1024;
const PLAN_TYPE = 'text/x-adslate-plan';

/** Operations on syncs, reviews, and the state of the service. */
export const syncOperations = (
  parts: RouterContext,
): Pick<
  MainOperations,
  'sync' | 'review' | 'afterReview' | 'rollback' | 'accountStatus' | 'pending' | 'campaignIds' | 'responses'
> => ({
  sync: { ...planOperations(parts), ...runOperations(parts), ...readOperations(parts) },
  review: {
    list: async ({ account }) => ok(await (await account.sync()).reviews.list()),
    poll: async ({ account }) => {
      const polled = await (await account.sync()).reviews.poll();
      return polled.ok ? polled : readInTurnFailed(polled.error);
    },
    submit: async ({ account }, { campaignIds }) => (await account.sync()).reviews.submit(campaignIds),
    cancel: async ({ account }, { campaignIds }) => (await account.sync()).reviews.cancel(campaignIds),
  },
  afterReview: {
    list: async ({ account }) => ok(await changesAfterReview(account)),
  },
  rollback: {
    runs: async ({ account: { workspace } }) => ok((await workspace.outbox.sentRuns()).map(runView)),
    preview: async ({ account }, { runId }) => {
      const preview = await previewRollback(account.workspace, runId, await offered(account));
      return preview === null ? noSync() : ok(preview);
    },
    stage: async ({ account }, input) => {
      const runId = await account.runningSync();
      if (runId !== null) return fail('SYNC_RUNNING', { runId });
      return applyRollback(account.workspace, input.runId, await offered(account));
    },
  },
  accountStatus: {
    get: async ({ account }) => {
      const lowSpaceBytes = await lowSpace(account.folder, parts.options.freeBytes);
      return ok({ ...(await (await account.sync()).status()), lowSpaceBytes });
    },
  },
  pending: {
    list: async ({ account: { workspace, profile, sync } }) => {
      const nowMs = (): number => parts.options.clock.nowMs();
      const hosts = createUploadHosts(workspace, nowMs);
      return ok(await listPending({ workspace, sync: await sync(), hosts, profile, nowMs }));
    },
  },
  campaignIds: {
    add: async ({ account }, { campaigns, source }) => (await account.sync()).addCampaigns(campaigns, source),
  },
  responses: {
    list: async ({ account: { responses } }, { from, count, words }) => ok(await responses.list(from, count, words)),
    ofRequest: async ({ account: { responses } }, { correlationId }) => {
      const found = await responses.of(correlationId);
      return ok(found.map((answer) => ({ ...answer, body: answer.body?.slice(0, BODY_SHOWN_MAX) ?? null })));
    },
    lastRead: async ({ account: { workspace, responses } }, { campaignId }) => {
      const { remoteId, at } = await workspace.outbox.lastRefreshOf({ campaignId });
      return ok({ at, answer: remoteId === null ? null : await responses.lastRead(remoteId) });
    },
    usage: async ({ account: { responses } }) => ok(keptOf(await responses.figures())),
    setLimit: async ({ account: { responses } }, { boundMb }) => ok(keptOf(await responses.setBound(boundMb * MB))),
  },
});

const keptOf = ({ boundBytes, ...figures }: ResponseLogFigures) => ({
  ...figures,
  boundMb: Math.round(boundBytes / MB),
});

const noSync = () => fail('NO_SYNC', {});
const noPlan = (planId: string) => fail('NO_PLAN', { planId });

/** The capabilities of the connection, read from an empty plan. */
async function offered(account: ActiveAccount) {
  const { capabilities } = await (await account.sync()).planned({ submit: false, campaignIds: [] });
  return capabilities;
}

type SyncOperations = MainOperations['sync'];

function planOperations({
  accounts,
  grants,
  exports,
}: RouterContext): Pick<SyncOperations, 'plan' | 'planBatches' | 'planLines' | 'savePlan' | 'openPlan'> {
  /** The account as named in a plan file. */
  const ownerOf = async (workspaceId: WorkspaceId): Promise<PlanOwner> => ownerIn(await accounts.list(), workspaceId);
  return {
    plan: async ({ account, task }, input) => ok(await (await account.sync()).plan(input, task?.tellShare)),
    planBatches: async ({ account }, input) => {
      const batches = (await account.sync()).planBatches(input.planId, input);
      return batches === null ? noPlan(input.planId) : ok({ batches });
    },
    planLines: async ({ account }, { planId, from, count, ...view }) => {
      const lines = await (await account.sync()).planLines(planId, view, from, count);
      return lines === null ? noPlan(planId) : ok(lines);
    },
    savePlan: async ({ account }, { workspaceId, planId }) => {
      const shown = (await account.sync()).shownPlan(planId);
      if (shown === null) return noPlan(planId);
      const text = await planFileText(await ownerOf(workspaceId), account.workspace, shown);
      return exports.save({ contentType: PLAN_TYPE, fileName: 'plan', workspaceId }, text, shown.plan.batches.length);
    },
    openPlan: async ({ account }, { workspaceId, grant }) => {
      const file = await resolveGrant(grants, grant);
      if (!file.ok) return file;
      const { path, fileName, bytes } = file.value;
      if (bytes > PLAN_TEXT_MAX) return fileError(fileName, fileRefusal('too-large', { bytes, limit: PLAN_TEXT_MAX }));
      const read = planIn(await readFile(path, 'utf8'), await ownerOf(workspaceId));
      if (!read.ok) return fileError(fileName, read.error);
      const { header, plan: written } = read.value;
      const { draftsOf, submit, campaignIds, chosen } = header;
      const beside = await (await account.sync()).planBeside(written, wishOf(header));
      const rows = chosen === null ? null : chosen.rows.reduce((sum, { ids }) => sum + ids.length, 0);
      return ok({ fileName, draftsOf, submit, campaigns: campaignIds?.length ?? null, rows, ...beside });
    },
  };
}

/** Operations on whole syncs: run, schedule, pause, resume. */
function runOperations({
  accounts,
  options,
}: RouterContext): Pick<SyncOperations, 'run' | 'schedule' | 'pause' | 'resume' | 'pending' | 'cancel' | 'report'> {
  /**
   * Adds what the user has confirmed outside the window; unchanged if the host does not confirm; null if the user
   * declined.
   */
  const agreed = async <T extends RunOptions & { readonly workspaceId: WorkspaceId }>(
    sync: Pick<SyncService, 'planToSend'>,
    input: T,
  ): Promise<(T & PendingOptions) | null> => {
    const { confirmLargeSync } = options;
    if (confirmLargeSync === undefined) return input;
    const name = (await accounts.list()).find((each) => each.workspaceId === input.workspaceId)?.name ?? '';
    const plan = () => sync.planToSend(input);
    const size: SyncSize | null = await isSyncConfirmed(plan, (asked) => confirmLargeSync(name, asked));
    return size === null ? null : { ...input, agreed: size };
  };
  return {
    run: async ({ account }, { planId, shownPlan, ...wished }) => {
      const sync = await account.sync();
      const changed = await changedSince(sync, shownPlan, wished);
      if (changed !== null) return changed;
      sync.keepSent(shownPlan ?? planId);
      const shown = planId === null ? null : sync.shownPlan(planId);
      if (planId !== null && shown === null) return noPlan(planId);
      const input =
        shown === null
          ? { ...wished, seenPlan: shownPlan }
          : { ...wished, ...shown.options, plan: planText(shown.plan) };
      const runOptions = await agreed(sync, input);
      if (runOptions === null) return fail('CANCELLED', {});
      const unsigned = (await account.team()) === null ? null : await onlyUnsigned(account, runOptions);
      return unsigned === null ? sync.run(runOptions) : fail('NEEDS_SIGN_OFF', unsigned);
    },
    schedule: async ({ account }, { shownPlan, ...input }) => {
      const sync = await account.sync();
      const changed = await changedSince(sync, shownPlan, input);
      if (changed !== null) return changed;
      const health = { after: input.after, healthyMs: input.healthyMinutes * MINUTE_MS };
      const runOptions = await agreed(sync, input);
      if (runOptions === null) return fail('CANCELLED', {});
      const given = await sync.schedule(runOptions, health);
      return given.ok ? ok({}) : given;
    },
    pause: async ({ account }) => ((await (await account.sync()).pauseSync()) ? ok({}) : noSync()),
    resume: async ({ account }) => (await (await account.sync()).resumeSync()) ?? noSync(),
    pending: async ({ account }) => ok(await (await account.sync()).pending()),
    cancel: async ({ account }) => ((await account.sync()).cancel() ? ok({}) : noSync()),
    report: async ({ account }) => ok((await account.sync()).report()),
  };
}

/** The failure if the plan that would be sent differs from the plan the user has seen; null if it does not. */
async function changedSince(sync: Pick<SyncService, 'changedSince'>, shownPlan: string | null, wished: RunOptions) {
  const changes = shownPlan === null ? 0 : await sync.changedSince(shownPlan, wished);
  return changes === 0 ? null : fail('PLAN_CHANGED', { changes: changes === 'outdated' ? null : changes });
}

/** The number of rows that need a sign-off if a sync would send nothing else; null if it would. */
async function onlyUnsigned(account: ActiveAccount, runOptions: RunOptions) {
  const { plan } = await (await account.sync()).planToSend(runOptions);
  const of = (reason: LeftOut['reason']): number => plan.leftOut.filter((left) => left.reason === reason).length;
  const [changedSince, needed] = [of('changed-since-sign-off'), of('needs-sign-off')];
  const isIdle = plan.batches.length === 0 && changedSince + needed > 0;
  return isIdle && (await account.workspace.outbox.live()).length === 0
    ? { rows: changedSince + needed, changedSince }
    : null;
}

/** Operations on reads of the service, unresolved requests and conflicts. */
function readOperations({
  options,
}: RouterContext): Pick<SyncOperations, 'outdated' | 'refresh' | 'questions' | 'answer' | 'conflicts' | 'resolve'> {
  const outdatedIn = ({ workspace }: ActiveAccount, hours: number) =>
    workspace.outbox.outdatedCampaigns({ readBefore: options.clock.nowMs() - hours * HOUR_MS });
  return {
    outdated: async ({ account }, { hours }) => {
      const { campaignIds, ...counts } = await outdatedIn(account, hours);
      return ok({ campaigns: campaignIds.length, ...counts });
    },
    refresh: async ({ account }, { campaignIds, outdatedAfterHours: hours }) => {
      const outdated = hours === null ? null : await outdatedIn(account, hours);
      if (outdated !== null && outdated.campaignIds.length === 0) {
        const { revision } = await account.workspace.summary();
        return ok({ revision, ...listedNotes(NO_NOTES) });
      }
      // A read of all campaigns is a refresh of the account, and is recorded as one.
      const isAll = outdated !== null && outdated.campaignIds.length === outdated.all;
      const refreshed = await (await account.sync()).refresh(isAll ? null : (outdated?.campaignIds ?? campaignIds));
      return refreshed.ok ? refreshed : readInTurnFailed(refreshed.error);
    },
    questions: async ({ account }) => ok(await (await account.sync()).questions()),
    answer: async ({ account }, { questionId, answer }) => (await account.sync()).answer(questionId, answer),
    conflicts: async ({ account }) => {
      const open = await (await account.sync()).conflicts();
      for (let from = 0, more = 1; more > 0; from += CONFLICTS_READ) {
        const colleagues = await account.workspace.teamConflicts(from, CONFLICTS_READ);
        open.push(...colleagues);
        more = colleagues.length;
      }
      return ok(open);
    },
    resolve: async ({ account }, { choices }) => {
      const others = choices.filter(({ against }) => against === undefined);
      const settled = (await pickedOfTeam(account, choices)) + (await (await account.sync()).resolve(others));
      const [first] = choices;
      if (settled === 0 && first !== undefined) return fail('NO_ROW', first.ref);
      return ok({ revision: (await account.workspace.summary()).revision, settled });
    },
  };
}

/** Conflicts that are read at once, so that other reads do not wait long. */
const CONFLICTS_READ = 1000;

/** Resolves conflicts with colleagues. @returns the number of choices whose conflict was still open */
async function pickedOfTeam({ workspace }: ActiveAccount, choices: readonly ConflictChoice[]): Promise<number> {
  let settled = 0;
  for (const { ref, field, take, against } of choices) {
    if (against === 'team' && (await workspace.teamPick(ref, field, take, null))) settled += 1;
  }
  return settled;
}

/** The account of a plan file, as in the list of accounts. */
export interface PlanOwner {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly advertiserId: string;
}

export const ownerIn = (accounts: readonly PlanOwner[], workspaceId: WorkspaceId): PlanOwner =>
  accounts.find((each) => each.workspaceId === workspaceId) ?? { workspaceId, name: '', advertiserId: '' };

/** A plan with its options as the text of a file; window and command line use the same format. */
export async function planFileText(
  owner: PlanOwner,
  workspace: Pick<Workspace, 'history'>,
  { plan, options }: ShownPlan,
): Promise<string> {
  const [newest] = (await workspace.history(0, 1)).steps;
  const header: PlanHeader = {
    account: owner.name,
    workspaceId: owner.workspaceId,
    advertiserId: owner.advertiserId,
    draftsOf: newest === undefined ? null : new Date(newest.at).toISOString(),
    submit: options.submit,
    cancelReviews: options.cancelReviews ?? false,
    campaignIds: options.campaignIds === null ? null : [...options.campaignIds],
    chosen: chosenOf(options),
  };
  return printPlanFile(header, writtenPlan(plan));
}

const chosenOf = ({ chosen }: RunOptions): PlanHeader['chosen'] =>
  chosen == null
    ? null
    : {
        rows: chosen.rows.map(({ kind, ids }) => ({ kind, ids: [...ids] })),
        below: chosen.below,
        ...(chosen.picks === undefined ? {} : { picks: [...chosen.picks] }),
      };

/** Parses a plan file; fails if it is not a plan of this account. */
export function planIn(text: string, owner: PlanOwner): Result<PlanFile, FileRefusal> {
  const read = readPlanFile(text);
  if (!read.ok) {
    const { kind, ...params } = read.error;
    return err(fileRefusal(kind, params));
  }
  const { account, workspaceId, advertiserId } = read.value.header;
  if (workspaceId === owner.workspaceId) return ok(read.value);
  const facts = { account, advertiser: advertiserId, here: owner.name, advertiserHere: owner.advertiserId };
  return err(fileRefusal('other-accounts-plan', facts));
}

/** The options with which the file's plan was made. */
const wishOf = ({ submit, cancelReviews, campaignIds, chosen }: PlanHeader): RunOptions => ({
  submit,
  cancelReviews,
  campaignIds,
  chosen,
});
