import { scheduleEnd } from '../campaign-states.ts';
import { addDays, dateAt, startOfDate } from '../clock.ts';
import { schedule } from '../due.ts';
import { limits } from '../limits.ts';
import { reviewReasons } from '../messages.ts';
import { drawLogo } from '../pictures.ts';
import { logoPath } from '../resources/brand-profiles.ts';
import { normaliseKeyword } from '../resources/keywords.ts';
import { FILM_MS } from '../resources/media.ts';
import type { Service } from '../service.ts';
import type { CampaignStatus } from '../states.ts';
import type { CampaignType } from '../tables.ts';

/** Building blocks of the scenarios: rows in the state that a real past would have left. */
export interface CampaignPlan {
  readonly advertiserId: number;
  readonly name: string;
  readonly type: CampaignType;
  readonly targeting?: 'auto' | 'manual';
  readonly status: CampaignStatus;
  /** Days from today; negative is the past. */
  readonly startsIn?: number;
  /** Days from today; omitted for an open end. */
  readonly endsIn?: number;
  readonly dailyCents: number;
  /** Days that the total budget lasts; 20 if omitted. */
  readonly budgetDays?: number;
}

export interface BuiltCampaign {
  readonly campaignId: number;
  readonly adGroupId: number;
}

/** Days that the total budget lasts by default. */
const DAYS_OF_BUDGET = 20;

export type Outcome = 'pending' | 'approved' | 'rejected';

export function buildCampaign(service: Service, plan: CampaignPlan): BuiltCampaign {
  const { store, clock } = service;
  const today = dateAt(clock.now());
  const wasLive = ['live', 'paused', 'completed', 'rescheduled'].includes(plan.status);
  const start = addDays(today, plan.startsIn ?? (wasLive ? -14 : 0));
  const end = plan.endsIn === undefined ? limits.openEndDate : addDays(today, plan.endsIn);
  const campaignId = store.insert('campaign', {
    advertiser_id: plan.advertiserId,
    name: plan.name,
    campaign_type: plan.type,
    targeting_type: plan.targeting ?? 'manual',
    budget: plan.dailyCents * (plan.budgetDays ?? DAYS_OF_BUDGET),
    daily_budget: plan.dailyCents,
    start_date: start,
    end_date: end,
    status: plan.status,
    was_live: wasLive ? 1 : 0,
  });
  if (plan.status === 'enabled') schedule(service, 'campaign.settle', campaignId, clock.now());
  if (plan.status === 'scheduled' || plan.status === 'rescheduled') {
    schedule(service, 'campaign.start', campaignId, Math.max(startOfDate(start), clock.now()));
  }
  if (plan.status === 'live') scheduleEnd(service, { campaign_id: campaignId, end_date: end });
  const name = `${plan.name} group`;
  const adGroupId = store.insert('ad_group', { campaign_id: campaignId, name, status: 'enabled' });
  return { campaignId, adGroupId };
}

/** Adds the advertiser's own items, starting at a position in its catalog. */
export function buildItems(
  service: Service,
  built: BuiltCampaign,
  from: number,
  count: number,
  outcome: Outcome,
): void {
  const items = service.store.all<{ item_key: number; suggested_bid: number }>(
    `SELECT item_key, suggested_bid FROM item JOIN campaign USING (advertiser_id)
     WHERE campaign_id = ? AND base_item_key IS NULL AND published = 1 AND readable = 1
     ORDER BY item_key LIMIT ? OFFSET ?`,
    built.campaignId,
    count,
    from,
  );
  for (const item of items) {
    service.store.insert('ad_item', {
      campaign_id: built.campaignId,
      ad_group_id: built.adGroupId,
      item_key: item.item_key,
      bid: Math.max(item.suggested_bid, limits.itemBidFloorCents),
      status: 'enabled',
      review_status: outcome,
      review_reason: reasonFor(outcome, reviewReasons.item),
    });
  }
}

export function buildKeywords(
  service: Service,
  built: BuiltCampaign,
  texts: readonly string[],
  bidCents: number,
  outcome: Outcome,
  /** Position of the first match type. */
  first = 0,
): void {
  texts.forEach((text, index) => {
    service.store.insert('keyword', {
      campaign_id: built.campaignId,
      ad_group_id: built.adGroupId,
      keyword_text: text,
      same_text: normaliseKeyword(text),
      match_type: limits.keywordMatchTypes[(first + index) % 3] ?? 'exact',
      bid: bidCents,
      state: 'enabled',
      status: outcome,
      review_reason: reasonFor(outcome, reviewReasons.keyword),
    });
  });
}

export function buildSbaProfile(
  service: Service,
  built: BuiltCampaign,
  brand: string,
  status: 'enabled' | 'disabled',
  outcome: Outcome,
  headline = `Made to last by ${brand}`,
): void {
  const query = encodeURIComponent(brand.toLowerCase());
  const sbaProfileId = service.store.insert('sba_profile', {
    campaign_id: built.campaignId,
    ad_group_id: built.adGroupId,
    search_amp_name: brand,
    headline_text: headline,
    click_url: `${service.settings.retailHost}/search?q=${query}`,
    logo_url: '',
    logo: drawLogo(brand),
    status,
    review_status: outcome === 'pending' ? 'pending' : 'complete',
    review_reason: reasonFor(outcome, reviewReasons.headline),
  });
  service.store.update('sba_profile', sbaProfileId, { logo_url: logoPath(sbaProfileId) });
}

/** A video in its final state; its file is the sample film. */
export function buildMedia(service: Service, advertiserId: number, name: string, hasCaption = false): number {
  const film = { advertiser_id: advertiserId, length_ms: FILM_MS };
  const uploadId = service.store.insert('media_upload', {
    ...film,
    media_type: 'video',
    expires_ms: 0,
    secret: '',
    has_video: 1,
    has_caption: hasCaption ? 1 : 0,
    completed: 1,
  });
  return service.store.insert('media', {
    ...film,
    upload_id: uploadId,
    name,
    status: 'available',
    details: '',
    verdict: '',
    has_caption: hasCaption ? 1 : 0,
  });
}

export function buildVideoProfile(service: Service, built: BuiltCampaign, mediaId: number, outcome: Outcome): void {
  service.store.insert('ad_group_media', {
    campaign_id: built.campaignId,
    ad_group_id: built.adGroupId,
    media_id: mediaId,
    status: 'enabled',
    review_status: outcome,
    review_reason: reasonFor(outcome, reviewReasons.captions),
  });
}

/** @param hundredths of a percent */
export function buildMultiplier(
  service: Service,
  { campaignId }: BuiltCampaign,
  kind: 'placement' | 'platform',
  type: string,
  hundredths: number,
): void {
  service.store.insert('multiplier', { kind, campaign_id: campaignId, type, multiplier: hundredths });
}

function reasonFor(outcome: Outcome, reason: string): string | null {
  return outcome === 'rejected' ? reason : null;
}
