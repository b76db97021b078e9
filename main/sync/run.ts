import type { RowRef } from '../../shared/api/scalars.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { isHeld, isNew, rowKey } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { numbered, planInParts, split } from '../../shared/plan/plan.ts';
import { planDifference } from '../../shared/plan/plan-difference.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import type { ChosenRows, Plan, PlanBatch } from '../../shared/plan/plan-types.ts';
import { afterCancelling, cancellations, withReviewsCancelled } from '../../shared/plan/review-restart.ts';
import { offeredRows } from '../../shared/plan/sign-off.ts';
import { choiceOf, containsSelected } from '../../shared/plan/sync-selection.ts';
import { resolveByPolicy } from './conflicts.ts';
import { indexRows, indexTrees, isOver, progress, type SyncContext, type SyncState, stopFor } from './context.ts';
import { pollMedia } from './media-state.ts';
import { doWork, inBackground, inParallel, maxCampaigns, maxRequests, type Work } from './parallel.ts';
import { CAMPAIGNS_A_READ, contentsOf, dueCampaigns, linesOf, planInputOf } from './plan-preview.ts';
import { kindsToPull, pullCampaign, saveConfirmation, tellNotes } from './read.ts';
import {
  learnIds,
  prefetchReadAfterWrite,
  readAfterReviews,
  readAfterWrite,
  readCampaigns,
  readListAhead,
} from './refresh.ts';
import { resolveUnconfirmed } from './resolve.ts';
import { keepLimit, liftLimit } from './retry.ts';
import { listCampaignsBeforeCreate, sendBatch, skipRows } from './send.ts';
import { uploadVideo } from './upload.ts';

/** Maximum number of plans per run; each after the first follows a resolved request or a changed row. */
const PASSES_MAX = 8;

/**
 * One complete sync:
 *
 *   resolve unconfirmed requests > pull what will be touched > plan > upload and send > read back
 *        ^                                                                 |
 *        '---------------- wait for the settle window <--- unconfirmed -----'
 *
 * It ends early if it is canceled or `ctx.state.stop` is set; rows already sent are then read back by the next run. The
 * caller reports the end once the report can be read.
 */
export async function runSync(ctx: SyncContext): Promise<void> {
  await syncOnce(ctx);
  await tellNotes(ctx);
}

async function syncOnce(ctx: SyncContext): Promise<void> {
  const { seenPlan = null } = ctx.options;
  const unseenRows = seenPlan === null ? null : ctx.ports.unseenRows?.(seenPlan);
  await ctx.ports.outbox.recover();
  enter(ctx, 'resolving');
  await indexOpenRows(ctx);
  await resolveUnconfirmed(ctx);
  if (isOver(ctx)) return;
  enter(ctx, 'pulling');
  let trees = await pullAll(ctx);
  let planning = ctx;
  for (let pass = 1; pass <= PASSES_MAX && !isOver(ctx); pass++) {
    enter(ctx, 'planning');
    // Requests that are still unconfirmed are blocked by the plan itself.
    ctx.state.blockedCreates.clear();
    const due = await loadPlanScope(planning, trees);
    trees = null;
    let plan = await inBackground(
      planning,
      (part) => loadAndPlan(part, due),
      (part) => listIfCreating(part, due),
    );
    const unseen = (await unseenRows?.(plan)) ?? [];
    if (unseen.length > 0) {
      planning = { ...ctx, options: { ...ctx.options, chosen: withoutRows(planning.options.chosen ?? null, unseen) } };
      plan = await loadAndPlan(planning, due);
    }
    if (pass === 1) refuseOther(ctx, plan);
    checkApproved(ctx, pass === 1 ? plan : onlyRows(plan, ctx.state.changedThere));
    ctx.state.changedThere.clear();
    if (isOver(ctx)) break;
    ctx.state.tally.batchesTotal += plan.batches.length;
    ctx.state.results.planned(plan);
    ctx.state.planned ??= { plan, trees: due.trees, submitted: new Set() };
    for (const { verb, campaignId } of plan.batches) if (verb === 'submit') ctx.state.planned.submitted.add(campaignId);
    await sendPlan(ctx, plan);
    if (isOver(ctx) || !(await mayPlanAgain(ctx))) break;
  }
  ctx.state.tally.untouched += ctx.state.changedThere.size;
  if (isOver(ctx) || ctx.state.touched.size === 0) return;
  enter(ctx, 'reading-back');
  await readAfterWrite(ctx);
}

function enter(ctx: SyncContext, phase: SyncState['phase']): void {
  ctx.state.phase = phase;
  progress(ctx);
}

/** Adds the rows with unconfirmed requests to the index, so that reads can match them. */
async function indexOpenRows(ctx: SyncContext): Promise<void> {
  const live = await ctx.ports.outbox.live();
  const campaigns = new Set<RowId>();
  for (const { campaignId } of live) if (campaignId !== null) campaigns.add(campaignId);
  if (campaigns.size > 0) {
    indexTrees(ctx, await ctx.ports.workspace.readTrees([...campaigns]));
  }
  indexRows(ctx, await ctx.ports.workspace.readMedia());
  // A campaign is matched in the list of all campaigns, so the IDs of all our campaigns are needed.
  if (live.some(({ kind }) => kind === 'campaign')) await learnIds(ctx, 'campaign');
}

/**
 * Merges the service values of the campaigns that this run may touch.
 *
 * @returns these campaigns; null if the database may have changed since they were read
 */
async function pullAll(ctx: SyncContext): Promise<readonly CampaignTree[] | null> {
  const { requests } = ctx.state.tally;
  await pollMedia(ctx, await ctx.ports.workspace.readMedia());
  const trees = await loadDueCampaigns(ctx);
  // If the deployment supports it, one list has the state of every campaign.
  if (trees.some(({ campaign }) => campaign.remoteId !== null)) await readCampaigns(ctx);
  const work = trees.map((tree) => ({ tree, kinds: kindsToPull(ctx, tree) })).filter(({ kinds }) => kinds.length > 0);
  await inParallel(ctx, work, (part, { tree, kinds }) => pullCampaign(part, tree, kinds));
  await readAfterReviews(ctx);
  await saveConfirmation(ctx);
  const settled = await resolveByPolicy(ctx);
  return ctx.state.tally.requests === requests && settled === 0 ? trees : null;
}

/** Lists the campaigns while the plan is made if it will create campaigns (see `idsBeforeCreate`). */
async function listIfCreating(ctx: SyncContext, { trees, errors }: PlanScope): Promise<void> {
  const faulty = new Set(errors.flatMap(({ kind, id }) => (kind === 'campaign' ? [id] : [])));
  const goes = ({ campaign }: CampaignTree): boolean =>
    isNew(campaign) && !isHeld(campaign) && !faulty.has(campaign.id);
  if (trees.some(goes)) await listCampaignsBeforeCreate(ctx);
}

/**
 * Sends campaigns in parallel, each in order; uploads videos one by one at the same time; then sends the batches that
 * need a video. When fewer campaigns than slots are left, finished ones are read back.
 */
async function sendPlan(ctx: SyncContext, plan: Plan): Promise<void> {
  enter(ctx, plan.uploads.length > 0 ? 'uploading' : 'sending');
  // Once for all campaigns, before the first create.
  if (plan.batches.some(({ kind, verb }) => kind === 'campaign' && verb === 'create'))
    await listCampaignsBeforeCreate(ctx);
  const isLate = (batch: PlanBatch): boolean => batch.kind === 'videoProfile' || batch.kind === 'review';
  const late = plan.batches.filter(isLate);
  const early = byCampaign(plan.batches.filter((batch) => !isLate(batch)));
  const lateOnes = new Set(late.map(({ campaignId }) => campaignId));
  const finished = new Set<RowId>();
  let unfinished = early.length + late.length;
  const send = async (part: SyncContext, batches: readonly PlanBatch[]): Promise<void> => {
    await sendBatches(part, batches);
    unfinished--;
    for (const { campaignId } of batches)
      if (campaignId !== null && !lateOnes.has(campaignId)) finished.add(campaignId);
  };
  const readAhead = async (part: SyncContext, [first]: readonly PlanBatch[]): Promise<void> => {
    const campaignId = first?.campaignId ?? null;
    if (campaignId !== null && finished.has(campaignId)) await prefetchReadAfterWrite(part, campaignId);
  };
  const readList: Work = async (part) => {
    if (unfinished === 0) await readListAhead(part);
  };
  const works: readonly Work[] = [
    (part) => uploadVideos(part, plan),
    ...early.map((batches) => (part: SyncContext) => send(part, batches)),
    ...early.map((batches) => (part: SyncContext) => readAhead(part, batches)),
    readList,
  ];
  await inParallel(ctx, works, doWork, () => maxCampaigns(ctx) + 1);
  if (isOver(ctx) || late.length === 0) return;
  await awaitProposal(ctx, late);
  indexRows(ctx, await ctx.ports.workspace.readMedia());
  enter(ctx, late.some(({ kind }) => kind === 'review') ? 'submitting' : 'sending');
  await inParallel(ctx, byCampaign(late), sendBatches);
}

/**
 * A new campaign becomes a proposal after a moment, and only then accepts a review (document, "Campaign status"). If
 * campaigns can be read, they are read at most twice; a review that is still too early is left for the next sync.
 */
async function awaitProposal(ctx: SyncContext, late: readonly PlanBatch[]): Promise<void> {
  if (!ctx.options.capabilities.campaignRead) return;
  const asked = late.filter(({ kind }) => kind === 'review').flatMap(({ campaignId }) => campaignId ?? []);
  for (let looks = 0; looks < 2; looks++) {
    const isTooEarly = asked.some((id) => !ctx.state.troubled.has(id) && isStillEnabled(ctx, id));
    if (!isTooEarly || isOver(ctx)) return;
    if (looks > 0) await ctx.ports.clock.sleep(MOMENT_MS);
    await readCampaigns(ctx);
    indexTrees(ctx, await ctx.ports.workspace.readTrees(asked));
  }
}

const MOMENT_MS = 1000;

function isStillEnabled(ctx: SyncContext, campaignId: RowId): boolean {
  const row = ctx.index.rows.get(`campaign:${campaignId}`);
  return row?.kind === 'campaign' && (row.values.serviceStatus ?? 'enabled') === 'enabled';
}

async function uploadVideos(ctx: SyncContext, plan: Plan): Promise<void> {
  for (const item of plan.uploads) {
    if (isOver(ctx)) return;
    await uploadVideo(ctx, item);
  }
}

async function sendBatches(ctx: SyncContext, batches: readonly PlanBatch[]): Promise<void> {
  for (const batch of batches) {
    if (isOver(ctx) || mustWait(ctx, batch)) skipRows(ctx, batch);
    else await sendBatch(ctx, batch);
  }
}

/**
 * A video profile is sent only if its video is available, and a review only if its whole campaign was accepted: nothing
 * can be added while a review is open.
 */
function mustWait(ctx: SyncContext, batch: PlanBatch): boolean {
  if (batch.kind === 'review') {
    if (batch.campaignId === null) return false;
    const isTooEarly = ctx.options.capabilities.campaignRead && isStillEnabled(ctx, batch.campaignId);
    const wasRefused = ctx.state.tally.refused.some(({ kind, id }) => kind === 'adGroup' && id === batch.adGroupId);
    return isTooEarly || wasRefused || ctx.state.troubled.has(batch.campaignId);
  }
  if (batch.kind !== 'videoProfile') return false;
  return batch.elements.some(({ sent }) => {
    const video = ctx.index.rows.get(`media:${sent['video']}`);
    return video?.kind !== 'media' || video.values.mediaState !== 'available';
  });
}

const byCampaign = (batches: readonly PlanBatch[]): readonly (readonly PlanBatch[])[] => [
  ...Map.groupBy(batches, ({ campaignId }) => campaignId).values(),
];

/** Whether to plan again: an unconfirmed request was resolved, or rows were changed on the service since the plan. */
async function mayPlanAgain(ctx: SyncContext): Promise<boolean> {
  const isCleared = await waitForDoubt(ctx);
  if (isOver(ctx) || ctx.state.changedThere.size === 0) return isCleared;
  await resolveByPolicy(ctx);
  ctx.state.troubled.clear();
  return true;
}

/** @returns true if an unconfirmed request was resolved */
async function waitForDoubt(ctx: SyncContext): Promise<boolean> {
  for (;;) {
    const before = await countInDoubt(ctx);
    if (before === 0 || ctx.state.wakeAt === null || isOver(ctx)) return false;
    ctx.state.phase = 'waiting';
    progress(ctx, ctx.state.wakeAt);
    await ctx.ports.clock.sleep(Math.max(0, ctx.state.wakeAt - ctx.ports.clock.nowMs()));
    if (isOver(ctx)) return false;
    enter(ctx, 'resolving');
    await resolveUnconfirmed(ctx);
    if ((await countInDoubt(ctx)) < before) {
      // The campaigns of resolved requests are planned again, including their reviews.
      ctx.state.troubled.clear();
      return true;
    }
  }
}

async function countInDoubt(ctx: SyncContext): Promise<number> {
  const states = await ctx.ports.outbox.countStates();
  ctx.state.tally.inDoubt = states.IN_DOUBT;
  return states.IN_DOUBT;
}

/** Cancels the open reviews of campaigns, so that their ad groups can be changed again. */
export async function cancelReviews(ctx: SyncContext): Promise<void> {
  await ctx.ports.outbox.recover();
  const ids = ctx.options.campaignIds ?? [];
  const trees = await ctx.ports.workspace.readTrees(ids);
  indexTrees(ctx, trees);
  enter(ctx, 'submitting');
  await inParallel(ctx, trees, cancelOne, () => maxRequests(ctx));
}

/**
 * Cancels the open reviews of campaigns, sends the changes that were waiting for their end, and submits the campaigns
 * again. Each part uses the state read after the previous one: if a review could not be canceled, its edits are not
 * sent.
 */
export async function restartReviews(ctx: SyncContext): Promise<void> {
  await refuseOtherRestart(ctx);
  if (isOver(ctx)) return;
  await cancelReviews(ctx);
  if (!isOver(ctx)) await runSync(ctx);
}

async function cancelOne(ctx: SyncContext, tree: CampaignTree): Promise<void> {
  for (const batch of numbered(cancellations(tree))) await sendBatch(ctx, batch);
  await pullCampaign(ctx, tree, ['review']);
}

/** Polls all open reviews and the uploads in processing. */
export async function pollReviews(ctx: SyncContext): Promise<void> {
  const media = await ctx.ports.workspace.readMedia();
  indexRows(ctx, media);
  await pollMedia(ctx, media);
  if (isOver(ctx)) return;
  const open = await ctx.ports.outbox.openReviews();
  const ids = [...new Set(open.map(({ campaignId }) => campaignId))];
  if (ids.length === 0) return;
  const trees = await ctx.ports.workspace.readTrees(ids);
  indexTrees(ctx, trees);
  await readCampaigns(ctx);
  await inParallel(
    ctx,
    trees,
    (part, tree) => pullCampaign(part, tree, ['review']),
    () => maxRequests(ctx),
  );
  await readAfterReviews(ctx);
  await saveConfirmation(ctx);
  await resolveByPolicy(ctx);
}

/** The selection with the check boxes of these rows cleared. */
const withoutRows = (chosen: ChosenRows | null, rows: readonly RowRef[]): ChosenRows => ({
  rows: chosen?.rows ?? [],
  below: chosen?.below ?? false,
  picks: [...(chosen?.picks ?? []), ...rows.map(({ kind, id }) => ({ campaignId: null, kind, id, on: false }))],
});

/**
 * Stops the run if the plan differs from the reviewed plan. Later plans of the run, after resolved requests, are not
 * compared.
 */
function refuseOther(ctx: SyncContext, plan: Plan): void {
  const reviewed = ctx.state.reviewedPlan;
  if (reviewed === null) return;
  const changed = planDifference(linesOf(reviewed), linesOf(planText(plan)));
  if (changed.length === 0) return;
  const first = changed.slice(0, 2).map(({ sign, line }) => `${sign} ${line}`);
  ctx.state.stop = { cause: 'plan-changed', detail: first.join(' ').slice(0, DETAIL_MAX), otherPlan: changed };
}

const DETAIL_MAX = 600;

/**
 * Like `refuseOther`, for a run that cancels reviews, before the first is canceled. The rest of the reviewed plan is
 * what the run sends after that.
 */
async function refuseOtherRestart(ctx: SyncContext): Promise<void> {
  if (ctx.state.reviewedPlan === null) return;
  const due = await loadPlanScope(ctx, null);
  const rest = await loadAndPlan(ctx, { ...due, trees: due.trees.map(withReviewsCancelled) });
  refuseOther(ctx, afterCancelling(due.trees.flatMap(cancellations), rest));
  ctx.state.reviewedPlan = planText(rest);
}

const onlyRows = (plan: Plan, rows: ReadonlySet<string>): Plan => ({
  ...plan,
  uploads: [],
  batches: plan.batches.map((batch) => ({
    ...batch,
    elements: batch.elements.filter(({ kind, id }) => rows.has(rowKey(kind, id))),
  })),
});

/**
 * Stores the contents of a reviewed plan once it was compared, and stops a later part of that sync if its plan has
 * contents that were not approved. The rest of a partly sent plan can't be compared by text: requests have other
 * numbers, and created rows have IDs. Rows planned again after a resolved request are approved with it.
 */
function checkApproved(ctx: SyncContext, plan: Plan): void {
  if (ctx.state.stop !== null) return;
  if (ctx.state.reviewedPlan !== null) ctx.state.approved ??= contentsOf(plan);
  const { approved } = ctx.state;
  if (approved === null) return;
  const others = [...contentsOf(plan)].filter((content) => !approved.has(content));
  const [first] = others;
  if (first === undefined) return;
  const more = others.length === 1 ? '' : `, and ${others.length - 1} more`;
  ctx.state.stop ??= { cause: 'plan-changed', detail: `not in the reviewed plan: ${first.slice(0, 500)}${more}` };
}

/**
 * Lists finished uploads once, a read that every deployment has (document, "GET /api/v1/media"). A refusal counts as a
 * response; any other failure becomes the stop reason.
 */
export async function probe(ctx: SyncContext): Promise<void> {
  const answer = await ctx.ports.api.media(null);
  if (answer.ok || answer.error.kind === 'refused') return liftLimit(ctx, 'read');
  const { error } = answer;
  if (error.kind === 'later') await keepLimit(ctx, 'read', error.retryAt, error.retryAfterMs);
  stopFor(ctx, error);
}

/** Reads the campaigns that this run may touch and adds them to its index. */
async function loadDueCampaigns(ctx: SyncContext): Promise<readonly CampaignTree[]> {
  const ids = await dueCampaigns(ctx.ports.outbox, ctx.options);
  const isChosen = choiceOf(ctx.options.chosen ?? null);
  const trees: CampaignTree[] = [];
  for (const some of split(ids, CAMPAIGNS_A_READ)) {
    const read = await ctx.ports.workspace.readTrees(some);
    const found = isChosen === null ? read : read.filter((tree) => containsSelected(tree, isChosen));
    indexTrees(ctx, found);
    trees.push(...found);
  }
  return trees;
}

/** The campaigns for a plan, and all rows with an error, including rows of other campaigns. */
type PlanScope = Awaited<ReturnType<typeof loadPlanScope>>;

/** @param known the campaigns if they were just read and are still current; else null */
export async function loadPlanScope(ctx: SyncContext, known: readonly CampaignTree[] | null) {
  const trees = known ?? (await loadDueCampaigns(ctx));
  return { trees, errors: await ctx.ports.workspace.rowsWithErrors() };
}

/** Reads the other inputs of a plan and makes it. Campaigns whose rows are left out for a problem get no review. */
export async function loadAndPlan(ctx: SyncContext, { trees, errors }: PlanScope): Promise<Plan> {
  indexRows(ctx, await ctx.ports.workspace.readMedia());
  const live = await ctx.ports.outbox.live();
  const conflicts = await ctx.ports.outbox.conflicts();
  // Rows that failed in this run are not sent again by it.
  const refused = ctx.state.tally.refused.map(({ kind, id }) => rowKey(kind, id));
  const today = await ctx.ports.today();
  const withErrors = new Set([...errors.map(({ kind, id }) => rowKey(kind, id)), ...refused]);
  const signOffs = (await ctx.ports.signOffs?.()) ?? null;
  const gathered = { trees, live, conflicts, absent: ctx.state.absent, withErrors, signOffs };
  const settings = { ...ctx.options, today };
  const unchanged = ctx.ports.unchangedPlan(gathered, settings);
  const plan = unchanged ?? (await ctx.ports.runInSlices(planInParts(planInputOf(gathered, settings))));
  if (signOffs !== null) {
    const offered = offeredRows(plan, trees).map((row) => [rowKey(row.kind, row.id), row.contents[0] ?? ''] as const);
    ctx.state.digests = new Map(offered.map(([key, content]) => [key, signOffs.digestOf(content)]));
  }
  for (const left of plan.leftOut) {
    const campaignId = ctx.index.rows.get(rowKey(left.kind, left.id))?.campaignId ?? null;
    const standsInTheWay = left.reason !== 'held' && left.reason !== 'nothing-to-send' && left.reason !== 'not-offered';
    if (campaignId !== null && standsInTheWay) ctx.state.troubled.add(campaignId);
  }
  return plan;
}
