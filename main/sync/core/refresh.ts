import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Listed, RemoteRecord } from '../../api/read.ts';
import type { RemoteRow } from '../../workspace/port.ts';
import { readAgain } from './again.ts';
import { learnId, learnTrees, ownerOf, UNKNOWN_ROW } from './books.ts';
import { noteConfirmed } from './confirmed.ts';
import { isOver, type RoundContext, stopFor } from './context.ts';
import { tellPossibleDuplicates } from './duplicates.ts';
import { lanes, tx, type Work } from './effects.ts';
import { noteGone } from './gone.ts';
import { openLanes } from './lane-limit.ts';
import { readLibrary } from './media-state.ts';
import { ALL_BELOW, pullCampaign } from './pull.ts';
import { readableOnly, tellNotes } from './read-notes.ts';
import { settleByPolicy } from './settle-conflict.ts';
import { settledOnly } from './settled-only.ts';

/** Lists all campaigns of the account and merges them, where the deployment offers that list. */
export function* readCampaigns(ctx: RoundContext): Work<void> {
  if (!ctx.capabilities.campaignRead) return;
  const list = yield* readAgain(ctx, 'list campaigns', (ports) => ports.api.campaigns());
  if (!list.ok) return stopFor(ctx, list.error);
  yield* learnCampaignIds(ctx);
  const readable = readableOnly(ctx, 'campaign', 'campaigns', list.value);
  const settled = yield* settledOnly(ctx, 'campaign', null, readable);
  const rows: readonly RemoteRow[] = settled.map(({ remoteId, values }) => ({
    kind: 'campaign',
    remoteId,
    campaignId: null,
    adGroupId: null,
    values,
  }));
  yield* tellPossibleDuplicates(ctx, 'campaign', settled);
  for (const { remoteId } of settled) {
    if (ownerOf(ctx, 'campaign', remoteId) === null) ctx.owners.set(`campaign:${remoteId}`, UNKNOWN_ROW);
  }
  const { epoch } = ctx;
  if (rows.length > 0) yield* tx('merge campaigns', (ports) => ports.outbox.merge({ epoch, rows }));
  if (ctx.isRefresh) yield* noteGoneCampaigns(ctx, list.value);
}

/** The list is of all campaigns, so one that it lacks is not there. */
function* noteGoneCampaigns(ctx: RoundContext, list: Listed<RemoteRecord>): Work<void> {
  const there = new Set(list.map(({ remoteId }) => remoteId));
  const known = yield* tx('known', (ports) => ports.outbox.knownIds({ kind: 'campaign' }));
  const missing = known.filter(({ remoteId }) => !there.has(remoteId)).map(({ id }) => id);
  if (missing.length === 0) return;
  const trees = yield* tx('read trees', (ports) => ports.workspace.readTrees(missing));
  yield* noteGone(
    ctx,
    trees.map(({ campaign }) => campaign),
    'campaign',
    list,
  );
}

/** A status that was read before a review moved is no report any more, so the list is read again when one did. */
export function* readAfterReviews(ctx: RoundContext): Work<void> {
  if (!ctx.reviewsMoved || isOver(ctx)) return;
  ctx.reviewsMoved = false;
  yield* readCampaigns(ctx);
}

/** Takes the ids of all campaigns of the workspace into the books, those that this round does not touch as well. */
export function* learnCampaignIds(ctx: RoundContext): Work<void> {
  for (const { id, remoteId } of yield* tx('known', (ports) => ports.outbox.knownIds({ kind: 'campaign' }))) {
    learnId(ctx, 'campaign', id, remoteId);
  }
}

/** The same of all ad groups. */
export function* learnGroupIds(ctx: RoundContext): Work<void> {
  for (const { id, remoteId } of yield* tx('known', (ports) => ports.outbox.knownIds({ kind: 'adGroup' }))) {
    learnId(ctx, 'adGroup', id, remoteId);
  }
}

/**
 * Reads everything readable and merges it: all campaigns where they can be listed, and what hangs from every
 * campaign whose id is known, or from those in `only`.
 */
export function* refresh(ctx: RoundContext, only: readonly RowId[] | null = null): Work<void> {
  ctx.isRefresh = true;
  yield* readAll(ctx, only);
  yield* tellNotes(ctx);
}

function* readAll(ctx: RoundContext, only: readonly RowId[] | null): Work<void> {
  yield* readLibrary(ctx);
  if (isOver(ctx)) return;
  yield* readCampaigns(ctx);
  if (isOver(ctx)) return;
  const trees = (yield* tx('read trees', (ports) => ports.workspace.readTrees(only ?? 'all'))).filter(
    ({ campaign }) => campaign.remoteId !== null,
  );
  learnTrees(ctx, trees);
  const groupsFirst = trees.map((tree) => pullCampaign(ctx, tree, ['adGroup']));
  if (ctx.capabilities.adGroupRead) yield* lanes(groupsFirst, () => openLanes(ctx));
  if (isOver(ctx)) return;
  const ids = trees.map(({ campaign }) => campaign.id);
  const withGroups = ids.length === 0 ? [] : yield* tx('read trees', (ports) => ports.workspace.readTrees(ids));
  learnTrees(ctx, withGroups);
  const campaignIds: RowId[] = [];
  yield* lanes(
    withGroups.map((tree) => pullRest(ctx, tree, campaignIds)),
    () => openLanes(ctx),
  );
  yield* readAfterReviews(ctx);
  yield* noteConfirmed(ctx);
  if (campaignIds.length > 0) yield* tx('note reads', (ports) => ports.outbox.noteRead({ campaignIds }));
  yield* settleByPolicy(ctx);
  // What was read of some campaigns says nothing of the age of the others.
  if (only !== null) return;
  const at = String(ctx.nowMs());
  yield* tx('note refresh', (ports) => ports.workspace.setMeta('last-refresh-at', at));
}

/** Reads what hangs from a campaign beside its ad groups; one that was read to its end is added to `readWhole`. */
function* pullRest(ctx: RoundContext, tree: CampaignTree, readWhole: RowId[]): Work<void> {
  const { id, values } = tree.campaign;
  const kinds = ALL_BELOW.filter((kind) => kind !== 'adGroup' && isWorthReading(values.campaignType, kind));
  yield* pullCampaign(ctx, tree, kinds);
  if (ctx.stop === null && !ctx.troubled.has(id)) readWhole.push(id);
}

/** Which kinds a campaign of this type can have at all; an unknown type can have any. */
function isWorthReading(type: string | null, kind: (typeof ALL_BELOW)[number]): boolean {
  if (kind === 'sbaProfile') return type === 'sba' || type === null;
  if (kind === 'videoProfile') return type === 'video' || type === null;
  if (kind === 'review') return type !== 'sponsoredProducts';
  if (kind === 'placementMultiplier' || kind === 'platformMultiplier')
    return type === 'sponsoredProducts' || type === null;
  return true;
}
