import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyRow, Row } from '../../../shared/model/row.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import { newestReview, type ReviewComponent, type ReviewRecord } from '../../api/reviews.ts';
import type { CellUpdate } from '../../workspace/port.ts';
import { readAgain } from './again.ts';
import { ownerOf, remoteIdOf, valuesOf } from './books.ts';
import { confirm } from './confirmed.ts';
import type { RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';

/** Reads the newest review of a group and writes its outcome to the group and to the rows it covers. */
export function* applyReview(
  ctx: RoundContext,
  tree: CampaignTree,
  group: Row<'adGroup'>,
): Work<Result<null, ReadFailure>> {
  const remoteId = remoteIdOf(ctx, 'adGroup', group.id);
  if (remoteId === null) return ok(null);
  const reviews = yield* readAgain(ctx, 'list reviews', (ports) => ports.api.reviews(remoteId));
  if (!reviews.ok) return reviews;
  const newest = newestReview(reviews.value);
  if (newest === null) return ok(null);
  confirm(ctx, 'campaign', tree.campaign.remoteId);
  confirm(ctx, 'adGroup', remoteId);
  const updates = reviewUpdates(tree, group, newest, (kind, id) => ownerOf(ctx, kind, id));
  ctx.reviewsMoved ||= updates.length > 0;
  if (updates.length > 0) yield* tx('review outcome', (ports) => ports.workspace.setServiceFields(updates));
  return ok(null);
}

/** The cells in which rows differ from what a review says of them. */
function reviewUpdates(
  tree: CampaignTree,
  group: Row<'adGroup'>,
  review: ReviewRecord,
  ownerOfId: (kind: NonNullable<ReviewComponent['kind']>, id: ReviewComponent['remoteId']) => number | null,
): readonly CellUpdate[] {
  const updates: CellUpdate[] = [];
  const set = (row: AnyRow, field: string, value: Cell): void => {
    if (valuesOf(row)[field] !== value) updates.push({ kind: row.kind, id: row.id, field, value });
  };
  set(group, 'reviewStatus', review.state);
  set(group, 'reviewId', review.reviewId);
  // What a cancelled review thought of its parts no longer counts.
  if (review.state === 'cancelled') return updates;
  const rows: readonly AnyRow[] = [...tree.adItems, ...tree.keywords, ...tree.sbaProfiles, ...tree.videoProfiles];
  for (const component of review.components) {
    if (component.kind === null) continue;
    const { kind, remoteId } = component;
    const owner = ownerOfId(kind, remoteId);
    const row = rows.find((candidate) => candidate.kind === kind && candidate.id === owner);
    if (row === undefined) continue;
    set(row, 'reviewStatus', component.status);
    set(row, 'reviewReason', component.reason);
  }
  return updates;
}
