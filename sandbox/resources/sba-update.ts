import { requireWrite } from '../access.ts';
import { readElements, readText, readWord, required } from '../fields.ts';
import { findOpenReview } from '../lookups.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { CampaignRow, SbaProfileRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { failure, type Result, success } from '../wire/results.ts';
import { type Call, type Route, update } from '../wire/route.ts';
import {
  findGroupOfCampaign,
  isSbaUsed,
  judgeSbaContent,
  listProfiles,
  readGroupIds,
  readProfileId,
  readSbaContent,
  type SbaContent,
} from './sba-fields.ts';

/*
 * "SBA update (V2)". On a campaign that is scheduled or live:
 *
 *   profile     sent                       answer
 *   enabled     anything                   422 cannot update the enabled one (switching it off included)
 *   disabled    enable, not approved       422 cannot be enabled without approval
 *   disabled    enable and new content     400 not both at the same time
 *   disabled    enable                     done; the other profile is disabled
 *   disabled    new content                done; reviewStatus is pending again
 */
export const sbaUpdateRoutes: readonly Route[] = [update('/api/v2/sba_profile', updateSbaProfiles)];

interface ProfileChange {
  readonly campaign: CampaignRow;
  readonly profile: SbaProfileRow;
  readonly content: SbaContent;
  readonly status: 'enabled' | 'disabled';
}

function updateSbaProfiles(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => {
    const ids = readGroupIds(fields);
    const sbaProfileId = readProfileId(fields);
    const content = readSbaContent(fields);
    required(readText(fields, 'headlineText') ?? readText(fields, 'headline'), 'headlineText');
    return {
      ...ids,
      sbaProfileId,
      content,
      status: required(readWord(fields, 'status', ['enabled', 'disabled'] as const), 'status'),
    };
  });
  const found = elements.map((element) => {
    const { campaign } = findGroupOfCampaign(service, element.campaignId, element.adGroupId);
    const profile = findProfile(service, element.adGroupId, element.sbaProfileId);
    return { ...element, campaign, profile };
  });
  for (const { campaign } of found) requireKnownType(campaign);
  for (const { campaign, profile } of found) {
    // A video group has no profiles to find; its 422 comes with the type, below.
    if (campaign.campaign_type === 'sba' && profile === undefined) {
      throw new Refusal(404, messages.sbaProfileNotFound);
    }
  }
  for (const { campaign } of found) requireWrite(call.principal, campaign.advertiser_id, 'sba');
  const changes = found.map(({ campaign, profile, content, status }): ProfileChange => {
    if (campaign.campaign_type === 'video' || profile === undefined) throw new Refusal(422, messages.useMediaEndpoints);
    return { campaign, profile, content, status };
  });
  for (const { profile } of changes) requireNoReview(service, profile.ad_group_id);
  for (const change of changes) requireChangeable(change);
  for (const change of changes) refuseUpdateAndEnable(change);
  return changes.map((change) => updateProfile(service, change));
}

function requireKnownType(campaign: CampaignRow): void {
  if (campaign.campaign_type === 'sponsoredProducts') throw new Refusal(404, messages.endpointNotAllowed);
}

function requireNoReview(service: Service, adGroupId: number): void {
  if (findOpenReview(service, adGroupId) !== undefined) throw new Refusal(422, messages.underReviewModify);
}

export function findProfile(service: Service, adGroupId: number, sbaProfileId: number): SbaProfileRow | undefined {
  return listProfiles(service, adGroupId).find((row) => row.sba_profile_id === sbaProfileId);
}

function isApproved(profile: SbaProfileRow): boolean {
  return profile.review_status === 'complete' && profile.review_reason === null;
}

function isContentChanged({ profile, content }: ProfileChange): boolean {
  return (
    profile.search_amp_name !== content.brand ||
    profile.headline_text !== content.headline ||
    profile.click_url !== content.clickUrl
  );
}

function requireChangeable({ campaign, profile, status }: ProfileChange): void {
  if (!isSbaUsed(campaign)) return;
  if (profile.status === 'enabled') throw new Refusal(422, messages.enabledNotUpdatable);
  if (status === 'enabled' && !isApproved(profile)) throw new Refusal(422, messages.disabledNotEnableable);
}

function refuseUpdateAndEnable(change: ProfileChange): void {
  const enables = change.profile.status === 'disabled' && change.status === 'enabled';
  if (isSbaUsed(change.campaign) && enables && isContentChanged(change)) {
    throw new Refusal(400, messages.updateAndEnable);
  }
}

function updateProfile(service: Service, change: ProfileChange): Result {
  const { profile, content, status } = change;
  const problem = judgeSbaContent(service, content);
  if (problem !== null) return failure('sbaProfileId', problem);
  service.store.run(
    'UPDATE sba_profile SET search_amp_name = ?, headline_text = ?, click_url = ?, status = ? WHERE sba_profile_id = ?',
    content.brand,
    content.headline,
    content.clickUrl,
    status,
    profile.sba_profile_id,
  );
  if (isContentChanged(change)) resetProfileReview(service, profile.sba_profile_id);
  if (status === 'enabled' && profile.status === 'disabled') {
    disableOtherProfiles(service, profile.ad_group_id, profile.sba_profile_id);
  }
  return success('sbaProfileId', profile.sba_profile_id);
}

/** Enabling one profile disables the other: one logo is shown at a time. */
export function disableOtherProfiles(service: Service, adGroupId: number, sbaProfileId: number): void {
  service.store.run(
    "UPDATE sba_profile SET status = 'disabled' WHERE ad_group_id = ? AND sba_profile_id <> ?",
    adGroupId,
    sbaProfileId,
  );
}

/** New content or a new logo must be reviewed again. */
export function resetProfileReview(service: Service, sbaProfileId: number): void {
  service.store.run(
    "UPDATE sba_profile SET review_status = 'pending', review_reason = NULL WHERE sba_profile_id = ?",
    sbaProfileId,
  );
}

/** The 422 of the logo upload, which follows the same states. */
export function requireLogoChangeable(service: Service, campaign: CampaignRow, profile: SbaProfileRow): void {
  requireNoReview(service, profile.ad_group_id);
  if (isSbaUsed(campaign) && profile.status === 'enabled') throw new Refusal(422, messages.enabledNotUpdatable);
}
