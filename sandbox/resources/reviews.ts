import { requireRead } from '../access.ts';
import { findOpenReview, hasApprovedProfile, isEligible, moveCampaign, remindOfStart } from '../campaign-states.ts';
import { HOUR_MS } from '../clock.ts';
import { schedule } from '../due.ts';
import { parseId, queryId, readElements, readId, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, reviewReasons } from '../messages.ts';
import { readPngSize } from '../pictures.ts';
import { chance } from '../seed.ts';
import type { Service } from '../service.ts';
import { type CampaignRow, type ReviewComponentRow, type ReviewRow, showRow } from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import { type Call, create, type Route, read, update } from '../wire/route.ts';
import { findGroupOfCampaign, findWritableGroups, type GroupOfCall, orNotFound, readGroup } from './brand-profiles.ts';

/**
 * "Review": request, result, cancellation. An ad group has at most one open review. Meanwhile bids, budgets, disabling
 * and canceling are allowed; adding, re-enabling and profile changes are not.
 */
export const reviewRoutes: readonly Route[] = [
  read('/api/v1/review', listReviews),
  create('/api/v1/review', createReviews),
  update('/api/v1/review', cancelReviews),
];

const reviewable: readonly CampaignRow['status'][] = ['proposal', 'paused', 'scheduled', 'live', 'rescheduled'];

function createReviews(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map(readGroup);
  return findWritableGroups(service, call, elements, 'other').map((group) => createReview(service, group));
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
  const reviewId = service.store.insert('review', {
    campaign_id: campaign.campaign_id,
    ad_group_id: adGroupId,
    status: 'pending',
    created_ms: service.clock.now(),
  });
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
  const reviews = service.store
    .list('review', { ad_group_id: adGroupId })
    .filter((review) => reviewId === null || review.review_id === reviewId)
    .map((review) => showReview(service, review));
  return orNotFound(service, reviews, ownMessages.reviewNotFound);
}

export function showReview(service: Service, review: ReviewRow): Readonly<Record<string, unknown>> {
  return {
    ...showRow('review', review),
    components: listComponents(service, review.review_id).map((row) => showRow('review_component', row)),
  };
}

function cancelReviews(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    ...readGroup(fields),
    reviewId: readId(fields, 'reviewId'),
  }));
  return findWritableGroups(service, call, elements, 'other').map(({ adGroupId, reviewId }) => {
    // Without an ID, the group's open review is used.
    const review = reviewId === null ? findOpenReview(service, adGroupId) : service.store.find('review', reviewId);
    if (review === undefined || review.ad_group_id !== adGroupId)
      return failure('reviewId', ownMessages.reviewNotFound);
    if (!isOpen(review)) return failure('reviewId', ownMessages.reviewNotCancellable(review.status));
    service.store.update('review', review.review_id, { status: 'cancelled' });
    return success('reviewId', review.review_id, { status: 'cancelled' });
  });
}

/**
 * The components of a review ("Review"): the video profile, or every SBA profile of the group, and the enabled ad items
 * and keywords that are not approved yet. A decision is written to the component's own row.
 */
type ComponentType = 'videoProfile' | 'sbaProfile' | 'adItem' | 'keyword';

export interface Component {
  readonly type: ComponentType;
  readonly id: number;
}

/** By type: the rows that a review includes, and the SQL that writes its results to them. */
const sources: Readonly<
  Record<ComponentType, { readonly find: string; readonly write: string; readonly submit: string }>
> = {
  videoProfile: {
    find: 'SELECT ad_group_media_id AS id FROM ad_group_media WHERE ad_group_id = ? ORDER BY 1',
    submit:
      "UPDATE ad_group_media SET review_status = 'pending', review_reason = NULL WHERE ad_group_media_id = ? AND review_status <> 'approved'",
    write: 'UPDATE ad_group_media SET review_status = ?, review_reason = ? WHERE ad_group_media_id = ?',
  },
  sbaProfile: {
    find: 'SELECT sba_profile_id AS id FROM sba_profile WHERE ad_group_id = ? ORDER BY 1',
    submit:
      "UPDATE sba_profile SET review_status = 'pending', review_reason = NULL WHERE sba_profile_id = ? AND review_reason IS NOT NULL",
    write: 'UPDATE sba_profile SET review_status = ?, review_reason = ? WHERE sba_profile_id = ?',
  },
  adItem: {
    find: "SELECT ad_item_id AS id FROM ad_item WHERE ad_group_id = ? AND status = 'enabled' AND review_status <> 'approved' ORDER BY 1",
    submit: "UPDATE ad_item SET review_status = 'pending', review_reason = NULL WHERE ad_item_id = ?",
    write: 'UPDATE ad_item SET review_status = ?, review_reason = ? WHERE ad_item_id = ?',
  },
  keyword: {
    find: "SELECT keyword_id AS id FROM keyword WHERE ad_group_id = ? AND state = 'enabled' AND status <> 'approved' ORDER BY 1",
    submit: "UPDATE keyword SET status = 'pending', review_reason = NULL WHERE keyword_id = ?",
    write: 'UPDATE keyword SET status = ?, review_reason = ? WHERE keyword_id = ?',
  },
};

function profileTypeOf(campaign: CampaignRow): ComponentType {
  return campaign.campaign_type === 'video' ? 'videoProfile' : 'sbaProfile';
}

function findComponents(service: Service, adGroupId: number, type: ComponentType): readonly Component[] {
  return service.store.all<{ id: number }>(sources[type].find, adGroupId).map(({ id }) => ({ type, id }));
}

/** A submitted component becomes pending, unless it was approved before: it stays in use until the decision. */
function submitComponent(service: Service, reviewId: number, component: Component): void {
  const { type, id } = component;
  service.store.insert('review_component', { review_id: reviewId, type, component_id: id, status: 'pending' });
  service.store.run(sources[type].submit, id);
}

function decideComponent(
  service: Service,
  reviewId: number,
  component: Component,
  status: 'approved' | 'rejected',
  reason: string | null,
): void {
  const why = status === 'approved' ? null : (reason ?? reviewReasons.unspecified);
  service.store.run(
    'UPDATE review_component SET status = ?, reason = ? WHERE review_id = ? AND type = ? AND component_id = ?',
    status,
    why,
    reviewId,
    component.type,
    component.id,
  );
  // The status of an SBA profile is "complete" in both cases; the reason distinguishes a rejection.
  const word = component.type === 'sbaProfile' ? 'complete' : status;
  service.store.run(sources[component.type].write, word, why, component.id);
}

function listComponents(service: Service, reviewId: number): readonly ReviewComponentRow[] {
  return service.store.list('review_component', { review_id: reviewId });
}

function isComponentType(text: string): text is ComponentType {
  return Object.hasOwn(sources, text);
}

/**
 * The reviewers' side: a review starts within hours and is decided after 1 to 3 days (the moves are in `states.ts`).
 * Undecided reviews are decided by the clock. It approves, except for a logo that breaks the content rules and,
 * depending on the seed, one in twenty items and keywords; never the first of a group, so that practice ends with a
 * running campaign.
 */
export interface Decision extends Component {
  readonly status: 'approved' | 'rejected';
  readonly reason: string | null;
}

function scheduleReview(service: Service, reviewId: number): void {
  const { seed } = service.settings;
  const now = service.clock.now();
  const days = limits.reviewMinDays + chance(seed, 'days', reviewId) * (limits.reviewMaxDays - limits.reviewMinDays);
  schedule(service, 'review.begin', reviewId, now + (1 + chance(seed, 'begin', reviewId) * 5) * HOUR_MS);
  schedule(service, 'review.decide', reviewId, now + Math.floor(days * 24 * HOUR_MS));
}

export function isOpen(review: ReviewRow): boolean {
  return review.status === 'pending' || review.status === 'in-progress';
}

export function beginDueReview(service: Service, subject: string): void {
  service.store.run(
    "UPDATE review SET status = 'in-progress' WHERE review_id = ? AND status = 'pending'",
    Number(subject),
  );
}

/** Decides every component that is still open when the review is due. */
export function decideDueReview(service: Service, subject: string): void {
  const review = service.store.find('review', Number(subject));
  if (review === undefined || !isOpen(review)) return;
  const open = openComponents(service, review.review_id);
  decideReview(
    service,
    review,
    open.map((component) => decideBySeed(service, component, open)),
  );
}

export function openComponents(service: Service, reviewId: number): readonly Component[] {
  return listComponents(service, reviewId)
    .filter((row) => row.status === 'pending')
    .flatMap((row) => (isComponentType(row.type) ? [{ type: row.type, id: row.component_id }] : []));
}

/** Writes decisions; the review ends with the last open component. */
export function decideReview(service: Service, review: ReviewRow, decisions: readonly Decision[]): void {
  for (const decision of decisions) {
    decideComponent(service, review.review_id, decision, decision.status, decision.reason);
  }
  const components = listComponents(service, review.review_id);
  if (components.some((component) => component.status === 'pending')) {
    service.store.update('review', review.review_id, { status: 'in-progress' });
    return;
  }
  const status = components.some((component) => component.status === 'rejected') ? 'rejected' : 'approved';
  service.store.update('review', review.review_id, { status });
  applyOutcome(service, review);
}

/** Moves the campaign after a review; see the diagram in `states.ts`. */
function applyOutcome(service: Service, review: ReviewRow): void {
  const campaign = service.store.find('campaign', review.campaign_id);
  if (campaign === undefined) return;
  if (isEligible(service, review.ad_group_id, campaign)) {
    // A scheduled campaign may have waited for this beyond its start date.
    if (moveCampaign(service, campaign, 'approve', 'system') === null) remindOfStart(service, campaign.campaign_id);
    return;
  }
  const isProfileRejected = listComponents(service, review.review_id).some(
    (row) => row.type.endsWith('Profile') && row.status === 'rejected',
  );
  // The other SBA profile may be enabled and approved: then the campaign still has a profile to show.
  if (isProfileRejected && !hasApprovedProfile(service, review.ad_group_id, campaign)) {
    moveCampaign(service, campaign, 'reject-profile', 'ad operations');
  }
}

function decideBySeed(service: Service, component: Component, open: readonly Component[]): Decision {
  const approved: Decision = { ...component, status: 'approved', reason: null };
  if (component.type === 'sbaProfile') {
    const reason = judgeLogo(service, component.id);
    return reason === null ? approved : { ...component, status: 'rejected', reason };
  }
  if (component.type === 'videoProfile') return approved;
  const first = open.find((other) => other.type === component.type);
  const unlucky = chance(service.settings.seed, component.type, component.id) < 0.05;
  if (!unlucky || first?.id === component.id) return approved;
  const reason = component.type === 'adItem' ? reviewReasons.item : reviewReasons.keyword;
  return { ...component, status: 'rejected', reason };
}

/**
 * "SBA profile content rules": 100 x 100 px and at most 200 Kb. Without a logo only the texts of a profile are
 * reviewed.
 */
function judgeLogo(service: Service, sbaProfileId: number): string | null {
  const logo = service.store.find('sba_profile', sbaProfileId)?.logo ?? null;
  if (logo === null) return null;
  if (logo.byteLength > limits.logoContentMaxBytes) return reviewReasons.logoBytes;
  const size = readPngSize(logo);
  const fits = size?.width === limits.logoPixels && size.height === limits.logoPixels;
  return fits ? null : reviewReasons.logoPixels;
}
