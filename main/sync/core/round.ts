import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { isHeld, isNew } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Plan, PlanBatch } from '../../../shared/plan/plan-types.ts';
import { checkApproved } from './approved.ts';
import { learnRows, learnTrees } from './books.ts';
import { noteConfirmed } from './confirmed.ts';
import { isOver, isPaused, progress, type RoundContext } from './context.ts';
import { beside, lanes, sleep, tx, type Work } from './effects.ts';
import { type Due, gatherAndPlan, gatherDue, learnDueCampaigns } from './gather.ts';
import { openLanes } from './lane-limit.ts';
import { pollMedia } from './media-state.ts';
import { seeCampaigns } from './pre-image.ts';
import { kindsToPull, pullUnlessOver } from './pull.ts';
import { readBack, readBackAhead, readListAhead } from './read-back.ts';
import { tellNotes } from './read-notes.ts';
import { learnCampaignIds, readAfterReviews, readCampaigns } from './refresh.ts';
import { resolveAll } from './resolve.ts';
import { refuseOther } from './reviewed-plan.ts';
import { leaveOut, sendBatch } from './send.ts';
import { settleByPolicy } from './settle-conflict.ts';
import { sendVideo } from './video.ts';

/** How often a round plans anew, at most, after something in doubt was cleared up. */
const PASSES_MAX = 8;

/**
 * One sync from beginning to end:
 *
 *   resolve what is in doubt > pull what will be touched > plan > upload and send > read back
 *        ^                                                            |
 *        '------------- wait for the settle window <--- in doubt -----'
 *
 * It ends early when it is cancelled or `ctx.stop` is set; what was sent by then is settled all the same.
 * That it has ended is told by whoever drives it, once the report can be read.
 */
export function* round(ctx: RoundContext): Work<void> {
  yield* syncOnce(ctx);
  yield* tellNotes(ctx);
}

function* syncOnce(ctx: RoundContext): Work<void> {
  yield* tx('recover', (ports) => ports.outbox.recover());
  yield* enter(ctx, 'resolving');
  yield* learnLive(ctx);
  yield* resolveAll(ctx);
  if (isOver(ctx)) return;
  yield* enter(ctx, 'pulling');
  let trees = yield* pullAll(ctx);
  for (let pass = 1; pass <= PASSES_MAX && !isOver(ctx); pass++) {
    yield* enter(ctx, 'planning');
    // The plan is made with what is in doubt by now.
    ctx.frozen.clear();
    const due = yield* gatherDue(ctx, trees);
    trees = null;
    const plan = yield* beside(gatherAndPlan(ctx, due), seeIfNew(ctx, due));
    if (pass === 1) refuseOther(ctx, plan);
    if (pass === 1) checkApproved(ctx, plan);
    if (isOver(ctx)) break;
    ctx.tally.batchesTotal += plan.batches.length;
    yield* sendPlan(ctx, plan);
    if (isOver(ctx) || !(yield* waitForDoubt(ctx))) break;
  }
  if (ctx.stop !== null || isPaused(ctx) || ctx.touched.size === 0) return;
  yield* enter(ctx, 'reading-back');
  yield* readBack(ctx);
}

function* enter(ctx: RoundContext, phase: RoundContext['phase']): Work<void> {
  ctx.phase = phase;
  yield* progress(ctx);
}

/** Takes the rows that unsettled sends belong to into the books, so that they can be looked for. */
function* learnLive(ctx: RoundContext): Work<void> {
  const live = yield* tx('live', (ports) => ports.outbox.live());
  const campaigns = new Set<RowId>();
  for (const { campaignId } of live) if (campaignId !== null) campaigns.add(campaignId);
  if (campaigns.size > 0) {
    learnTrees(ctx, yield* tx('read trees', (ports) => ports.workspace.readTrees([...campaigns])));
  }
  learnRows(ctx, yield* tx('read media', (ports) => ports.workspace.readMedia()));
  // A campaign is looked for among all campaigns, so the ids of all that are ours must be known.
  if (live.some(({ kind }) => kind === 'campaign')) yield* learnCampaignIds(ctx);
}

/**
 * Merges what the service has of the campaigns this round may touch.
 *
 * @returns these campaigns, or null when something was taken in since they were read
 */
function* pullAll(ctx: RoundContext): Work<readonly CampaignTree[] | null> {
  const { requests } = ctx.tally;
  yield* pollMedia(ctx, yield* tx('read media', (ports) => ports.workspace.readMedia()));
  const trees = yield* learnDueCampaigns(ctx);
  // One list shows the state of every campaign, where a deployment offers it.
  if (trees.some(({ campaign }) => campaign.remoteId !== null)) yield* readCampaigns(ctx);
  const work = trees.map((tree) => ({ tree, kinds: kindsToPull(ctx, tree) })).filter(({ kinds }) => kinds.length > 0);
  yield* lanes(
    work.map(({ tree, kinds }) => pullUnlessOver(ctx, tree, kinds)),
    () => openLanes(ctx),
  );
  yield* readAfterReviews(ctx);
  yield* noteConfirmed(ctx);
  const settled = yield* settleByPolicy(ctx);
  return ctx.tally.requests === requests && settled === 0 ? trees : null;
}

/** Looks which campaigns there are while the plan is made, when it will want to know (`pre-image.ts`). */
function* seeIfNew(ctx: RoundContext, { trees, errors }: Due): Work<void> {
  const faulty = new Set(errors.flatMap(({ kind, id }) => (kind === 'campaign' ? [id] : [])));
  const goes = ({ campaign }: CampaignTree): boolean =>
    isNew(campaign) && !isHeld(campaign) && !faulty.has(campaign.id);
  if (trees.some(goes)) yield* seeCampaigns(ctx);
}

/**
 * Campaigns side by side, each in its order; videos one after the other beside them; then what needs a video. When
 * the last campaigns are being sent there are fewer than slots, and those that were finished first are read back.
 */
function* sendPlan(ctx: RoundContext, plan: Plan): Work<void> {
  yield* enter(ctx, plan.uploads.length > 0 ? 'uploading' : 'sending');
  // Once for all lanes, before any of them creates a campaign.
  if (plan.batches.some(({ kind, verb }) => kind === 'campaign' && verb === 'create')) yield* seeCampaigns(ctx);
  const isLate = (batch: PlanBatch): boolean => batch.kind === 'videoProfile' || batch.kind === 'review';
  const late = plan.batches.filter(isLate);
  const early = byCampaign(plan.batches.filter((batch) => !isLate(batch)));
  const lateOnes = new Set(late.map(({ campaignId }) => campaignId));
  const finished = new Set<RowId>();
  let unfinished = early.length + late.length;
  const send = function* (batches: readonly PlanBatch[]): Work<void> {
    yield* sendLane(ctx, batches);
    unfinished--;
    for (const { campaignId } of batches)
      if (campaignId !== null && !lateOnes.has(campaignId)) finished.add(campaignId);
  };
  const readAhead = function* ([first]: readonly PlanBatch[]): Work<void> {
    const campaignId = first?.campaignId ?? null;
    if (campaignId !== null && finished.has(campaignId)) yield* readBackAhead(ctx, campaignId);
  };
  const readList = function* (): Work<void> {
    if (unfinished === 0) yield* readListAhead(ctx);
  };
  const all = [uploadLane(ctx, plan), ...early.map(send), ...early.map(readAhead), readList()];
  yield* lanes(all, () => openLanes(ctx) + 1);
  if (isOver(ctx) || late.length === 0) return;
  yield* awaitProposal(ctx, late);
  learnRows(ctx, yield* tx('read media', (ports) => ports.workspace.readMedia()));
  yield* enter(ctx, late.some(({ kind }) => kind === 'review') ? 'submitting' : 'sending');
  yield* lanes(
    byCampaign(late).map((lane) => sendLane(ctx, lane)),
    () => openLanes(ctx),
  );
}

/**
 * A campaign just created becomes a proposal a moment later, and only then takes a review (document, "Campaign
 * status"). Where campaigns can be read they are looked at, twice at most; a review that is still too early waits.
 */
function* awaitProposal(ctx: RoundContext, late: readonly PlanBatch[]): Work<void> {
  if (!ctx.capabilities.campaignRead) return;
  const asked = late.filter(({ kind }) => kind === 'review').flatMap(({ campaignId }) => campaignId ?? []);
  for (let looks = 0; looks < 2; looks++) {
    const isTooEarly = asked.some((id) => !ctx.troubled.has(id) && isStillEnabled(ctx, id));
    if (!isTooEarly || isOver(ctx)) return;
    if (looks > 0) yield* sleep(MOMENT_MS);
    yield* readCampaigns(ctx);
    learnTrees(ctx, yield* tx('read trees', (ports) => ports.workspace.readTrees(asked)));
  }
}

const MOMENT_MS = 1000;

function isStillEnabled(ctx: RoundContext, campaignId: RowId): boolean {
  const row = ctx.rows.get(`campaign:${campaignId}`);
  return row?.kind === 'campaign' && (row.values.serviceStatus ?? 'enabled') === 'enabled';
}

function* uploadLane(ctx: RoundContext, plan: Plan): Work<void> {
  for (const item of plan.uploads) {
    if (isOver(ctx)) return;
    yield* sendVideo(ctx, item);
  }
}

function* sendLane(ctx: RoundContext, batches: readonly PlanBatch[]): Work<void> {
  for (const batch of batches) {
    if (isOver(ctx) || mustWait(ctx, batch)) leaveOut(ctx, batch);
    else yield* sendBatch(ctx, batch);
  }
}

/**
 * A video profile waits until its video is available, and a review until all of its campaign is there: while a
 * review is open nothing can be added.
 */
function mustWait(ctx: RoundContext, batch: PlanBatch): boolean {
  if (batch.kind === 'review') {
    if (batch.campaignId === null) return false;
    const isTooEarly = ctx.capabilities.campaignRead && isStillEnabled(ctx, batch.campaignId);
    const wasRefused = ctx.tally.refused.some(({ kind, id }) => kind === 'adGroup' && id === batch.adGroupId);
    return isTooEarly || wasRefused || ctx.troubled.has(batch.campaignId);
  }
  if (batch.kind !== 'videoProfile') return false;
  return batch.elements.some(({ sent }) => {
    const video = ctx.rows.get(`media:${sent['video']}`);
    return video?.kind !== 'media' || video.values.mediaState !== 'available';
  });
}

const byCampaign = (batches: readonly PlanBatch[]): readonly (readonly PlanBatch[])[] => [
  ...Map.groupBy(batches, ({ campaignId }) => campaignId).values(),
];

/** @returns true when something that was in doubt has been cleared up, so that planning again makes sense */
function* waitForDoubt(ctx: RoundContext): Work<boolean> {
  for (;;) {
    const before = yield* countInDoubt(ctx);
    if (before === 0 || ctx.wakeAt === null || isOver(ctx)) return false;
    ctx.phase = 'waiting';
    yield* progress(ctx, ctx.wakeAt);
    yield* sleep(Math.max(0, ctx.wakeAt - ctx.nowMs()));
    if (isOver(ctx)) return false;
    yield* enter(ctx, 'resolving');
    yield* resolveAll(ctx);
    if ((yield* countInDoubt(ctx)) < before) {
      // The campaigns of what was cleared up deserve a fresh look, reviews included.
      ctx.troubled.clear();
      return true;
    }
  }
}

function* countInDoubt(ctx: RoundContext): Work<number> {
  const states = yield* tx('count', (ports) => ports.outbox.countStates());
  ctx.tally.inDoubt = states.IN_DOUBT;
  return states.IN_DOUBT;
}
