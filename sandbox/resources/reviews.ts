import { requireRead, requireWrite } from '../access.ts';
import { parseId, queryId, readElements, readId, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { findOpenReview } from '../lookups.ts';
import { messages, ownMessages } from '../messages.ts';
import type { CampaignRow, ReviewRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { failure, type Result, success } from '../wire/results.ts';
import { type Call, create, type Route, read, update } from '../wire/route.ts';
import { findComponents, listComponents, profileTypeOf, submitComponent } from './review-components.ts';
import { findReview, isOpen, scheduleReview } from './review-decisions.ts';
import { findGroupOfCampaign, type GroupOfCall } from './sba-fields.ts';

/**
 * "Review": request, outcome, cancellation. One review per ad group may be open; while it is, bids, budgets, disabling
 * and cancelling are allowed, and adding, re-enabling and profile changes are not.
 */
export const reviewRoutes: readonly Route[] = [
  read('/api/v1/review', listReviews),
  create('/api/v1/review', createReviews),
  update('/api/v1/review', cancelReviews),
];

const reviewable: readonly CampaignRow['status'][] = ['proposal', 'paused', 'scheduled', 'live', 'rescheduled'];

function createReviews(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    campaignId: readId(fields, 'campaignId'),
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing),
  }));
  const groups = elements.map(({ campaignId, adGroupId }) => findGroupOfCampaign(service, campaignId, adGroupId));
  for (const { campaign } of groups) requireWrite(call.principal, campaign.advertiser_id, 'other');
  return groups.map((group) => createReview(service, group));
}

function createReview(service: Service, { campaign, group }: GroupOfCall): Result {
  const adGroupId = group.ad_group_id;
  const problem = judgeReview(service, campaign, adGroupId);
  if (problem !== null) return failure('reviewId', problem);
  const reviewId = startReview(service, campaign, adGroupId);
  return success('reviewId', reviewId, { status: 'submitted' });
}

function judgeReview(service: Service, campaign: CampaignRow, adGroupId: number): string | null {
  if (campaign.campaign_type === 'sponsoredProducts') return ownMessages.reviewNotForType;
  if (!reviewable.includes(campaign.status)) return ownMessages.reviewNotAllowed(campaign.status);
  if (findOpenReview(service, adGroupId) !== undefined) return ownMessages.reviewOpen;
  if (findComponents(service, adGroupId, profileTypeOf(campaign)).length === 0) return ownMessages.reviewNeedsProfile;
  const items = service.store.all("SELECT 1 FROM ad_item WHERE ad_group_id = ? AND status = 'enabled'", adGroupId);
  return items.length < limits.adItemsMin ? ownMessages.reviewNeedsItem : null;
}

export function startReview(service: Service, campaign: CampaignRow, adGroupId: number): number {
  const reviewId = service.store.run(
    "INSERT INTO review (campaign_id, ad_group_id, status, created_ms) VALUES (?, ?, 'pending', ?)",
    campaign.campaign_id,
    adGroupId,
    service.clock.now(),
  );
  for (const type of [profileTypeOf(campaign), 'adItem', 'keyword'] as const) {
    for (const component of findComponents(service, adGroupId, type)) submitComponent(service, reviewId, component);
  }
  scheduleReview(service, reviewId);
  return reviewId;
}

function listReviews(service: Service, call: Call): readonly unknown[] {
  const advertiserId = parseId(call.query.get('advertiserId'));
  const reviewId = parseId(call.query.get('reviewId'));
  const campaignId = parseId(call.query.get('campaignId'));
  const adGroupId = required(queryId(call.query, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing);
  const { campaign } = findGroupOfCampaign(service, campaignId, adGroupId);
  requireRead(call.principal, campaign.advertiser_id, 'other');
  if (advertiserId !== null) requireRead(call.principal, advertiserId, 'other');
  return service.store
    .all<ReviewRow>('SELECT * FROM review WHERE ad_group_id = ? ORDER BY review_id', adGroupId)
    .filter((review) => reviewId === null || review.review_id === reviewId)
    .map((review) => showReview(service, review));
}

export function showReview(service: Service, review: ReviewRow): Readonly<Record<string, unknown>> {
  return {
    reviewId: review.review_id,
    campaignId: review.campaign_id,
    adGroupId: review.ad_group_id,
    reviewStatus: review.status,
    components: listComponents(service, review.review_id).map((row) => ({
      type: row.type,
      id: row.component_id,
      status: row.status,
      reason: row.reason,
    })),
  };
}

function cancelReviews(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    campaignId: readId(fields, 'campaignId'),
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing),
    reviewId: readId(fields, 'reviewId'),
  }));
  const groups = elements.map(({ campaignId, adGroupId }) => findGroupOfCampaign(service, campaignId, adGroupId));
  for (const { campaign } of groups) requireWrite(call.principal, campaign.advertiser_id, 'other');
  return elements.map(({ adGroupId, reviewId }) => {
    // Without an id, the open review of the group is meant.
    const review = reviewId === null ? findOpenReview(service, adGroupId) : findReview(service, reviewId);
    if (review === undefined || review.ad_group_id !== adGroupId)
      return failure('reviewId', ownMessages.reviewNotFound);
    if (!isOpen(review)) return failure('reviewId', ownMessages.reviewNotCancellable(review.status));
    service.store.run("UPDATE review SET status = 'cancelled' WHERE review_id = ?", review.review_id);
    return success('reviewId', review.review_id, { status: 'cancelled' });
  });
}
