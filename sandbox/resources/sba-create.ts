import { requireRead, requireWrite } from '../access.ts';
import { parseId, queryId, readElements, readId, readText, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { findOpenReview } from '../lookups.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { CampaignRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { failure, type Result, success } from '../wire/results.ts';
import { type Call, create, type Route, read } from '../wire/route.ts';
import {
  findGroupOfCampaign,
  type GroupOfCall,
  judgeSbaContent,
  listProfiles,
  readGroupIds,
  readSbaContent,
  type SbaContent,
  showProfile,
} from './sba-fields.ts';

/** "SBA profiles (V2)", list and create, and the V1 create of the workflows. */
export const sbaCreateRoutes: readonly Route[] = [
  read('/api/v2/sba_profile', listSbaProfiles),
  create('/api/v2/sba_profile', createSbaProfiles),
  create('/api/v1/sba_profile', createSbaProfileV1),
];

function listSbaProfiles(service: Service, call: Call): readonly unknown[] {
  const campaignText = call.query.get('campaignId');
  const campaignId =
    campaignText === null ? null : required(parseId(campaignText), 'campaignId', messages.campaignIdMissing);
  const adGroupId = required(queryId(call.query, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing);
  const { campaign } = findGroupOfCampaign(service, campaignId, adGroupId);
  requireRead(call.principal, campaign.advertiser_id, 'sba');
  if (campaign.campaign_type === 'video') throw new Refusal(422, messages.useMediaEndpoints);
  return listProfiles(service, adGroupId).map((row) => showProfile(service, row));
}

function createSbaProfiles(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    ...readGroupIds(fields),
    content: readSbaContent(fields),
  }));
  const groups = elements.map(({ campaignId, adGroupId }) => findGroupOfCampaign(service, campaignId, adGroupId));
  requireSbaPlaces(service, call, groups);
  const created = new Set<number>();
  return elements.map(({ adGroupId, content }, index) => {
    const problem = judgeSbaContent(service, content);
    const found = groups[index];
    if (problem !== null || found === undefined) {
      return failure('sbaProfileId', problem ?? messages.sbaCreateException);
    }
    // "The first profile created is enabled": the first that this request creates in the group, its others are not.
    const status = created.has(adGroupId) ? 'disabled' : 'enabled';
    created.add(adGroupId);
    return success('sbaProfileId', insertProfile(service, found, content, '', status));
  });
}

/** Access, then type, review and room of every group in the batch, before any element is written. */
function requireSbaPlaces(service: Service, call: Call, groups: readonly GroupOfCall[]): void {
  for (const { campaign } of groups) requireWrite(call.principal, campaign.advertiser_id, 'sba');
  for (const { campaign } of groups) requireSbaCampaign(campaign);
  for (const { group } of groups) {
    if (findOpenReview(service, group.ad_group_id) !== undefined) throw new Refusal(422, messages.underReviewAdd);
  }
  for (const { group } of groups) {
    const wanted = groups.filter((other) => other.group.ad_group_id === group.ad_group_id).length;
    if (listProfiles(service, group.ad_group_id).length + wanted > limits.sbaMaxProfiles) {
      throw new Refusal(422, messages.tooManySbaProfiles(limits.sbaMaxProfiles));
    }
  }
}

function requireSbaCampaign(campaign: CampaignRow): void {
  if (campaign.campaign_type !== 'sba') {
    throw new Refusal(422, messages.sbaWrongCampaignType(campaign.campaign_type));
  }
}

/** V1: the campaign follows from the ad group, the logo is an address, and there is one profile per campaign. */
function createSbaProfileV1(service: Service, call: Call): unknown {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    campaignId: readId(fields, 'campaignId'),
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing),
    logoUrl: readText(fields, 'logoUrl') ?? '',
    content: readSbaContent(fields, 'brandName'),
  }));
  const groups = elements.map(({ campaignId, adGroupId }) => findGroupOfCampaign(service, campaignId, adGroupId));
  for (const { campaign } of groups) requireWrite(call.principal, campaign.advertiser_id, 'sba');
  for (const { campaign, group } of groups) {
    requireSbaCampaign(campaign);
    if (findOpenReview(service, group.ad_group_id) !== undefined) throw new Refusal(422, messages.underReviewAdd);
    const wanted = groups.filter((other) => other.group.ad_group_id === group.ad_group_id).length;
    const present = listProfiles(service, group.ad_group_id).length;
    if (present > 1 || wanted > 1) throw new Refusal(422, messages.useV2);
    if (present === 1) throw new Refusal(422, messages.sbaAlreadyDefined);
  }
  const results = elements.map(({ content, logoUrl }, index) => {
    const problem = judgeSbaContent(service, content);
    const found = groups[index];
    if (problem !== null || found === undefined) {
      return failure('sbaProfileId', problem ?? messages.sbaCreateException);
    }
    const id = insertProfile(service, found, content, logoUrl, 'enabled');
    return success('sbaProfileId', id, { status: 'pending' });
  });
  return results;
}

function insertProfile(
  service: Service,
  { campaign, group }: GroupOfCall,
  content: SbaContent,
  logoUrl: string,
  status: 'enabled' | 'disabled',
): number {
  return service.store.run(
    `INSERT INTO sba_profile (campaign_id, ad_group_id, search_amp_name, headline_text, click_url, logo_url, status, review_status)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')`,
    campaign.campaign_id,
    group.ad_group_id,
    content.brand,
    content.headline,
    content.clickUrl,
    logoUrl,
    status,
  );
}
