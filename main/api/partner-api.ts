import { randomUUID } from 'node:crypto';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Capabilities } from '../../shared/plan/plan-types.ts';
import { ok } from '../../shared/result.ts';
import { classifyWriteResponse, type ResultShape } from './classify-response.ts';
import type { Connection } from './connection.ts';
import {
  fetchRecords,
  type Listed,
  NOT_OURS,
  noneAsEmpty,
  type Read,
  type RemoteRecord,
  readJson,
  readText,
} from './fetch-records.ts';
import { createHttp, type Http, type HttpDeps } from './http.ts';
import { searchItems } from './item-search.ts';
import type { JsonValue } from './lossless-json.ts';
import { type LogoField, type LogoUpload, listMedia, requestUpload, uploadLogo } from './media.ts';
import { idOf, type RecordFields, readFields, recordFieldsOf, textOf } from './parse-record.ts';
import type { ReadFailure } from './request-outcome.ts';
import { listReviews } from './reviews.ts';

/** One JSON write: the exact bytes saved in the outbox, and the expected shape of its results. */
type WriteRequest = {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: string;
  readonly correlationId: string;
  readonly shape: ResultShape;
};

/** The signed client of one advertiser account. Writes return outcomes, reads return results; nothing throws. */
export type PartnerApi = ReturnType<typeof createPartnerApi>;

type PartnerApiDeps = Pick<HttpDeps, 'secrets' | 'clock'> & Partial<HttpDeps>;

export function createPartnerApi(connection: Connection, deps: PartnerApiDeps) {
  const http = createHttp(connection, {
    secrets: deps.secrets,
    clock: deps.clock,
    fetch: deps.fetch ?? fetch,
    newCorrelationId: deps.newCorrelationId ?? randomUUID,
    onResponse: deps.onResponse,
  });
  return {
    connection,
    send: async ({ shape, ...request }: WriteRequest) =>
      classifyWriteResponse(await http.exchange(request), shape, http.nowMs()),
    uploadLogo: (logo: LogoUpload, first: LogoField) => uploadLogo(http, logo, first),
    requestUpload: () => requestUpload(http),
    ...rowLists(http),
    multipliers: (kind: MultiplierKind, campaignId: RemoteId) => listMultipliers(http, kind, campaignId),
    reviews: (adGroupId: RemoteId) => listReviews(http, adGroupId),
    media: (mediaId: RemoteId | null) => listMedia(http, mediaId),
    campaignExists: (campaignId: RemoteId) => campaignExists(http, campaignId),
    searchItems: (wanted: { readonly text: string } | { readonly ids: readonly string[] }) => searchItems(http, wanted),
    probeCapabilities: () => probeCapabilities(http),
    /** Any other read, such as a report, with its parsed body. */
    get: (path: string, query: Readonly<Record<string, string>>) => readJson(http, { method: 'GET', path, query }),
    /** A read that uses POST, with the text of its response. */
    postForText: (path: string, body: string) => readText(http, { method: 'POST', path, body }),
    /** How far the service's clock is ahead of ours, in milliseconds. */
    clockOffsetMs: () => http.serverClock.offsetMs(),
    isReached: http.isReached,
    newCorrelationId: http.newCorrelationId,
    /** Aborts all requests in progress; writes among them become unconfirmed. */
    close: http.close,
  };
}

/**
 * Finds out which calls beyond the document a deployment has, with reads only. A read that succeeds, or complains about
 * its parameters, exists; 404 and 405 mean that it does not (wire shapes, section 3). If the read of a resource exists,
 * its update is assumed to exist too: probing a write would be a write.
 */
async function probeCapabilities(http: Http): Read<Capabilities> {
  const { advertiserId } = http.connection;
  const campaigns = await isThere(http, '/api/v1/campaigns', { advertiserId });
  if (!campaigns.ok) return campaigns;
  // The other reads need an ID; a missing ID gives a 400, a missing call a 404 or 405.
  const adGroups = await isThere(http, '/api/v1/adGroups', {});
  if (!adGroups.ok) return adGroups;
  const keywords = await isThere(http, '/api/v1/keywords', {});
  if (!keywords.ok) return keywords;
  return ok({
    campaignRead: campaigns.value,
    campaignUpdate: campaigns.value,
    adGroupRead: adGroups.value,
    adGroupUpdate: adGroups.value,
    keywordRead: keywords.value,
    keywordUpdate: keywords.value,
    videoProfileUpdate: campaigns.value && adGroups.value,
  });
}

async function isThere(http: Http, path: string, query: Readonly<Record<string, string>>): Read<boolean> {
  const answer = await readJson(http, { method: 'GET', path, query });
  if (answer.ok) return ok(true);
  return saysAbsent(answer.error) ? ok(false) : complains(answer.error) ? ok(true) : answer;
}

const saysAbsent = (failure: ReadFailure): boolean =>
  (failure.kind === 'refused' || failure.kind === 'service') &&
  (failure.status === 404 || failure.status === 405 || failure.status === 501);

const complains = (failure: ReadFailure): boolean =>
  failure.kind === 'refused' && (failure.status === 400 || failure.status === 422);

/**
 * The list reads of the service. `shared/model/fields.ts` declares which wire names become which fields; this file has
 * the path, the ID and the parents of each list.
 */
type Parents = Pick<RemoteRecord, 'campaignId' | 'adGroupId'>;

/** Names that the ID of a row may have in a list. */
const ID_NAMES = {
  campaign: ['campaignId', 'id'],
  adGroup: ['adGroupId', 'id'],
  adItem: ['adItemId'],
  keyword: ['keywordId', 'id'],
  sbaProfile: ['sbaProfileId'],
  videoProfile: ['adGroupMediaId'],
} as const satisfies Partial<Record<Kind, readonly string[]>>;

/**
 * @param parentsOf the parents of an element; null for an element of another parent, since a deployment may ignore a
 * filter
 */
const recordOf =
  (kind: keyof typeof ID_NAMES, parentsOf: (members: RecordFields) => Parents | null) =>
  (element: JsonValue): RemoteRecord | null | typeof NOT_OURS => {
    const members = recordFieldsOf(element);
    const remoteId = idOf(members?.get(...ID_NAMES[kind]));
    if (members === null || remoteId === null) return null;
    const parents = parentsOf(members);
    return parents === null ? NOT_OURS : { kind, remoteId, ...parents, ...readFields(kind, members) };
  };

/** A video profile with the ID of its media, which is a row of the media library. */
type VideoProfileRecord = RemoteRecord & {
  readonly mediaId: RemoteId | null;
  readonly mediaName: string | null;
};

function rowLists(http: Http) {
  const { advertiserId } = http.connection;
  return {
    /** An extension: the document has no read of campaigns. */
    campaigns: (): Read<Listed<RemoteRecord>> =>
      fetchRecords(
        http,
        '/api/v1/campaigns',
        { advertiserId },
        recordOf('campaign', () => ({ campaignId: null, adGroupId: null })),
      ),
    /** An extension: the document has no read of ad groups. */
    adGroups: (campaignId: RemoteId): Read<Listed<RemoteRecord>> =>
      fetchRecords(
        http,
        '/api/v1/adGroups',
        { campaignId },
        // Ad groups of another campaign must not be assigned to this one.
        recordOf('adGroup', (members) =>
          (idOf(members.get('campaignId')) ?? campaignId) === campaignId ? { campaignId, adGroupId: null } : null,
        ),
      ),
    /** The ad items of a campaign (document, "GET /api/v1/adItems"). Item IDs stay text: they may begin with zeros. */
    adItems: (campaignId: RemoteId): Read<Listed<RemoteRecord>> =>
      fetchRecords(
        http,
        '/api/v1/adItems',
        { campaignId },
        recordOf('adItem', (members) => ({ campaignId, adGroupId: idOf(members.get('adGroupId')) })),
      ),
    /** An extension: the document has no read of keywords. */
    keywords: (campaignId: RemoteId, adGroupId: RemoteId): Read<Listed<RemoteRecord>> =>
      fetchRecords(
        http,
        '/api/v1/keywords',
        { campaignId, adGroupId },
        recordOf('keyword', (members) =>
          (idOf(members.get('adGroupId')) ?? adGroupId) === adGroupId ? { campaignId, adGroupId } : null,
        ),
      ),
    /**
     * Every profile of an ad group, with any status (document, "SBA profiles (V2)"). With a campaign, the service
     * refuses an ad group of another one: 404 `AdGroup not found`.
     */
    sbaProfiles: (adGroupId: RemoteId, campaignId?: RemoteId): Read<Listed<RemoteRecord>> =>
      noneAsEmpty(
        fetchRecords(
          http,
          '/api/v2/sba_profile',
          campaignId === undefined ? { adGroupId } : { adGroupId, campaignId },
          recordOf('sbaProfile', (members) => ({ campaignId: idOf(members.get('campaignId')), adGroupId })),
        ),
      ),
    /** The video profile of an ad group (document, "GET /api/v1/adGroup/media"). */
    videoProfiles: (campaignId: RemoteId, adGroupId: RemoteId): Read<Listed<VideoProfileRecord>> =>
      noneAsEmpty(
        fetchRecords(http, '/api/v1/adGroup/media', { campaignId, adGroupId }, (element) => {
          const record = recordOf('videoProfile', () => ({ campaignId, adGroupId }))(element);
          const members = recordFieldsOf(element);
          if (record === null || record === NOT_OURS || members === null) return null;
          const mediaName = textOf(members.get('mediaName', 'name'));
          return { ...record, mediaId: idOf(members.get('mediaId')), mediaName };
        }),
      ),
  };
}

export type MultiplierKind = 'placementMultiplier' | 'platformMultiplier';

const PATHS = {
  placementMultiplier: '/api/v1/multipliers/placement',
  platformMultiplier: '/api/v1/multipliers/platform',
} as const;

/**
 * Lists the multipliers of a campaign. The list has no IDs, and updates need none: campaign and placement (or platform)
 * are the identity, and together form the remote ID.
 *
 * @returns an empty list for campaigns whose type has no multipliers
 */
const listMultipliers = (http: Http, kind: MultiplierKind, campaignId: RemoteId): Read<Listed<RemoteRecord>> =>
  noneAsEmpty(fetchRecords(http, PATHS[kind], { campaignId }, (element) => multiplier(kind, element, campaignId)));

/** The remote ID of a multiplier's row: its identity on the service. */
export const multiplierId = (campaignId: RemoteId, type: string): RemoteId => `${campaignId}:${type}` as RemoteId;

function multiplier(kind: MultiplierKind, element: JsonValue, campaignId: RemoteId): RemoteRecord | null {
  const members = recordFieldsOf(element);
  if (members === null) return null;
  const { values, ...misread } = readFields(kind, members);
  const name = values[kind === 'placementMultiplier' ? 'placement' : 'platform'];
  if (typeof name !== 'string') return null;
  return { kind, remoteId: multiplierId(campaignId, name), campaignId, adGroupId: null, values, ...misread };
}

/**
 * Whether a campaign exists and is visible, by the one read that works for any campaign: 404 `Campaign not found`
 * against 200 or `No bid multipliers for this campaign type`.
 */
async function campaignExists(http: Http, campaignId: RemoteId): Read<boolean> {
  const list = await listMultipliers(http, 'placementMultiplier', campaignId);
  if (list.ok) return ok(true);
  return list.error.kind === 'refused' && list.error.status === 404 ? ok(false) : list;
}
