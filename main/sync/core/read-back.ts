import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { learnTrees } from './books.ts';
import { noteConfirmed } from './confirmed.ts';
import { isOver, type RoundContext } from './context.ts';
import { lanes, tx, type Work } from './effects.ts';
import { openLanes } from './lane-limit.ts';
import { pullCampaign, type Readable } from './pull.ts';
import { readAfterReviews, readCampaigns } from './refresh.ts';

/**
 * Reads what was touched once more: the service cuts decimals, changes states, and may know of other edits. What
 * `readBackAhead` has read already is not read again.
 */
export function* readBack(ctx: RoundContext): Work<void> {
  const trees = yield* treesOf(
    ctx,
    [...ctx.touched.keys()].filter((id) => kindsTouched(ctx, id).length > 0),
  );
  if (needsList(ctx)) yield* readCampaigns(ctx);
  yield* lanes(
    trees.map((tree) => pullCampaign(ctx, tree, kindsTouched(ctx, tree.campaign.id))),
    () => openLanes(ctx),
  );
  yield* readAfterReviews(ctx);
  yield* noteConfirmed(ctx);
}

/** Reads one campaign back while others are still being sent. */
export function* readBackAhead(ctx: RoundContext, campaignId: RowId): Work<void> {
  const kinds = kindsTouched(ctx, campaignId);
  if (isOver(ctx) || kinds.length === 0 || ctx.troubled.has(campaignId)) return;
  for (const tree of yield* treesOf(ctx, [campaignId])) yield* pullCampaign(ctx, tree, kinds);
  // What could not be read, or was cut short, is tried once more at the end.
  if (isOver(ctx) || ctx.troubled.has(campaignId)) return;
  for (const kind of kinds) ctx.touched.get(campaignId)?.delete(kind);
}

/**
 * Reads the list of campaigns back while the last of them are read, once nothing more is sent. Where something went
 * wrong it is read at the end, when it shows more.
 */
export function* readListAhead(ctx: RoundContext): Work<void> {
  if (isOver(ctx) || ctx.troubled.size > 0 || !needsList(ctx)) return;
  yield* readCampaigns(ctx);
  if (isOver(ctx)) return;
  for (const kinds of ctx.touched.values()) kinds.delete('campaign');
}

const needsList = (ctx: RoundContext): boolean =>
  [...ctx.touched.values()].some((kinds) => kinds.has('campaign') || kinds.has('review'));

function* treesOf(ctx: RoundContext, ids: readonly RowId[]): Work<readonly CampaignTree[]> {
  if (ids.length === 0) return [];
  const trees = yield* tx('read trees', (ports) => ports.workspace.readTrees(ids));
  learnTrees(ctx, trees);
  return trees;
}

function kindsTouched(ctx: RoundContext, campaignId: RowId): readonly Readable[] {
  const kinds = ctx.touched.get(campaignId) ?? new Set();
  return [...kinds].filter((kind): kind is Readable => kind !== 'campaign' && kind !== 'media');
}
