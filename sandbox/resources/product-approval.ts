import { HOUR_MS } from '../calendar.ts';
import { schedule } from '../due.ts';
import type { CampaignRow } from '../rows.ts';
import type { Service } from '../service.ts';

/**
 * Items and keywords of sponsoredProducts campaigns are pending like all new ones, but nobody submits such a campaign
 * for review: the system approves them by itself within the hour.
 */
export function approveProductsLater(service: Service, elements: readonly { readonly campaign: CampaignRow }[]): void {
  const campaigns = elements.map(({ campaign }) => campaign);
  const products = campaigns.filter((campaign) => campaign.campaign_type === 'sponsoredProducts');
  for (const campaignId of new Set(products.map((campaign) => campaign.campaign_id))) {
    schedule(service, 'product.approve', campaignId, service.clock.now() + HOUR_MS);
  }
}

export function approveDueProducts(service: Service, subject: string): void {
  const { store } = service;
  const campaignId = Number(subject);
  store.run(
    "UPDATE ad_item SET review_status = 'approved' WHERE campaign_id = ? AND review_status = 'pending'",
    campaignId,
  );
  store.run("UPDATE keyword SET status = 'approved' WHERE campaign_id = ? AND status = 'pending'", campaignId);
}
