import { type Fields, fieldOf, readId, readText, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { findAdGroup, findCampaign } from '../lookups.ts';
import { messages, ownMessages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { AdGroupRow, CampaignRow, SbaProfileRow } from '../rows.ts';
import type { Service } from '../service.ts';

/** What the SBA operations share: finding the group, the content rules, and the record shown. */
export interface GroupOfCall {
  readonly campaign: CampaignRow;
  readonly group: AdGroupRow;
}

/** "SBA list/create/update": 404 for the campaign first, then for the ad group. */
export function findGroupOfCampaign(service: Service, campaignId: number | null, adGroupId: number): GroupOfCall {
  if (campaignId !== null && findCampaign(service, campaignId) === undefined) {
    throw new Refusal(404, messages.campaignNotFound);
  }
  const group = findAdGroup(service, adGroupId);
  const campaign = findCampaign(service, group?.campaign_id ?? null);
  if (group === undefined || campaign === undefined) throw new Refusal(404, messages.adGroupNotFound);
  if (campaignId !== null && campaign.campaign_id !== campaignId) throw new Refusal(404, messages.adGroupNotFound);
  return { campaign, group };
}

export function readGroupIds(fields: Fields): { readonly campaignId: number; readonly adGroupId: number } {
  return {
    campaignId: required(readId(fields, 'campaignId'), 'campaignId', messages.campaignIdMissing),
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing),
  };
}

/** The profile id of an update: absent or no integer, both are the same 400. */
export function readProfileId(fields: Fields): number {
  const value = fieldOf(fields, 'sbaProfileId');
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!/^[1-9]\d{0,19}$/.test(digits)) throw new Refusal(400, messages.sbaProfileIdInvalid);
  return required(readId(fields, 'sbaProfileId'), 'sbaProfileId', messages.sbaProfileIdInvalid);
}

export interface SbaContent {
  readonly brand: string;
  readonly headline: string;
  readonly clickUrl: string;
}

/**
 * Texts in the words of V2, or of the V1 operation. A missing headline is empty: the document leaves it open.
 *
 * @param brandName what the operation calls the brand, for the caller who left it out
 */
export function readSbaContent(fields: Fields, brandName: 'searchAmpName' | 'brandName' = 'searchAmpName'): SbaContent {
  return {
    brand: required(readText(fields, 'searchAmpName') ?? readText(fields, 'brandName'), brandName),
    headline: readText(fields, 'headlineText') ?? readText(fields, 'headline') ?? '',
    clickUrl: required(readText(fields, 'clickUrl'), 'clickUrl'),
  };
}

/** "SBA profile content rules". Lengths count characters, not UTF-16 units. */
export function judgeSbaContent(service: Service, content: SbaContent): string | null {
  const brandLength = [...content.brand.trim()].length;
  if (brandLength === 0 || [...content.brand].length > limits.brandMaxCharacters) {
    return ownMessages.brandTooLong(limits.brandMaxCharacters);
  }
  if ([...content.headline].length > limits.headlineMaxCharacters) {
    return ownMessages.headlineTooLong(limits.headlineMaxCharacters);
  }
  const { retailHost } = service.settings;
  return isClickUrl(content.clickUrl, retailHost) ? null : ownMessages.clickUrlInvalid(retailHost);
}

/** On the retail host over https, with `:`, `+` and the broken bar encoded and no typeahead parameter. */
function isClickUrl(clickUrl: string, retailHost: string): boolean {
  if (!clickUrl.startsWith(`${retailHost}/`) && clickUrl !== retailHost) return false;
  const rest = clickUrl.slice(retailHost.length);
  return !/[:+\u00a6|\s\p{Cc}]/u.test(rest) && !/(^|&)typeahead=/i.test(queryOf(rest));
}

/** What stands between the first `?` and the `#`. */
const queryOf = (rest: string): string => /^[^?#]*\?([^#]*)/.exec(rest)?.[1] ?? '';

export function isSbaUsed(campaign: CampaignRow): boolean {
  return campaign.status === 'scheduled' || campaign.status === 'live';
}

export function listProfiles(service: Service, adGroupId: number): readonly SbaProfileRow[] {
  return service.store.all<SbaProfileRow>(
    `SELECT sba_profile_id, campaign_id, ad_group_id, search_amp_name, headline_text, click_url, logo_url, status,
            review_status, review_reason FROM sba_profile WHERE ad_group_id = ? ORDER BY sba_profile_id`,
    adGroupId,
  );
}

/** Where an uploaded logo is found; without the host, which may differ after a restart. */
export function logoPath(sbaProfileId: number): string {
  return `/assets/logos/${sbaProfileId}.png`;
}

export function showProfile(service: Service, row: SbaProfileRow): Readonly<Record<string, unknown>> {
  return {
    searchAmpName: row.search_amp_name,
    headlineText: row.headline_text,
    logoUrl: row.logo_url.startsWith('/') ? service.baseUrl() + row.logo_url : row.logo_url,
    clickUrl: row.click_url,
    reviewStatus: row.review_status,
    reviewReason: row.review_reason,
    sbaProfileId: row.sba_profile_id,
    status: row.status,
    campaignId: row.campaign_id,
    adGroupId: row.ad_group_id,
  };
}
