import { requireRead, requireWrite } from '../access.ts';
import { type Fields, parseId, queryId, readElements, readId, readWord, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { findOpenReview } from '../lookups.ts';
import { messages, ownMessages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { AdGroupMediaRow, CampaignRow, MediaRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { failure, type Result, success } from '../wire/results.ts';
import { asExtension, type Call, create, type Route, read, update } from '../wire/route.ts';
import { thumbnailOf } from './media.ts';
import { findGroupOfCampaign, isSbaUsed } from './sba-fields.ts';

/**
 * The video profile of an ad group: "one video per ad group; one video profile per campaign", created `enabled` with
 * review `pending`. Updating it is an extension; on a live campaign it is refused, as the document says.
 */
export const adGroupMediaRoutes: readonly Route[] = [
  read('/api/v1/adGroup/media', listAdGroupMedia),
  create('/api/v1/adGroup/media', createAdGroupMedia),
  asExtension(update('/api/v1/adGroup/media', updateAdGroupMedia)),
];

function listAdGroupMedia(service: Service, call: Call): readonly unknown[] {
  const campaignId = parseId(call.query.get('campaignId'));
  const adGroupId = required(queryId(call.query, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing);
  const { campaign } = findGroupOfCampaign(service, campaignId, adGroupId);
  requireRead(call.principal, campaign.advertiser_id, 'other');
  if (campaign.campaign_type === 'sba') throw new Refusal(422, messages.useSbaEndpoints);
  if (campaign.campaign_type !== 'video') throw new Refusal(404, messages.endpointNotAllowed);
  return service.store
    .all<AdGroupMediaRow & MediaRow & { profile_status: string }>(
      `SELECT media.*, ad_group_media.*, ad_group_media.status AS profile_status
       FROM ad_group_media JOIN media USING (media_id) WHERE ad_group_id = ?`,
      adGroupId,
    )
    .map((row) => ({
      adGroupMediaId: row.ad_group_media_id,
      advertiserId: campaign.advertiser_id,
      campaignId: row.campaign_id,
      adGroupId: row.ad_group_id,
      mediaId: row.media_id,
      mediaName: row.name,
      thumbnail: thumbnailOf(service, row.media_id),
      videoUrl: `${service.baseUrl()}/assets/videos/${row.media_id}`,
      captionUrl: row.has_caption === 1 ? `${service.baseUrl()}/assets/captions/${row.media_id}` : null,
      status: row.profile_status,
      reviewStatus: row.review_status,
      reviewReason: row.review_reason,
    }));
}

interface MediaElement {
  readonly campaign: CampaignRow;
  readonly adGroupId: number;
  readonly mediaId: number;
  readonly status: 'enabled' | 'disabled';
  readonly profile: AdGroupMediaRow | undefined;
}

function readMediaElements(service: Service, call: Call): readonly MediaElement[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields: Fields) => ({
    campaignId: readId(fields, 'campaignId'),
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing),
    mediaId: required(readId(fields, 'mediaId'), 'mediaId'),
    status: readWord(fields, 'status', ['enabled', 'disabled'] as const) ?? 'enabled',
  }));
  return elements.map((element) => {
    const { campaign } = findGroupOfCampaign(service, element.campaignId, element.adGroupId);
    const profile = service.store.one<AdGroupMediaRow>(
      'SELECT * FROM ad_group_media WHERE ad_group_id = ?',
      element.adGroupId,
    );
    return { ...element, campaign, profile };
  });
}

function requireVideoCampaign(
  service: Service,
  call: Call,
  elements: readonly MediaElement[],
  underReview: string,
): void {
  for (const { campaign } of elements) requireWrite(call.principal, campaign.advertiser_id, 'other');
  for (const { campaign } of elements) {
    if (campaign.campaign_type === 'sba') throw new Refusal(422, messages.useSbaEndpoints);
    if (campaign.campaign_type !== 'video') throw new Refusal(422, messages.mediaWrongCampaignType);
  }
  for (const { adGroupId } of elements) {
    if (findOpenReview(service, adGroupId) !== undefined) throw new Refusal(422, underReview);
  }
}

function createAdGroupMedia(service: Service, call: Call): readonly Result[] {
  const elements = readMediaElements(service, call);
  requireVideoCampaign(service, call, elements, messages.underReviewAdd);
  for (const { campaign } of elements) {
    const { campaign_id } = campaign;
    const wanted = elements.filter((other) => other.campaign.campaign_id === campaign_id).length;
    const present = service.store.all('SELECT 1 FROM ad_group_media WHERE campaign_id = ?', campaign_id).length;
    if (present + wanted > limits.videoProfilesPerCampaign) throw new Refusal(422, messages.mediaAlreadyDefined);
  }
  return elements.map(({ campaign, adGroupId, mediaId, status }) => {
    const problem = judgeMedia(service, campaign, mediaId);
    if (problem !== null) return failure('adGroupMediaId', problem);
    const id = service.store.run(
      `INSERT INTO ad_group_media (campaign_id, ad_group_id, media_id, status, review_status) VALUES (?, ?, ?, ?, 'pending')`,
      campaign.campaign_id,
      adGroupId,
      mediaId,
      status,
    );
    return success('adGroupMediaId', id);
  });
}

function updateAdGroupMedia(service: Service, call: Call): readonly Result[] {
  const elements = readMediaElements(service, call);
  for (const { campaign, profile } of elements) {
    if (campaign.campaign_type === 'video' && profile === undefined) {
      throw new Refusal(404, messages.adGroupMediaNotFound);
    }
  }
  requireVideoCampaign(service, call, elements, messages.underReviewModify);
  for (const { campaign } of elements) {
    if (isSbaUsed(campaign)) throw new Refusal(422, messages.enabledNotUpdatable);
  }
  return elements.map(({ campaign, mediaId, status, profile }) => {
    const problem = judgeMedia(service, campaign, mediaId);
    if (problem !== null || profile === undefined) {
      return failure('adGroupMediaId', problem ?? messages.adGroupMediaNotFound);
    }
    const isNew = profile.media_id !== mediaId;
    service.store.run(
      'UPDATE ad_group_media SET media_id = ?, status = ?, review_status = ?, review_reason = ? WHERE ad_group_media_id = ?',
      mediaId,
      status,
      isNew ? 'pending' : profile.review_status,
      isNew ? null : profile.review_reason,
      profile.ad_group_media_id,
    );
    return success('adGroupMediaId', profile.ad_group_media_id);
  });
}

/** "Media with status available can be added to a video profile." */
function judgeMedia(service: Service, campaign: CampaignRow, mediaId: number): string | null {
  const media = service.store.one<MediaRow>('SELECT * FROM media WHERE media_id = ?', mediaId);
  if (media === undefined || media.advertiser_id !== campaign.advertiser_id) return ownMessages.mediaNotFound;
  return media.status === 'available' ? null : ownMessages.mediaNotAvailable;
}
