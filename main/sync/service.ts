import { randomUUID } from 'node:crypto';
import { SyncReport } from '../../shared/contract/sync.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { type Capabilities, DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import { LOGO_FIELDS } from '../api/logo.ts';
import type { ReadFailure } from '../api/outcome.ts';
import { addressRule } from '../media/upload/address-guard.ts';
import { recallFromJournal } from './after-restore.ts';
import { createContext, type RoundContext } from './core/context.ts';
import type { Ports, Work } from './core/effects.ts';
import { LOGO_FIELD_KEY } from './core/logo.ts';
import { refresh } from './core/refresh.ts';
import { cancelReviews, pollReviews, restartReviews } from './core/review-cancel.ts';
import { round } from './core/round.ts';
import { POLICY_KEY } from './core/settle-conflict.ts';
import { drive } from './driver.ts';
import { createFileUploader } from './file-uploader.ts';
import { confirmItems, searchAndNote } from './item-facts.ts';
import { openJournal } from './journal.ts';
import { lookAround, watchAccess } from './look-around.ts';
import { createOpenMatters } from './open-matters.ts';
import { nextLookMinutes } from './poll-pace.ts';
import { startPolling } from './polling.ts';
import type { RunOptions, RunProblem, SyncDeps, SyncService } from './port.ts';
import { emptyReport, endOf, reportOf } from './reporting.ts';
import { reviewsIn } from './review-list.ts';
import { createShownPlan } from './shown-plan.ts';
import { createUploadHosts } from './upload-hosts.ts';

const LANES_MAX = 4;
const CAPABILITIES_KEY = 'capabilities';
const REPORT_KEY = 'last-sync-report';

/**
 * The sync of one workspace. Opening it takes the outbox over: what an earlier process was sending is in doubt
 * from here on, and what the side journal knows beyond the database is recalled.
 */
export async function createSyncService(deps: SyncDeps): Promise<SyncService> {
  const { workspace, api, clock, profile } = deps;
  const { outbox } = workspace;
  const random = deps.random ?? Math.random;
  const { epoch } = await outbox.takeOver();
  await recallFromJournal(deps.journalFile, outbox, epoch);
  const journal = await openJournal(deps.journalFile);
  const closing = new AbortController();
  let cancelling = new AbortController();
  let running: Promise<SyncReport> | null = null;
  let reads: Promise<void> = Promise.resolve();
  let last: SyncReport | null = keptReport(await workspace.getMeta(REPORT_KEY));

  const hosts = createUploadHosts(workspace, () => clock.nowMs());
  const rule = addressRule(api.connection.baseUrl, profile.upload.hosts);
  const portsFor = (cancelled: AbortSignal): Ports => ({
    workspace,
    outbox,
    api,
    journal,
    clock,
    emit: deps.emit,
    uploader: createFileUploader(rule, hosts, deps.mediaFile, cancelled, deps.uploadNetwork),
  });

  const today = deps.today ?? (async () => dateInZone(clock.nowMs(), profile.business.zone));

  const capabilities = async (): Promise<Capabilities> => {
    if (deps.capabilities !== 'probe') return deps.capabilities;
    const kept = await workspace.getMeta(CAPABILITIES_KEY);
    // The value was written below, by this program alone.
    if (kept !== null) return JSON.parse(kept) as Capabilities;
    const probed = await api.probeCapabilities();
    if (!probed.ok) return DOCUMENTED_ONLY;
    await workspace.setMeta(CAPABILITIES_KEY, JSON.stringify(probed.value));
    return probed.value;
  };

  const contextFor = async (runId: string, options: RunOptions, cancelled: AbortSignal): Promise<RoundContext> => {
    const spelling = await workspace.getMeta(LOGO_FIELD_KEY);
    return createContext({
      runId,
      workspaceId: deps.workspaceId,
      epoch,
      profile,
      capabilities: await capabilities(),
      advertiserId: api.connection.advertiserId,
      submit: options.submit,
      campaignIds: options.campaignIds,
      chosen: options.chosen ?? null,
      reviewedPlan: options.plan ?? null,
      conflictPolicy: await workspace.getMeta(POLICY_KEY),
      logoField: LOGO_FIELDS.find((field) => field === spelling) ?? LOGO_FIELDS[0],
      today,
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      random,
      newCorrelationId: () => api.newCorrelationId(),
      isCancelled: () => cancelled.aborted,
      lanesMax: LANES_MAX,
    });
  };

  const perform = async (ctx: RoundContext, work: Work<void>, cancelled: AbortSignal): Promise<SyncReport> => {
    try {
      await drive(work, portsFor(cancelled), cancelled);
    } catch (thrown) {
      // The store refused a write: without a record on disk nothing more may be sent.
      ctx.stop ??= { cause: 'disk', detail: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    const states = await outbox.countStates();
    return reportOf(ctx, states, await outbox.standing(), (row) => rowLabel(row));
  };

  /** So that a window opened after a restart can tell how the last run ended. */
  const keep = async (report: SyncReport): Promise<void> => {
    try {
      await workspace.setMeta(REPORT_KEY, JSON.stringify(report));
    } catch {
      // The disk that stopped the run refuses this as well; the report itself says so.
    }
  };

  /** Whether the service answered the last time it was asked. */
  let isReachable: boolean | null = null;
  const noteAccess = watchAccess(deps.workspaceId, deps.emit);

  const start = async (
    options: RunOptions,
    work: (ctx: RoundContext) => Work<void>,
    before: (cancelled: AbortSignal) => Promise<unknown> = async () => {},
  ): Promise<Result<{ readonly runId: string }, RunProblem>> => {
    if (running !== null || closing.signal.aborted) return err({ kind: 'sync-running' });
    const runId = randomUUID();
    cancelling = new AbortController();
    const { signal } = cancelling;
    last = emptyReport(runId);
    running = reads
      .then(() => before(signal))
      .then(() => contextFor(runId, options, signal))
      .then(async (ctx) => {
        await outbox.noteRun({ runId });
        return perform(ctx, work(ctx), signal);
      })
      .catch((thrown: unknown) => {
        const detail = thrown instanceof Error ? thrown.message : String(thrown);
        return { ...emptyReport(runId), state: 'stopped' as const, stoppedBy: { cause: 'disk' as const, detail } };
      })
      .then(async (report) => {
        await keep(report);
        return report;
      })
      .then((report) => {
        last = report;
        isReachable = report.stoppedBy?.cause !== 'unreachable';
        noteAccess(report.stoppedBy?.cause ?? null);
        running = null;
        deps.emit(endOf(deps.workspaceId, report));
        return report;
      });
    return ok({ runId });
  };

  /** Reads only, one after the other and never beside a run: they would merge the same rows. */
  const reading = (work: (ctx: RoundContext) => Work<void>): Promise<Result<null, ReadFailure>> => {
    const done = reads.then(() => read(work));
    // How a read ended is told to whoever asked for it; the next one only waits for its end.
    reads = done.then(
      () => {},
      () => {},
    );
    return done;
  };

  const read = async (work: (ctx: RoundContext) => Work<void>): Promise<Result<null, ReadFailure>> => {
    const ctx = await contextFor(randomUUID(), { submit: false, campaignIds: null }, closing.signal);
    await drive(work(ctx), portsFor(closing.signal), closing.signal);
    isReachable = ctx.stop?.cause !== 'unreachable';
    noteAccess(ctx.stop?.cause ?? null);
    return ctx.stop === null ? ok(null) : err(failureOf(ctx.stop));
  };

  const reviewList = async () => {
    const ids = await outbox.reviewedCampaigns();
    return ids.length === 0 ? [] : reviewsIn(await workspace.readTrees(ids));
  };

  const look = async (): Promise<number> => {
    await lookAround({ workspaceId: deps.workspaceId, workspace, emit: deps.emit, reviews: reviewList }, async () => {
      if (running === null) await reading(pollReviews);
    });
    const { videos } = await outbox.waitingOnService();
    return nextLookMinutes(
      videos.first.map(({ since }) => since),
      clock.nowMs(),
      profile,
    );
  };
  const polling = startPolling(
    profile.review.pollMinutes,
    { random, nowMs: () => clock.nowMs(), rest: deps.rest },
    look,
  );

  const submit = (campaignIds: readonly RowId[]) => start({ submit: true, campaignIds }, round);

  return {
    ...createShownPlan({ workspace, profile, advertiserId: api.connection.advertiserId, capabilities, today }),
    // Items are looked up first, so that one the service would refuse is held back with the reason. Where the service
    // cannot be asked they go unconfirmed, and the round meets the same failure at its own first request.
    run: (options) =>
      start(options, options.cancelReviews === true ? restartReviews : round, (cancelled) =>
        confirmItems(api, workspace, cancelled),
      ),
    cancel: () => {
      if (running === null) return false;
      cancelling.abort();
      return true;
    },
    report: () => last,
    idle: async () => (running === null ? last : running),
    refresh: async (campaignIds = null) => {
      if (running !== null) return err({ kind: 'sync-running' });
      const done = await reading((ctx) => refresh(ctx, campaignIds));
      return done.ok ? ok({ revision: (await workspace.summary()).revision }) : done;
    },
    ...createOpenMatters({ workspace, api, epoch, nowMs: () => clock.nowMs() }),
    reviews: {
      list: reviewList,
      poll: async () => {
        // A run under way looks at open reviews by itself; what it wrote is the answer.
        const polled = running === null ? await reading(pollReviews) : ok(null);
        return polled.ok ? ok(await reviewList()) : polled;
      },
      submit,
      cancel: (campaignIds) => start({ submit: false, campaignIds }, cancelReviews),
    },
    searchItems: (wanted) => searchAndNote(api, workspace, wanted),
    confirmItems: () => confirmItems(api, workspace, closing.signal),
    standing: async () => ({
      budgetLeft: await outbox.budgetLeft(),
      budgetPerHour: profile.rate.opsPerHour,
      nextPollAt: polling.nextAt(),
      reachable: isReachable,
    }),
    close: async () => {
      polling.stop();
      closing.abort();
      cancelling.abort();
      if (running !== null) await running;
      await reads;
      await journal.close();
    },
  };
}

/** The report a former process left. One that says "running" ended with its process, and what it did is in doubt. */
function keptReport(json: string | null): SyncReport | null {
  const kept = json === null ? null : SyncReport.safeParse(JSON.parse(json));
  return kept?.success === true ? kept.data : null;
}

function failureOf(stop: NonNullable<RoundContext['stop']>): ReadFailure {
  switch (stop.cause) {
    case 'credentials':
      return { kind: 'credentials', message: stop.detail };
    case 'security':
      return { kind: 'security', message: stop.detail };
    case 'unreachable':
      return { kind: 'unreachable', cause: stop.detail };
    case 'disk':
    case 'service':
    case 'plan-changed':
      return { kind: 'service', status: 0, message: stop.detail };
  }
}
