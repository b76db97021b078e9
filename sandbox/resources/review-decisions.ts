import { HOUR_MS } from '../calendar.ts';
import { remindOfStart } from '../campaign-schedule.ts';
import { moveCampaign } from '../campaign-states.ts';
import { schedule } from '../due.ts';
import { limits } from '../limits.ts';
import { findCampaign } from '../lookups.ts';
import { reviewReasons } from '../messages.ts';
import type { ReviewRow } from '../rows.ts';
import { chance } from '../seed.ts';
import type { Service } from '../service.ts';
import { hasApprovedProfile, isEligible } from './eligibility.ts';
import { readPngSize } from './png.ts';
import { type Component, decideComponent, isComponentType, listComponents } from './review-components.ts';

/**
 * The reviewers' side: a review is taken up in the first hours and decided after 1 to 3 days (the moves are in
 * `states.ts`). The clock decides what nobody decided. It approves, but rejects a logo that breaks the content rules and,
 * by the seed, one in twenty items and keywords; never the first of a group, so that practice ends in a campaign that
 * runs.
 */
export interface Decision extends Component {
  readonly status: 'approved' | 'rejected';
  readonly reason: string | null;
}

export function scheduleReview(service: Service, reviewId: number): void {
  const { seed } = service.settings;
  const now = service.clock.now();
  const days = limits.reviewMinDays + chance(seed, 'days', reviewId) * (limits.reviewMaxDays - limits.reviewMinDays);
  schedule(service, 'review.begin', reviewId, now + (1 + chance(seed, 'begin', reviewId) * 5) * HOUR_MS);
  schedule(service, 'review.decide', reviewId, now + Math.floor(days * 24 * HOUR_MS));
}

export function findReview(service: Service, reviewId: number): ReviewRow | undefined {
  return service.store.one<ReviewRow>('SELECT * FROM review WHERE review_id = ?', reviewId);
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

/** The clock's turn: decides every component that is still open. */
export function decideDueReview(service: Service, subject: string): void {
  const review = findReview(service, Number(subject));
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
    service.store.run("UPDATE review SET status = 'in-progress' WHERE review_id = ?", review.review_id);
    return;
  }
  const status = components.some((component) => component.status === 'rejected') ? 'rejected' : 'approved';
  service.store.run('UPDATE review SET status = ? WHERE review_id = ?', status, review.review_id);
  applyOutcome(service, review);
}

/** What the outcome does to the campaign; see the drawing in `states.ts`. */
function applyOutcome(service: Service, review: ReviewRow): void {
  const campaign = findCampaign(service, review.campaign_id);
  if (campaign === undefined) return;
  if (isEligible(service, review.ad_group_id, campaign)) {
    // One that stands on the schedule may have waited for this beyond its start date.
    if (moveCampaign(service, campaign, 'approve', 'system') === null) remindOfStart(service, campaign.campaign_id);
    return;
  }
  const isProfileRejected = listComponents(service, review.review_id).some(
    (row) => row.type.endsWith('Profile') && row.status === 'rejected',
  );
  // Of two SBA profiles the other may be enabled and approved: then there is still something to show.
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

/** "SBA profile content rules": 100 x 100 px and at most 200 Kb. A profile without a logo is judged by its texts. */
function judgeLogo(service: Service, sbaProfileId: number): string | null {
  const row = service.store.one<{ logo: Uint8Array<ArrayBuffer> | null }>(
    'SELECT logo FROM sba_profile WHERE sba_profile_id = ?',
    sbaProfileId,
  );
  const logo = row?.logo ?? null;
  if (logo === null) return null;
  if (logo.byteLength > limits.logoContentMaxBytes) return reviewReasons.logoBytes;
  const size = readPngSize(logo);
  const fits = size?.width === limits.logoPixels && size.height === limits.logoPixels;
  return fits ? null : reviewReasons.logoPixels;
}
