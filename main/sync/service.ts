import type { ReadNotes } from '../../shared/contract/sync.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import { err, ok } from '../../shared/result.ts';
import { LOGO_FIELDS } from '../api/logo.ts';
import { addressRule } from '../media/upload/address-guard.ts';
import { recallFromJournal } from './after-restore.ts';
import { createContext, type RoundContext } from './core/context.ts';
import type { Ports } from './core/effects.ts';
import { LOGO_FIELD_KEY } from './core/logo.ts';
import { probe } from './core/probe.ts';
import { keepsSilent, readLimit } from './core/rate-limit.ts';
import { refresh } from './core/refresh.ts';
import { cancelReviews, pollReviews, restartReviews } from './core/review-cancel.ts';
import { round } from './core/round.ts';
import { POLICY_KEY } from './core/settle-conflict.ts';
import { createFileUploader } from './file-uploader.ts';
import { confirmItems, searchAndNote } from './item-facts.ts';
import { openJournal } from './journal.ts';
import { lookAround } from './look-around.ts';
import { createOpenMatters } from './open-matters.ts';
import { nextLookMinutes } from './poll-pace.ts';
import { startPolling } from './polling.ts';
import type { RunOptions, SyncDeps, SyncService } from './port.ts';
import { reviewsIn } from './review-list.ts';
import { createRuns, type RunSignals } from './runs.ts';
import { createShownPlan } from './shown-plan.ts';
import { takeInNow } from './take-in.ts';
import { createUploadHosts } from './upload-hosts.ts';

const LANES_MAX = 4;

/**
 * The sync of one workspace. Opening it takes the outbox over: what an earlier process was sending is in doubt
 * from here on, and what the side journal knows beyond the database is recalled.
 */
export async function createSyncService(deps: SyncDeps): Promise<SyncService> {
  const { workspace, api, clock, profile, capabilities } = deps;
  const { outbox } = workspace;
  const random = deps.random ?? Math.random;
  const { epoch } = await outbox.takeOver();
  await recallFromJournal(deps.journalFile, outbox, epoch);
  const journal = await openJournal(deps.journalFile);
  const closing = new AbortController();

  const hosts = createUploadHosts(workspace, () => clock.nowMs());
  const rule = addressRule(api.connection.baseUrl, profile.upload.hosts);
  const portsFor = ({ cut }: RunSignals, deadline: number | null): Ports => {
    const leftMs = (): number => (deadline === null ? Number.POSITIVE_INFINITY : Math.max(0, deadline - clock.nowMs()));
    const ends = { cut, isLate: () => leftMs() === 0 };
    return {
      workspace,
      outbox,
      api,
      journal,
      // Nothing is waited for beyond the deadline.
      clock: { ...clock, sleep: (delayMs, signal) => clock.sleep(Math.min(delayMs, leftMs()), signal) },
      emit: deps.emit,
      uploader: createFileUploader(rule, hosts, deps.mediaFile, ends, deps.uploadNetwork),
    };
  };

  const today = deps.today ?? (async () => dateInZone(clock.nowMs(), profile.business.zone));

  const contextFor = async (runId: string, options: RunOptions, { over, cut }: RunSignals): Promise<RoundContext> => {
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
      isCancelled: () => over.aborted,
      isCut: () => cut.aborted,
      deadline: options.deadline ?? null,
      unread: options.goesOn?.unread ?? [],
      approvedBefore: options.goesOn?.approved ?? null,
      lanesMax: LANES_MAX,
      keptLimit: await readLimit(workspace, clock.nowMs()),
    });
  };

  const runs = await createRuns({ ...deps, contextFor, portsFor, closing: closing.signal });

  const reviewList = async () => {
    const ids = await outbox.reviewedCampaigns();
    return ids.length === 0 ? [] : reviewsIn(await workspace.readTrees(ids));
  };

  const look = async (): Promise<number> => {
    await lookAround({ workspaceId: deps.workspaceId, workspace, emit: deps.emit, reviews: reviewList }, async () => {
      // A service that has asked for silence is not asked by itself; whoever starts a sync asks it all the same.
      const limit = await readLimit(workspace, clock.nowMs());
      const isSilent = limit !== null && keepsSilent(limit, clock.nowMs());
      if (!runs.isRunning() && !isSilent) await runs.read(pollReviews);
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

  return {
    ...createShownPlan({ workspace, profile, advertiserId: api.connection.advertiserId, capabilities, today }),
    // Items are looked up first, so that one the service would refuse is held back with the reason. Where the service
    // cannot be asked they go unconfirmed, and the round meets the same failure at its own first request.
    run: (options) =>
      runs.start(options, options.cancelReviews === true ? restartReviews : round, (cancelled) =>
        confirmItems(api, workspace, cancelled),
      ),
    cancel: runs.cancel,
    pause: runs.pause,
    conclude: runs.conclude,
    left: runs.left,
    probe: async () => {
      await runs.idle();
      const asked: RoundContext[] = [];
      await runs.read((ctx) => {
        asked.push(ctx);
        return probe(ctx);
      });
      return asked[0]?.stop ?? null;
    },
    report: runs.last,
    isRunning: runs.isRunning,
    idle: runs.idle,
    refresh: async (campaignIds = null) => {
      if (runs.isRunning()) return err({ kind: 'sync-running' });
      const notes: ReadNotes[] = [];
      const done = await runs.read((ctx) => {
        notes.push(ctx.notes);
        return refresh(ctx, campaignIds);
      });
      const { gone = [], unreadable = [], notRead = [] } = notes[0] ?? {};
      return done.ok ? ok({ revision: (await workspace.summary()).revision, gone, unreadable, notRead }) : done;
    },
    takeIn: async (campaigns, source) =>
      runs.isRunning() ? err({ kind: 'sync-running' }) : ok(await takeInNow(runs, workspace, campaigns, source)),
    ...createOpenMatters({ workspace, api, epoch, nowMs: () => clock.nowMs() }),
    reviews: {
      list: reviewList,
      poll: async () => {
        // A run under way looks at open reviews by itself; what it wrote is the answer.
        const polled = runs.isRunning() ? ok(null) : await runs.read(pollReviews);
        return polled.ok ? ok(await reviewList()) : polled;
      },
      submit: (campaignIds) => runs.start({ submit: true, campaignIds }, round),
      cancel: (campaignIds) => runs.start({ submit: false, campaignIds }, cancelReviews),
    },
    searchItems: (wanted) => searchAndNote(api, workspace, wanted),
    confirmItems: () => confirmItems(api, workspace, closing.signal),
    standing: async () => ({
      budgetLeft: await outbox.budgetLeft(),
      budgetPerHour: profile.rate.opsPerHour,
      nextPollAt: polling.nextAt(),
      reachable: runs.reached(),
      limitedUntil: (await readLimit(workspace, clock.nowMs()))?.until ?? null,
    }),
    close: async () => {
      polling.stop();
      closing.abort();
      await runs.end();
      await journal.close();
    },
  };
}
