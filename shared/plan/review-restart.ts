import { isUnderReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { type Draft, numbered } from './plan.ts';
import type { Plan } from './plan-types.ts';

/**
 * Taking the open reviews of a campaign back, so that its groups can be changed again: one request for each open review.
 *
 * @see document, "Review: cancel"
 */
export function cancellations({ campaign, adGroups }: CampaignTree): readonly Draft[] {
  return adGroups.flatMap((group): Draft[] => {
    const { reviewId } = group.values;
    if (!isUnderReview(group) || reviewId === null) return [];
    const body = {
      campaignId: { ref: 'campaign', id: campaign.id } as const,
      adGroupId: { ref: 'adGroup', id: group.id } as const,
      reviewId: { num: reviewId },
    };
    return [
      {
        kind: 'review',
        verb: 'cancel',
        method: 'PUT',
        path: '/api/v1/review',
        campaignId: campaign.id,
        adGroupId: group.id,
        elements: [{ kind: 'adGroup', id: group.id, remoteId: null, body, sent: { reviewId }, changed: [] }],
      },
    ];
  });
}

/** The campaign as it is once its open reviews are cancelled: what a plan made then would start from. */
export const withReviewsCancelled = (tree: CampaignTree): CampaignTree => ({
  ...tree,
  adGroups: tree.adGroups.map((group) =>
    isUnderReview(group) ? { ...group, values: { ...group.values, reviewStatus: 'cancelled' } } : group,
  ),
});

/** The plan that begins with cancelling: what `plan`, made of the campaigns as they are then, sends afterwards. */
export function afterCancelling(cancelling: readonly Draft[], plan: Plan): Plan {
  if (cancelling.length === 0) return plan;
  const first = numbered(cancelling);
  const rest = plan.batches.map((batch) => ({ ...batch, index: batch.index + first.length }));
  return { ...plan, batches: [...first, ...rest], elements: plan.elements + first.length };
}
