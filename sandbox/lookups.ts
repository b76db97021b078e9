import type { Service } from './service.ts';
import type { AdGroupRow, AdvertiserRow, CampaignRow, ReviewRow } from './store.ts';

/** Finding the rows that nearly every resource needs. An absent id (null) finds nothing. */
export function findCampaign(service: Service, campaignId: number | null): CampaignRow | undefined {
  return service.store.one<CampaignRow>('SELECT * FROM campaign WHERE campaign_id = ?', campaignId);
}

export function findAdGroup(service: Service, adGroupId: number | null): AdGroupRow | undefined {
  return service.store.one<AdGroupRow>('SELECT * FROM ad_group WHERE ad_group_id = ?', adGroupId);
}

export function findAdvertiser(service: Service, advertiserId: number | null): AdvertiserRow | undefined {
  return service.store.one<AdvertiserRow>('SELECT * FROM advertiser WHERE advertiser_id = ?', advertiserId);
}

/** The review of an ad group that is pending or in progress; there is at most one. */
export function findOpenReview(service: Service, adGroupId: number): ReviewRow | undefined {
  return service.store.one<ReviewRow>(
    "SELECT * FROM review WHERE ad_group_id = ? AND status IN ('pending', 'in-progress')",
    adGroupId,
  );
}
