import { dateInZone } from '../../shared/model/plain-date.ts';
import { err, ok } from '../../shared/result.ts';
import { LOGO_FIELDS } from '../api/logo.ts';
import { addressRule } from '../media/upload/address-guard.ts';
import { recallFromJournal } from './after-restore.ts';
import { capabilitiesOf } from './capabilities.ts';
import { createContext, type RoundContext } from './core/context.ts';
import type { Ports } from './core/effects.ts';
import { LOGO_FIELD_KEY } from './core/logo.ts';
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
import { createRuns } from './runs.ts';
import { createShownPlan } from './shown-plan.ts';
import { takeInNow } from './take-in.ts';
import { createUploadHosts } from './upload-hosts.ts';

const LANES_MAX = 4;

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

  const capabilities = () => capabilitiesOf(deps);

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

  const runs = await createRuns({ ...deps, contextFor, portsFor, closing: closing.signal });

  const reviewList = async () => {
    const ids = await outbox.reviewedCampaigns();
    return ids.length === 0 ? [] : reviewsIn(await workspace.readTrees(ids));
  };

  const look = async (): Promise<number> => {
    await lookAround({ workspaceId: deps.workspaceId, workspace, emit: deps.emit, reviews: reviewList }, async () => {
      if (!runs.isRunning()) await runs.read(pollReviews);
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
    report: runs.last,
    idle: runs.idle,
    refresh: async (campaignIds = null) => {
      if (runs.isRunning()) return err({ kind: 'sync-running' });
      const done = await runs.read((ctx) => refresh(ctx, campaignIds));
      return done.ok ? ok({ revision: (await workspace.summary()).revision }) : done;
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
    }),
    close: async () => {
      polling.stop();
      closing.abort();
      await runs.end();
      await journal.close();
    },
  };
}
