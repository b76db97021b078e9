import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { KnownKind } from '../../shared/model/kinds.ts';
import { rowKey } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { PlanBatch, PlanElement } from '../../shared/plan/plan-types.ts';
import type { Listed, RemoteRecord } from '../api/fetch-records.ts';
import type { RemoteRow } from '../store/types.ts';
import { resolveByPolicy } from './conflicts.ts';
import {
  addRemoteId,
  ageOf,
  indexTrees,
  isOver,
  momentOf,
  remoteIdOf,
  rowForRemoteId,
  type SyncContext,
  stopFor,
  UNKNOWN_ROW,
} from './context.ts';
import { readLibrary } from './media-state.ts';
import { inParallel } from './parallel.ts';
import {
  ALL_BELOW,
  hasOwnIdentity,
  listKey,
  pullCampaign,
  type Readable,
  readableOnly,
  reportMissing,
  saveConfirmation,
  tellNotes,
  warnAboutDuplicates,
} from './read.ts';
import { isReadable, mergeableRows } from './remote-rows.ts';
import { readWithRetry } from './retry.ts';

/** Lists all campaigns of the account and merges them, if the deployment supports that list. */
export async function readCampaigns(ctx: SyncContext): Promise<void> {
  if (!ctx.options.capabilities.campaignRead) return;
  ctx.state.askedAt.set('campaign', momentOf(ctx));
  const list = await readWithRetry(ctx, (api) => api.campaigns());
  if (!list.ok) return stopFor(ctx, list.error);
  await learnIds(ctx, 'campaign');
  const readable = readableOnly(ctx, 'campaign', 'campaigns', list.value);
  const settled = await mergeableRows(ctx, 'campaign', null, readable);
  const rows: readonly RemoteRow[] = settled.map(({ remoteId, values }) => ({
    kind: 'campaign',
    remoteId,
    campaignId: null,
    adGroupId: null,
    values,
  }));
  await warnAboutDuplicates(ctx, 'campaign', settled);
  for (const { remoteId } of settled) {
    if (rowForRemoteId(ctx, 'campaign', remoteId) === null) ctx.index.owners.set(`campaign:${remoteId}`, UNKNOWN_ROW);
  }
  if (rows.length > 0) await ctx.ports.outbox.merge({ rows });
  if (ctx.state.isRefresh) await noteGoneCampaigns(ctx, list.value);
}

/** Records the campaigns that the complete list does not have. */
async function noteGoneCampaigns(ctx: SyncContext, list: Listed<RemoteRecord>): Promise<void> {
  const there = new Set(list.map(({ remoteId }) => remoteId));
  const known = await ctx.ports.outbox.knownIds({ kind: 'campaign' });
  const missing = known.filter(({ remoteId }) => !there.has(remoteId)).map(({ id }) => id);
  if (missing.length === 0) return;
  const trees = await ctx.ports.workspace.readTrees(missing);
  await reportMissing(
    ctx,
    trees.map(({ campaign }) => campaign),
    'campaign',
    list,
  );
}

/** A status from before a change of a review does not count as reported, so the list is read again after one. */
export async function readAfterReviews(ctx: SyncContext): Promise<void> {
  if (!ctx.state.reviewsMoved || isOver(ctx)) return;
  ctx.state.reviewsMoved = false;
  await readCampaigns(ctx);
}

/** Adds the IDs of all campaigns or ad groups to the index, including those the run does not touch. */
export async function learnIds(ctx: SyncContext, kind: KnownKind): Promise<void> {
  for (const { id, remoteId } of await ctx.ports.outbox.knownIds({ kind })) addRemoteId(ctx, kind, id, remoteId);
}

/**
 * Reads everything readable and merges it: all campaigns if they can be listed, and everything below each campaign with
 * an ID, or below those in `only`.
 */
export async function refresh(ctx: SyncContext, only: readonly RowId[] | null = null): Promise<void> {
  ctx.state.isRefresh = true;
  await readAll(ctx, only);
  await tellNotes(ctx);
}

async function readAll(ctx: SyncContext, only: readonly RowId[] | null): Promise<void> {
  await readLibrary(ctx);
  if (isOver(ctx)) return;
  await readCampaigns(ctx);
  if (isOver(ctx)) return;
  const trees = (await ctx.ports.workspace.readTrees(only ?? 'all')).filter(
    ({ campaign }) => campaign.remoteId !== null,
  );
  indexTrees(ctx, trees);
  if (ctx.options.capabilities.adGroupRead) {
    await inParallel(ctx, trees, (part, tree) => pullCampaign(part, tree, ['adGroup']));
  }
  if (isOver(ctx)) return;
  const ids = trees.map(({ campaign }) => campaign.id);
  const withGroups = ids.length === 0 ? [] : await ctx.ports.workspace.readTrees(ids);
  indexTrees(ctx, withGroups);
  const campaignIds: RowId[] = [];
  await inParallel(ctx, withGroups, (part, tree) => pullRest(part, tree, campaignIds));
  await readAfterReviews(ctx);
  await saveConfirmation(ctx);
  // A read of some campaigns does not update the age of the others.
  if (only === null) await ctx.ports.workspace.setMeta('last-refresh-at', String(ctx.ports.clock.nowMs()));
  // Also notifies windows, even without campaigns.
  await ctx.ports.outbox.recordRefresh({ campaignIds });
  await resolveByPolicy(ctx);
}

/**
 * Reads everything below a campaign except its ad groups; a campaign that was read completely is added to `readWhole`.
 */
async function pullRest(ctx: SyncContext, tree: CampaignTree, readWhole: RowId[]): Promise<void> {
  const { id, values } = tree.campaign;
  const kinds = ALL_BELOW.filter((kind) => kind !== 'adGroup' && isWorthReading(values.campaignType, kind));
  await pullCampaign(ctx, tree, kinds);
  if (!isOver(ctx) && !ctx.state.troubled.has(id)) readWhole.push(id);
}

/** Whether a campaign of this type can have a kind; an unknown type can have any. */
function isWorthReading(type: string | null, kind: (typeof ALL_BELOW)[number]): boolean {
  if (kind === 'sbaProfile') return type === 'sba' || type === null;
  if (kind === 'videoProfile') return type === 'video' || type === null;
  if (kind === 'review') return type !== 'sponsoredProducts';
  if (kind === 'placementMultiplier' || kind === 'platformMultiplier')
    return type === 'sponsoredProducts' || type === null;
  return true;
}

/**
 * Reads sent rows back: the service truncates decimals, changes states, and may have other edits. What
 * `prefetchReadAfterWrite` has read is not read again.
 */
export async function readAfterWrite(ctx: SyncContext): Promise<void> {
  const trees = await treesOf(
    ctx,
    [...ctx.state.touched.keys()].filter((id) => kindsTouched(ctx, id).length > 0),
  );
  if (needsList(ctx)) await readCampaigns(ctx);
  const due = trees.map((tree) => ({ tree, kinds: kindsTouched(ctx, tree.campaign.id) }));
  await inParallel(ctx, due, async (part, { tree, kinds }) => {
    await pullCampaign(part, tree, kinds);
    // Rows that a run has not read back when it ends are read by the next run.
    if (!isOver(part)) part.state.touched.delete(tree.campaign.id);
  });
  await readAfterReviews(ctx);
  await saveConfirmation(ctx);
  if (!isOver(ctx)) ctx.state.touched.clear();
}

/** Reads one campaign back while others are still being sent. */
export async function prefetchReadAfterWrite(ctx: SyncContext, campaignId: RowId): Promise<void> {
  const kinds = kindsTouched(ctx, campaignId);
  if (isOver(ctx) || kinds.length === 0 || ctx.state.troubled.has(campaignId)) return;
  for (const tree of await treesOf(ctx, [campaignId])) await pullCampaign(ctx, tree, kinds);
  // Failed and interrupted reads are repeated at the end.
  if (isOver(ctx) || ctx.state.troubled.has(campaignId)) return;
  for (const kind of kinds) ctx.state.touched.get(campaignId)?.delete(kind);
}

/**
 * Reads the list of campaigns while the last campaigns are read back, once nothing more is sent. After a failed change
 * it is read at the end instead, when it shows more.
 */
export async function readListAhead(ctx: SyncContext): Promise<void> {
  if (isOver(ctx) || ctx.state.troubled.size > 0 || !needsList(ctx)) return;
  await readCampaigns(ctx);
  if (isOver(ctx)) return;
  for (const kinds of ctx.state.touched.values()) kinds.delete('campaign');
}

const needsList = (ctx: SyncContext): boolean =>
  [...ctx.state.touched.values()].some((kinds) => kinds.has('campaign') || kinds.has('review'));

async function treesOf(ctx: SyncContext, ids: readonly RowId[]): Promise<readonly CampaignTree[]> {
  if (ids.length === 0) return [];
  const trees = await ctx.ports.workspace.readTrees(ids);
  indexTrees(ctx, trees);
  return trees;
}

/** Older values are read again before an update. The limit is one minute, minus 10 seconds for the wait for a slot. */
export const FRESH_MS = 50_000;

/**
 * Reads the rows of a request again if their last read is too old, for example after a wait for the next hour: an
 * update also sends unedited values and would overwrite a change made on the service since. The cost is one more read
 * for a delayed request, independent of the size of the account.
 *
 * @returns the request without the rows whose service values have changed; the next pass plans them again
 */
export async function withoutChanged(ctx: SyncContext, batch: PlanBatch): Promise<PlanBatch> {
  const { campaignId, kind, verb, elements } = batch;
  if (campaignId === null || kind === 'review' || kind === 'media' || !isReadable(ctx, kind)) return batch;
  const isKnown =
    verb === 'create' && hasOwnIdentity(ctx, kind) && !ctx.state.fresh.has(rowKey('campaign', campaignId));
  if (verb !== 'update' && !isKnown) return batch;
  const askedAt = ctx.state.askedAt.get(listKey(kind, campaignId));
  if (askedAt !== undefined && ageOf(ctx, askedAt) <= FRESH_MS) return batch;
  const before = new Map(elements.map((element) => [element, shownFor(ctx, element)]));
  if (kind === 'campaign') await readCampaigns(ctx);
  else for (const tree of await treesOf(ctx, [campaignId])) await pullCampaign(ctx, tree, [kind]);
  await treesOf(ctx, [campaignId]);
  const same = elements.filter((element) => shownFor(ctx, element) === before.get(element));
  if (same.length === elements.length) return batch;
  for (const element of elements) {
    if (!same.includes(element)) ctx.state.changedThere.add(rowKey(element.kind, element.id));
  }
  ctx.state.troubled.add(campaignId);
  return { ...batch, elements: same };
}

/** The row's remote ID and the last service values of the fields that an element sends. */
function shownFor(ctx: SyncContext, { kind, id, sent }: PlanElement): string {
  const base: AnyValues | null = ctx.index.rows.get(rowKey(kind, id))?.base ?? null;
  const values = base === null ? null : Object.keys(sent).map((field) => base[field] ?? null);
  return JSON.stringify([remoteIdOf(ctx, kind, id), values]);
}

function kindsTouched(ctx: SyncContext, campaignId: RowId): readonly Readable[] {
  const kinds = ctx.state.touched.get(campaignId) ?? new Set();
  return [...kinds].filter((kind): kind is Readable => kind !== 'campaign' && kind !== 'media');
}
