import type { AfterReview, Review } from '../../shared/api/reviews.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { isLockedByReview } from '../../shared/lifecycle/change-impact.ts';
import { isUnderReview, needsReview } from '../../shared/lifecycle/states.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { type Cell, textOrNull } from '../../shared/model/field-types.ts';
import { type AnyRow, isChanged, isHeld, type Row, rowKey } from '../../shared/model/row.ts';
import { ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { newestReview, type ReviewComponent, type ReviewRecord } from '../api/reviews.ts';
import type { CellUpdate } from '../store/types.ts';
import type { Workspace } from '../store/workspace.ts';
import { confirm, remoteIdOf, rowForRemoteId, type SyncContext, valuesOf } from './context.ts';
import { readWithRetry } from './retry.ts';

/** Reads the newest review of an ad group and stores its outcome in the ad group and the reviewed rows. */
export async function applyReview(
  ctx: SyncContext,
  tree: CampaignTree,
  group: Row<'adGroup'>,
): Promise<Result<null, ReadFailure>> {
  const remoteId = remoteIdOf(ctx, 'adGroup', group.id);
  if (remoteId === null) return ok(null);
  const reviews = await readWithRetry(ctx, (api) => api.reviews(remoteId));
  if (!reviews.ok) return reviews;
  const newest = newestReview(reviews.value);
  if (newest === null) return ok(null);
  confirm(ctx, 'campaign', tree.campaign.remoteId);
  confirm(ctx, 'adGroup', remoteId);
  const updates = reviewUpdates(tree, group, newest, (kind, id) => rowForRemoteId(ctx, kind, id));
  ctx.state.reviewsMoved ||= updates.length > 0;
  if (updates.length > 0) await ctx.ports.workspace.setServiceFields(updates);
  return ok(null);
}

/** The cells whose values differ from a review's. */
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
  // The results of a canceled review's components no longer count.
  if (review.state === 'cancelled') return updates;
  const rows = reviewedRows(tree);
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

/** The newest review of every ad group that has one, as stored in the rows by the last poll. */
export function reviewsIn(trees: readonly CampaignTree[]): Review[] {
  return trees.flatMap((tree) =>
    tree.adGroups.flatMap((group): Review[] => {
      const { reviewId, reviewStatus } = group.values;
      if (reviewId === null) return [];
      const components = reviewedRows(tree)
        .filter((row) => row.adGroupId === group.id && row.remoteId !== null)
        .map((row) => ({
          type: row.kind,
          id: String(row.remoteId),
          label: rowLabel(row),
          status: String(valuesOf(row)['reviewStatus'] ?? 'pending'),
          reason: textOrNull(valuesOf(row)['reviewReason']),
        }));
      return [
        {
          campaignId: tree.campaign.id,
          adGroupId: group.id,
          campaign: rowLabel(tree.campaign),
          reviewId,
          status: reviewStatus ?? 'pending',
          components,
        },
      ];
    }),
  );
}

/**
 * The number of reviews decided between two polls, from the newest reviews of the ad groups at both. A review that only
 * the second poll has counts if it is decided; one decided at the first poll does not count again.
 */
export function newReviewResults(before: readonly Review[], after: readonly Review[]) {
  const known = new Map(before.map((review) => [review.adGroupId, `${review.reviewId} ${review.status}`]));
  const fresh = after.filter((review) => known.get(review.adGroupId) !== `${review.reviewId} ${review.status}`);
  const count = (status: string): number => fresh.filter((review) => review.status === status).length;
  return { approved: count('approved'), rejected: count('rejected') };
}

interface AfterReviewDeps {
  readonly workspace: Pick<Workspace, 'campaignIds' | 'readTrees' | 'rowsWithErrors' | 'outbox'>;
  readonly profile: DeploymentSettings;
}

/** Maximum number of named rows per campaign. */
const NAMED = 5;

/**
 * Campaigns with edits that an open review locks: they are sent and reviewed after the review ends. Campaigns whose
 * review has ended come first, then by ID.
 */
export async function changesAfterReview({ workspace, profile }: AfterReviewDeps): Promise<AfterReview[]> {
  const everReviewed = await workspace.outbox.reviewedCampaigns();
  // Finding the changed campaigns of a large account takes a moment.
  const changed = new Set(everReviewed.length === 0 ? [] : await workspace.campaignIds('changed'));
  const reviewed = everReviewed.filter((id) => changed.has(id));
  if (reviewed.length === 0) return [];
  const asked = new Map((await workspace.outbox.reviewsAsked()).map(({ campaignId, at }) => [campaignId, at]));
  const { days } = profile.review;
  const trees = await workspace.readTrees(reviewed);
  // An approved campaign is scheduled, so that rules which allow a change during the review may block it now.
  const isOver = trees.some(({ adGroups }) => !adGroups.some(isUnderReview));
  const withErrors = new Set((isOver ? await workspace.rowsWithErrors() : []).map(({ kind, id }) => rowKey(kind, id)));
  const found = trees.flatMap((tree): AfterReview[] => {
    const edits = Map.groupBy(editsOf(tree), ({ kind, id }) => withErrors.has(rowKey(kind, id)));
    const rows = [...(edits.get(false) ?? []), ...(edits.get(true) ?? [])];
    if (rows.length === 0 || !needsReview(tree.campaign)) return [];
    const isOpen = tree.adGroups.some(isUnderReview);
    return [
      {
        campaignId: tree.campaign.id,
        campaign: rowLabel(tree.campaign),
        state: isOpen ? 'locked' : 'free',
        outcome: isOpen
          ? null
          : (tree.adGroups.find(({ values }) => values.reviewId !== null)?.values.reviewStatus ?? null),
        rows: rows.length,
        first: rows.slice(0, NAMED).map((row) => ({ kind: row.kind, id: row.id, label: rowLabel(row) })),
        blocked: isOpen ? 0 : (edits.get(true)?.length ?? 0),
        askedAt: isOpen ? (asked.get(tree.campaign.id) ?? null) : null,
        days: { min: days.min, max: days.max },
      },
    ];
  });
  return found.toSorted((a, b) => a.state.localeCompare(b.state) || a.campaignId - b.campaignId);
}

const editsOf = (tree: CampaignTree): readonly AnyRow[] =>
  reviewedRows(tree).filter((row) => isChanged(row) && !isHeld(row) && isLockedByReview(row));

/** The rows of a campaign that a review covers, in display order. */
const reviewedRows = (tree: CampaignTree): readonly AnyRow[] => [
  ...tree.sbaProfiles,
  ...tree.videoProfiles,
  ...tree.adItems,
  ...tree.keywords,
];
