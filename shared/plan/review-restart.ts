import { isUnderReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { type Draft, numbered } from './plan.ts';
import type { Plan } from './plan-types.ts';

/**
 * Cancels the open reviews of a campaign, so that its groups can be changed again: one request for each open review.
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

/** The campaign after its open reviews were canceled, as the input of the plan. */
export const withReviewsCancelled = (tree: CampaignTree): CampaignTree => ({
  ...tree,
  adGroups: tree.adGroups.map((group) =>
    isUnderReview(group) ? { ...group, values: { ...group.values, reviewStatus: 'cancelled' } } : group,
  ),
});

/** A plan that first cancels reviews; `plan` was made from the campaigns after the cancellation. */
export function afterCancelling(cancelling: readonly Draft[], plan: Plan): Plan {
  if (cancelling.length === 0) return plan;
  const first = numbered(cancelling);
  const rest = plan.batches.map((batch) => ({ ...batch, index: batch.index + first.length }));
  return { ...plan, batches: [...first, ...rest], elements: plan.elements + first.length };
}
