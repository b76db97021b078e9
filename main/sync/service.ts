import type { AccountStatus } from '../../shared/api/accounts.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import type { CampaignToAdd, TakenIn } from '../../shared/api/campaigns.ts';
import type { Failure } from '../../shared/api/operation.ts';
import type { ReadNotes } from '../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { ItemCheckResult } from '../../shared/model/item-check.ts';
import type { RemoteIdSource } from '../../shared/model/kinds.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { Row } from '../../shared/model/row.ts';
import type { RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import type { Capabilities } from '../../shared/plan/plan-types.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { FoundItem } from '../api/item-search.ts';
import { LOGO_FIELDS } from '../api/media.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import { runInSlices } from '../app/long-task.ts';
import { createFileUploader, type UploadNetwork } from '../files/upload/upload-file.ts';
import { addressRule, createUploadHosts } from '../files/upload/upload-url-check.ts';
import type { Workspace } from '../store/workspace.ts';
import { addCampaignsById } from './add-campaigns.ts';
import { createUserDecisions, POLICY_KEY } from './conflicts.ts';
import {
  createContext,
  type RunOptions,
  type RunProblem,
  type StopReason,
  type SyncContext,
  syncRuns,
} from './context.ts';
import { openJournal, recoverFromJournal } from './journal.ts';
import type { Work } from './parallel.ts';
import { changesOf, createPlanLines, type LineView, type PlanLines, plannedChanges } from './plan-lines.ts';
import { createPlanPreview } from './plan-preview.ts';
import { checkInBackground, nextPollMinutes, startPollScheduler } from './poll-scheduler.ts';
import { type NoTurn, type Outbox, type Ports, type TakeTurn, type Turn, takeOutbox } from './ports.ts';
import { listedNotes, NO_NOTES } from './read.ts';
import { refresh } from './refresh.ts';
import { keepsSilent, readLimit } from './retry.ts';
import { reviewsIn } from './reviews.ts';
import { cancelReviews, pollReviews, probe, restartReviews, runSync } from './run.ts';
import { createRunQueue, type RunSignals } from './run-queue.ts';
import { LOGO_FIELD_KEY } from './send.ts';

/** Dependencies of a sync service. There is one per open workspace. */
interface SyncDeps {
  readonly workspaceId: WorkspaceId;
  readonly workspace: Workspace;
  readonly api: PartnerApi;
  readonly profile: DeploymentSettings;
  /** Which calls beyond the document may be used; read before each run. */
  readonly capabilities: () => Promise<Capabilities>;
  readonly clock: Clock;
  /** Path of `sync.journal`, next to the database. */
  readonly journalFile: string;
  /** Path of the file of a media row. */
  readonly mediaFile: (row: Row<'media'>) => string | Promise<string>;
  /** Network access for uploads; the system's network by default. */
  readonly uploadNetwork?: UploadNetwork;
  /** Today in the business zone by the service's calendar; a practice account's clock may be weeks ahead. */
  readonly today?: () => Promise<string>;
  /** While the computer sleeps, nothing is polled. */
  readonly sleepState?: SleepState | undefined;
  /** Delivers progress and notices. */
  readonly emit: (event: AppEvent) => void;
  /** At least 0 and less than 1; for jitter and names. */
  readonly random?: () => number;
  /** For a shared account: how this computer takes its turn, once it owns its outbox. */
  readonly turns?: ((outbox: Outbox) => TakeTurn) | undefined;
  /** For a team: what colleagues have signed off. */
  readonly signOffs?: Ports['signOffs'];
}

export type SyncService = Awaited<ReturnType<typeof createSyncService>>;

/** A plain timer instead of the clock: no order of events depends on it, and it does not keep the process alive. */
export function startTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Maximum number of requests in progress, each for another campaign. */
const REQUESTS_MAX = 4;

/** Rows of a run up to which its list is kept even if no window displayed it. */
const KEPT_LINES_MAX = 20_000;

/**
 * Creates the sync service of one workspace and takes over the outbox: requests that an earlier process was sending
 * become unconfirmed, and requests that only the side journal has are restored.
 */
export async function createSyncService(deps: SyncDeps) {
  const { workspace, api, clock, profile, capabilities } = deps;
  const random = deps.random ?? Math.random;
  const outbox = await takeOutbox(workspace.outbox);
  await recoverFromJournal(deps.journalFile, outbox);
  const journal = await openJournal(deps.journalFile);
  const closing = new AbortController();

  const hosts = createUploadHosts(workspace, () => clock.nowMs());
  const rule = addressRule(api.connection.baseUrl, profile.upload.hosts);
  const today = deps.today ?? (async () => dateInZone(clock.nowMs(), profile.business.zone));

  const { advertiserId } = api.connection;
  const preview = createPlanPreview({
    workspace,
    profile,
    advertiserId,
    capabilities,
    today,
    runInSlices,
    signOffs: deps.signOffs,
  });

  const portsFor = ({ over, cut, yields }: RunSignals, deadline: number | null, turn: Turn | null): Ports => {
    const leftMs = (): number => (deadline === null ? Number.POSITIVE_INFINITY : Math.max(0, deadline - clock.nowMs()));
    const wakes = yields === undefined ? over : AbortSignal.any([over, yields]);
    const ends = { cut, isLate: () => leftMs() === 0 };
    return {
      workspace,
      outbox: turn?.outbox ?? outbox,
      lost: turn?.lost,
      api,
      journal,
      uploader: createFileUploader(rule, hosts, deps.mediaFile, ends, deps.uploadNetwork),
      clock: {
        nowMs: () => clock.nowMs(),
        monotonicMs: () => clock.monotonicMs(),
        // No wait extends past the deadline.
        sleep: (delayMs) => clock.sleep(Math.min(delayMs, leftMs()), wakes),
      },
      today,
      random,
      unchangedPlan: preview.unchangedPlan,
      unseenRows: preview.unseenRows,
      runInSlices,
      emit: deps.emit,
      signOffs: deps.signOffs,
    };
  };

  const contextFor = async (
    runId: string,
    options: RunOptions,
    signals: RunSignals,
    turn: Turn | null,
  ): Promise<SyncContext> => {
    const spelling = await workspace.getMeta(LOGO_FIELD_KEY);
    const runOptions = {
      ...options,
      runId,
      workspaceId: deps.workspaceId,
      profile,
      capabilities: await capabilities(),
      advertiserId,
      conflictPolicy: await workspace.getMeta(POLICY_KEY),
      logoField: LOGO_FIELDS.find((field) => field === spelling) ?? LOGO_FIELDS[0],
      isCancelled: () => signals.over.aborted,
      isCut: () => signals.cut.aborted,
      mustYield: () => signals.yields?.aborted === true,
      requestsMax: REQUESTS_MAX,
      rateLimit: await readLimit(workspace, clock.nowMs()),
    };
    return createContext(runOptions, portsFor(signals, options.deadline ?? null, turn));
  };

  /** The last run, whose rows can be displayed during the run and after it. */
  let watched: { readonly runId: string; readonly ctx: SyncContext | null; readonly lines: PlanLines | null } | null =
    null;
  const watch =
    (work: Work): Work =>
    async (ctx) => {
      watched = { runId: ctx.options.runId, ctx, lines: null };
      try {
        await work(ctx);
      } finally {
        // A run that no window displayed, such as a resumed one, keeps its list too. A long list is dropped with its rows.
        if (ctx.state.results.counts().total <= KEPT_LINES_MAX) await linesOfRun(ctx.options.runId);
        if (watched.runId === ctx.options.runId) watched = { ...watched, ctx: null };
      }
    };
  const linesOfRun = async (runId: string): Promise<PlanLines | null> => {
    if (watched?.runId !== runId) return null;
    const { ctx, lines } = watched;
    if (lines !== null || ctx === null || ctx.state.planned === null) return lines;
    const { plan, trees } = ctx.state.planned;
    const list = await runInSlices(plannedChanges(plan, trees));
    const { results } = ctx.state;
    const made = createPlanLines(list, { sent: changesOf(plan), isPicked: () => true, resultOf: results.of });
    if (watched.runId === runId) watched = { ...watched, lines: made };
    return made;
  };

  const takeTurn = deps.turns?.(outbox) ?? null;
  const queue = await createRunQueue({ ...deps, outbox, contextFor, takeTurn, closing: closing.signal });

  const reviewList = async () => {
    const ids = await outbox.reviewedCampaigns();
    return ids.length === 0 ? [] : reviewsIn(await workspace.readTrees(ids));
  };

  const look = async (): Promise<number> => {
    await checkInBackground(
      { workspaceId: deps.workspaceId, workspace, emit: deps.emit, reviews: reviewList },
      async () => {
        // During a rate limit there are no automatic polls; a sync started by the user ignores it.
        const limit = await readLimit(workspace, clock.nowMs());
        const isSilent = limit !== null && keepsSilent(limit, clock.nowMs());
        if (!queue.isRunning() && !isSilent) await queue.read(pollReviews, profile.review.pollMinutes * 60_000);
      },
    );
    const { videos } = await outbox.pendingOnService();
    return nextPollMinutes(
      videos.first.map(({ since }) => since),
      clock.nowMs(),
      profile,
    );
  };
  const polling = startPollScheduler(
    profile.review.pollMinutes,
    { random, nowMs: () => clock.nowMs(), startTimer, sleepState: deps.sleepState },
    look,
  );

  return {
    ...preview,
    /**
     * Starts a run in the background. Its progress is reported by events, its end by `report` or `idle`. New items are
     * looked up first, so that invalid ones are held back with the reason. If the lookup fails, they stay unconfirmed,
     * and the run gets the same failure at its first request.
     */
    run: (options: RunOptions): Promise<Result<{ readonly runId: string }, RunProblem>> =>
      queue.start(options, watch(options.cancelReviews === true ? restartReviews : runSync), (cancelled) =>
        lookUpNewItems(api, workspace, cancelled),
      ),
    /**
     * A range of the lines of the plan shown last, or of the run with this ID; null if they are no longer available.
     */
    planLines: async (id: string, view: LineView, from: number, count: number) => {
      const planned = preview.planLines(id, view, from, count);
      if (planned !== null) return planned;
      const page = (await linesOfRun(id))?.(view, from, count);
      if (page === undefined) return null;
      // A run changes the states of its campaigns.
      const lines = page.lines.map(async (line) => {
        if (line.is !== 'campaign') return line;
        const row = await workspace.readRow({ kind: 'campaign', id: line.campaignId });
        return row?.kind === 'campaign' ? { ...line, state: row.values.campaignState } : line;
      });
      return { ...page, lines: await Promise.all(lines) };
    },
    cancel: queue.cancel,
    pause: queue.pause,
    conclude: queue.conclude,
    left: queue.left,
    /** Sends one cheap read that every deployment has. @returns null if the service responds normally */
    probe: async (): Promise<StopReason | null> => {
      await queue.idle();
      const asked: SyncContext[] = [];
      await queue.read((ctx) => {
        asked.push(ctx);
        return probe(ctx);
      });
      return asked[0]?.state.stop ?? null;
    },
    report: queue.last,
    isRunning: queue.isRunning,
    idle: queue.idle,
    /** Reads the account, or these campaigns with everything below them, and merges it; local edits stay. */
    refresh: async (
      campaignIds: readonly RowId[] | null = null,
    ): Promise<Result<{ readonly revision: number } & ReadNotes, Failure<'SYNC_RUNNING'> | ReadFailure | NoTurn>> => {
      if (queue.isRunning()) return syncRuns(queue.last());
      let notes = NO_NOTES;
      const done = await queue.read((ctx) => {
        notes = ctx.state.notes;
        return refresh(ctx, campaignIds);
      });
      return done.ok ? ok({ revision: (await workspace.summary()).revision, ...listedNotes(notes) }) : done;
    },
    /** Adds campaigns that were created elsewhere, by their IDs, and reads everything in them. */
    addCampaigns: async (
      campaigns: readonly CampaignToAdd[],
      source: RemoteIdSource,
    ): Promise<Result<TakenIn, Failure<'SYNC_RUNNING'>>> =>
      queue.isRunning() ? syncRuns(queue.last()) : ok(await addCampaignsById(queue, workspace, campaigns, source)),
    ...createUserDecisions({ workspace, outbox, api, nowMs: () => clock.nowMs(), inTurn: queue.inTurn }),
    reviews: {
      list: reviewList,
      poll: async () => {
        // A running sync reads open reviews itself; its stored results are returned.
        const polled = queue.isRunning() ? ok(null) : await queue.read(pollReviews);
        return polled.ok ? ok(await reviewList()) : polled;
      },
      submit: (campaignIds: readonly RowId[]) => queue.start({ submit: true, campaignIds }, runSync),
      cancel: (campaignIds: readonly RowId[]) => queue.start({ submit: false, campaignIds }, cancelReviews),
    },
    searchItems: (wanted: { readonly text: string } | { readonly ids: readonly string[] }) =>
      searchAndSave(api, workspace, wanted),
    /** Looks up new items that no search has confirmed and stores the results for the rules. */
    confirmItems: () => lookUpNewItems(api, workspace, closing.signal),
    /** The remaining changes of this hour, and the time of the next automatic poll. */
    status: async (): Promise<Omit<AccountStatus, 'lowSpaceBytes'>> => {
      const { left, sentBy: _, ...changeLimit } = await outbox.changeLimit({ changes: 0 });
      return {
        budgetLeft: left,
        budgetPerHour: changeLimit.perHour,
        changeLimit,
        nextPollAt: polling.nextAt(),
        reachable: api.isReached(),
        limitedUntil: (await readLimit(workspace, clock.nowMs()))?.until ?? null,
      };
    },
    /** Stops after the requests in progress and waits until their outcomes are on disk. */
    close: async () => {
      polling.stop();
      closing.abort();
      await queue.end();
      await journal.close();
    },
  };
}

type Searching = Pick<PartnerApi, 'searchItems'>;
type Noting = Pick<Workspace, 'outbox' | 'setServiceFields'>;

/** Maximum number of IDs per search: a response has no more elements (wire shapes, section 5, "Ad items"). */
const IDS_AT_ONCE = 200;

/** Searches the catalog and stores the result for each ID, so that the rules can use it offline. */
async function searchAndSave(
  api: Searching,
  workspace: Noting,
  wanted: Parameters<PartnerApi['searchItems']>[0],
): Promise<Result<readonly FoundItem[], ReadFailure>> {
  const found = await api.searchItems(wanted);
  if (!found.ok) return found;
  const facts = found.value.flatMap(({ itemId, name, verdict, variants }): ItemCheckResult[] => {
    if (verdict === null) return [];
    // A variant that a found item lists can be added like the item itself.
    const listed = variants.map((variant) => factOf(variant.itemId, variant.name, 'found'));
    return [factOf(itemId, name, verdict), ...listed];
  });
  const nameless = facts.length === 0 ? [] : await workspace.outbox.noteItems(facts);
  if (nameless.length > 0) {
    await workspace.setServiceFields(
      nameless.map(({ id, name }) => ({ kind: 'adItem', id, field: 'itemName', value: name })),
    );
  }
  return found;
}

const factOf = (itemId: string, name: string, verdict: ItemCheckResult['verdict']): ItemCheckResult => ({
  itemId,
  verdict,
  name: name === '' ? null : name,
});

/**
 * Looks up every new item that no search has confirmed: IDs from spreadsheets, entered IDs, and IDs refused before. An
 * ID that the response does not mention stays unconfirmed.
 */
async function lookUpNewItems(api: Searching, workspace: Noting, cancelled: AbortSignal) {
  const ids = await workspace.outbox.itemsToConfirm();
  let found = 0;
  let asked = 0;
  const refused: string[] = [];
  for (let at = 0; at < ids.length && !cancelled.aborted; at += IDS_AT_ONCE) {
    const part = ids.slice(at, at + IDS_AT_ONCE);
    const answer = await searchAndSave(api, workspace, { ids: part });
    if (!answer.ok) return answer;
    asked += part.length;
    for (const { itemId, verdict } of answer.value) {
      if (verdict === 'found') found++;
      else if (verdict !== null) refused.push(itemId);
    }
  }
  return ok({ asked, found, refused });
}
