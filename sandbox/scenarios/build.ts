import { addDays, dateAt, startOfDate } from '../calendar.ts';
import { scheduleEnd } from '../campaign-states.ts';
import { schedule } from '../due.ts';
import { limits } from '../limits.ts';
import { reviewReasons } from '../messages.ts';
import { normaliseKeyword } from '../resources/keyword-changes.ts';
import { FILM_MS } from '../resources/sample-film.ts';
import { logoPath } from '../resources/sba-fields.ts';
import type { CampaignType } from '../rows.ts';
import type { Service } from '../service.ts';
import type { CampaignStatus } from '../states.ts';
import { drawLogo } from './logo.ts';

/** Building blocks of the scenarios: rows as they would be after a past that was never played. */
export interface CampaignPlan {
  readonly advertiserId: number;
  readonly name: string;
  readonly type: CampaignType;
  readonly targeting?: 'auto' | 'manual';
  readonly status: CampaignStatus;
  /** Days from today; negative is the past. */
  readonly startsIn?: number;
  /** Days from today; absent is the open end. */
  readonly endsIn?: number;
  readonly dailyCents: number;
}

export interface BuiltCampaign {
  readonly campaignId: number;
  readonly adGroupId: number;
}

/** The total budget lasts this long. */
const DAYS_OF_BUDGET = 20;

export type Outcome = 'pending' | 'approved' | 'rejected';

export function buildCampaign(service: Service, plan: CampaignPlan): BuiltCampaign {
  const { store, clock } = service;
  const today = dateAt(clock.now());
  const wasLive = ['live', 'paused', 'completed', 'rescheduled'].includes(plan.status);
  const start = addDays(today, plan.startsIn ?? (wasLive ? -14 : 0));
  const end = plan.endsIn === undefined ? limits.openEndDate : addDays(today, plan.endsIn);
  const campaignId = store.run(
    `INSERT INTO campaign (advertiser_id, name, campaign_type, targeting_type, budget, daily_budget, start_date, end_date,
       status, was_live) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    plan.advertiserId,
    plan.name,
    plan.type,
    plan.targeting ?? 'manual',
    plan.dailyCents * DAYS_OF_BUDGET,
    plan.dailyCents,
    start,
    end,
    plan.status,
    wasLive ? 1 : 0,
  );
  if (plan.status === 'enabled') schedule(service, 'campaign.settle', campaignId, clock.now());
  if (plan.status === 'scheduled' || plan.status === 'rescheduled') {
    schedule(service, 'campaign.start', campaignId, Math.max(startOfDate(start), clock.now()));
  }
  if (plan.status === 'live') scheduleEnd(service, { campaign_id: campaignId, end_date: end });
  const adGroupId = store.run(
    "INSERT INTO ad_group (campaign_id, name, status) VALUES (?, ?, 'enabled')",
    campaignId,
    `${plan.name} group`,
  );
  return { campaignId, adGroupId };
}

/** Adds the advertiser's own items, beginning at a place in its catalogue. */
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
    service.store.run(
      `INSERT INTO ad_item (campaign_id, ad_group_id, item_key, bid, status, review_status, review_reason)
       VALUES (?, ?, ?, ?, 'enabled', ?, ?)`,
      built.campaignId,
      built.adGroupId,
      item.item_key,
      Math.max(item.suggested_bid, limits.itemBidFloorCents),
      outcome,
      reasonFor(outcome, reviewReasons.item),
    );
  }
}

export function buildKeywords(
  service: Service,
  built: BuiltCampaign,
  texts: readonly string[],
  bidCents: number,
  outcome: Outcome,
): void {
  texts.forEach((text, index) => {
    service.store.run(
      `INSERT INTO keyword (campaign_id, ad_group_id, keyword_text, same_text, match_type, bid, state, status, review_reason)
       VALUES (?, ?, ?, ?, ?, ?, 'enabled', ?, ?)`,
      built.campaignId,
      built.adGroupId,
      text,
      normaliseKeyword(text),
      limits.keywordMatchTypes[index % 3] ?? 'exact',
      bidCents,
      outcome,
      reasonFor(outcome, reviewReasons.keyword),
    );
  });
}

export function buildSbaProfile(
  service: Service,
  built: BuiltCampaign,
  brand: string,
  status: 'enabled' | 'disabled',
  outcome: Outcome,
): number {
  const query = encodeURIComponent(brand.toLowerCase());
  const sbaProfileId = service.store.run(
    `INSERT INTO sba_profile (campaign_id, ad_group_id, search_amp_name, headline_text, click_url, logo_url, logo, status,
       review_status, review_reason) VALUES (?, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
    built.campaignId,
    built.adGroupId,
    brand,
    `Made to last by ${brand}`,
    `${service.settings.retailHost}/search?q=${query}`,
    drawLogo(brand),
    status,
    outcome === 'pending' ? 'pending' : 'complete',
    reasonFor(outcome, reviewReasons.headline),
  );
  service.store.run(
    'UPDATE sba_profile SET logo_url = ? WHERE sba_profile_id = ?',
    logoPath(sbaProfileId),
    sbaProfileId,
  );
  return sbaProfileId;
}

/** A video that was uploaded and processed long ago; the file behind it is the sample film. */
export function buildMedia(service: Service, advertiserId: number, name: string): number {
  const uploadId = service.store.run(
    `INSERT INTO media_upload (advertiser_id, media_type, expires_ms, secret, has_video, length_ms, completed)
     VALUES (?, 'video', 0, '', 1, ?, 1)`,
    advertiserId,
    FILM_MS,
  );
  return service.store.run(
    `INSERT INTO media (advertiser_id, upload_id, name, status, details, verdict, length_ms, has_caption)
     VALUES (?, ?, ?, 'available', '', '', ?, 0)`,
    advertiserId,
    uploadId,
    name,
    FILM_MS,
  );
}

export function buildVideoProfile(service: Service, built: BuiltCampaign, mediaId: number, outcome: Outcome): number {
  return service.store.run(
    `INSERT INTO ad_group_media (campaign_id, ad_group_id, media_id, status, review_status, review_reason)
     VALUES (?, ?, ?, 'enabled', ?, ?)`,
    built.campaignId,
    built.adGroupId,
    mediaId,
    outcome,
    reasonFor(outcome, reviewReasons.captions),
  );
}

function reasonFor(outcome: Outcome, reason: string): string | null {
  return outcome === 'rejected' ? reason : null;
}
