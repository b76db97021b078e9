import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './json.ts';
import { type Listed, NOT_OURS, type Read, type RemoteRecord, fetchRecords } from './read.ts';
import { idOf, type RecordFields, recordFieldsOf, readFields, textOf } from './reading.ts';

/**
 * The lists of rows that the service has. Which members become which fields the fields declare (`shared/model/fields.ts`);
 * here stands where a list is asked for, what its rows are known by, and where they hang.
 */
type Parents = Pick<RemoteRecord, 'campaignId' | 'adGroupId'>;

/** Names that the id of a row may have in a list. */
const ID_NAMES = {
  campaign: ['campaignId', 'id'],
  adGroup: ['adGroupId', 'id'],
  adItem: ['adItemId'],
  keyword: ['keywordId', 'id'],
  sbaProfile: ['sbaProfileId'],
  videoProfile: ['adGroupMediaId'],
} as const satisfies Partial<Record<Kind, readonly string[]>>;

/** @param parentsOf says where an element hangs; null for one that hangs elsewhere, since a deployment may ignore a filter */
const recordOf =
  (kind: keyof typeof ID_NAMES, parentsOf: (members: RecordFields) => Parents | null) =>
  (element: JsonValue): RemoteRecord | null | typeof NOT_OURS => {
    const members = recordFieldsOf(element);
    const remoteId = idOf(members?.get(...ID_NAMES[kind]));
    if (members === null || remoteId === null) return null;
    const parents = parentsOf(members);
    return parents === null ? NOT_OURS : { kind, remoteId, ...parents, ...readFields(kind, members) };
  };

/** Lists the campaigns of the advertiser. An extension: the document has no read of campaigns. */
export const listCampaigns = (http: Http): Read<Listed<RemoteRecord>> =>
  fetchRecords(
    http,
    '/api/v1/campaigns',
    { advertiserId: http.connection.advertiserId },
    recordOf('campaign', () => ({ campaignId: null, adGroupId: null })),
  );

/** Lists the ad groups of a campaign. An extension: the document has no read of ad groups. */
export const listAdGroups = (http: Http, campaignId: RemoteId): Read<Listed<RemoteRecord>> =>
  fetchRecords(
    http,
    '/api/v1/adGroups',
    { campaignId },
    // Another campaign's groups must not be taken for this one's.
    recordOf('adGroup', (members) =>
      (idOf(members.get('campaignId')) ?? campaignId) === campaignId ? { campaignId, adGroupId: null } : null,
    ),
  );

/** Lists the ad items of a campaign (document, "GET /api/v1/adItems"). Item ids stay text: they may begin with zeros. */
export const listAdItems = (http: Http, campaignId: RemoteId): Read<Listed<RemoteRecord>> =>
  fetchRecords(
    http,
    '/api/v1/adItems',
    { campaignId },
    recordOf('adItem', (members) => ({ campaignId, adGroupId: idOf(members.get('adGroupId')) })),
  );

/** Lists the keywords of an ad group. An extension: the document has no read of keywords. */
export const listKeywords = (http: Http, campaignId: RemoteId, adGroupId: RemoteId): Read<Listed<RemoteRecord>> =>
  fetchRecords(
    http,
    '/api/v1/keywords',
    { campaignId, adGroupId },
    recordOf('keyword', (members) =>
      (idOf(members.get('adGroupId')) ?? adGroupId) === adGroupId ? { campaignId, adGroupId } : null,
    ),
  );

/**
 * Lists every profile of an ad group, whatever its status (document, "SBA profiles (V2)"). With a campaign the service
 * refuses a group that does not hang from it, 404 `AdGroup not found`.
 */
export const listSbaProfiles = (
  http: Http,
  adGroupId: RemoteId,
  campaignId: RemoteId | null,
): Read<Listed<RemoteRecord>> =>
  fetchRecords(
    http,
    '/api/v2/sba_profile',
    campaignId === null ? { adGroupId } : { adGroupId, campaignId },
    recordOf('sbaProfile', (members) => ({ campaignId: idOf(members.get('campaignId')), adGroupId })),
  );

/** A video profile beside the id of the media it shows, which is a row of the library on our side. */
export interface VideoProfileRecord extends RemoteRecord {
  readonly mediaId: RemoteId | null;
  readonly mediaName: string | null;
}

/** Reads the video profile of an ad group (document, "GET /api/v1/adGroup/media"). */
export const listVideoProfiles = (
  http: Http,
  campaignId: RemoteId,
  adGroupId: RemoteId,
): Read<Listed<VideoProfileRecord>> =>
  fetchRecords(http, '/api/v1/adGroup/media', { campaignId, adGroupId }, (element) => {
    const record = recordOf('videoProfile', () => ({ campaignId, adGroupId }))(element);
    const members = recordFieldsOf(element);
    if (record === null || record === NOT_OURS || members === null) return null;
    const mediaName = textOf(members.get('mediaName', 'name'));
    return { ...record, mediaId: idOf(members.get('mediaId')), mediaName };
  });
