import { findOpenReview } from '../lookups.ts';
import type { Service } from '../service.ts';
import type { AdGroupRow, CampaignRow } from '../store.ts';

/**
 * "Campaign status": what a campaign needs to be scheduled. Profile approved, at least one ad item approved, at least
 * one keyword bid approved.
 */
export function isEligible(service: Service, adGroupId: number, campaign: CampaignRow): boolean {
  const { store } = service;
  const item = store.one(
    "SELECT 1 FROM ad_item WHERE ad_group_id = ? AND status = 'enabled' AND review_status = 'approved'",
    adGroupId,
  );
  const keyword = store.one(
    "SELECT 1 FROM keyword WHERE ad_group_id = ? AND state = 'enabled' AND status = 'approved'",
    adGroupId,
  );
  return hasApprovedProfile(service, adGroupId, campaign) && item !== undefined && keyword !== undefined;
}

/** Is there a profile to show: enabled, and approved? */
export function hasApprovedProfile(service: Service, adGroupId: number, campaign: CampaignRow): boolean {
  const sql =
    campaign.campaign_type === 'video'
      ? "SELECT 1 FROM ad_group_media WHERE ad_group_id = ? AND status = 'enabled' AND review_status = 'approved'"
      : `SELECT 1 FROM sba_profile WHERE ad_group_id = ? AND status = 'enabled' AND review_status = 'complete'
         AND review_reason IS NULL`;
  return service.store.one(sql, adGroupId) !== undefined;
}

/** May a paused campaign be enabled again? "Review complete and campaign eligible." */
export function isReadyToResume(service: Service, campaign: CampaignRow): boolean {
  if (campaign.campaign_type === 'sponsoredProducts') return true;
  const group = groupOf(service, campaign);
  if (group === undefined || findOpenReview(service, group.ad_group_id) !== undefined) return false;
  return isEligible(service, group.ad_group_id, campaign);
}

/** "Campaign goes live only when eligibility criteria are met"; sponsoredProducts campaigns have none. */
export function isReadyToStart(service: Service, campaign: CampaignRow): boolean {
  if (campaign.campaign_type === 'sponsoredProducts') return true;
  const group = groupOf(service, campaign);
  return group !== undefined && isEligible(service, group.ad_group_id, campaign);
}

function groupOf(service: Service, campaign: CampaignRow): AdGroupRow | undefined {
  return service.store.one<AdGroupRow>('SELECT * FROM ad_group WHERE campaign_id = ?', campaign.campaign_id);
}
