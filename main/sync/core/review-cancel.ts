import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { numbered } from '../../../shared/plan/batches.ts';
import { cancellations } from '../../../shared/plan/review-restart.ts';
import { learnRows, learnTrees } from './books.ts';
import { noteConfirmed } from './confirmed.ts';
import { isOver, progress, type RoundContext } from './context.ts';
import { lanes, tx, type Work } from './effects.ts';
import { lanesNow } from './lane-limit.ts';
import { pollMedia } from './media-state.ts';
import { pullCampaign } from './pull.ts';
import { readAfterReviews, readCampaigns } from './refresh.ts';
import { refuseOtherRestart } from './reviewed-plan.ts';
import { round } from './round.ts';
import { sendBatch } from './send.ts';
import { settleByPolicy } from './settle-conflict.ts';

/** Cancels the open reviews of campaigns, so that their groups can be changed again. */
export function* cancelReviews(ctx: RoundContext): Work<void> {
  yield* tx('recover', (ports) => ports.outbox.recover());
  const ids = ctx.campaignIds ?? [];
  const trees = yield* tx('read trees', (ports) => ports.workspace.readTrees(ids));
  learnTrees(ctx, trees);
  ctx.phase = 'submitting';
  yield* progress(ctx);
  yield* lanes(
    trees.map((tree) => cancelOne(ctx, tree)),
    () => lanesNow(ctx),
  );
}

/**
 * Cancels the open reviews of campaigns, sends what waited for their end, and asks for the reviews anew. Each part starts
 * from what the service says after the one before: a review that could not be cancelled keeps its edits here.
 */
export function* restartReviews(ctx: RoundContext): Work<void> {
  yield* refuseOtherRestart(ctx);
  if (isOver(ctx)) return;
  yield* cancelReviews(ctx);
  if (!isOver(ctx)) yield* round(ctx);
}

function* cancelOne(ctx: RoundContext, tree: CampaignTree): Work<void> {
  for (const batch of numbered(cancellations(tree))) yield* sendBatch(ctx, batch);
  if (ctx.stop === null) yield* pullCampaign(ctx, tree, ['review']);
}

/** Asks for the outcome of every open review, and of the uploads still being worked on. */
export function* pollReviews(ctx: RoundContext): Work<void> {
  const media = yield* tx('read media', (ports) => ports.workspace.readMedia());
  learnRows(ctx, media);
  yield* pollMedia(ctx, media);
  if (isOver(ctx)) return;
  const open = yield* tx('open reviews', (ports) => ports.outbox.openReviews());
  const ids = [...new Set(open.map(({ campaignId }) => campaignId))];
  if (ids.length === 0) return;
  const trees = yield* tx('read trees', (ports) => ports.workspace.readTrees(ids));
  learnTrees(ctx, trees);
  yield* readCampaigns(ctx);
  yield* lanes(
    trees.map((tree) => pullCampaign(ctx, tree, ['review'])),
    () => lanesNow(ctx),
  );
  yield* readAfterReviews(ctx);
  yield* noteConfirmed(ctx);
  yield* settleByPolicy(ctx);
}
