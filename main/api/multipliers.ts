import type { RemoteId } from '../../shared/model/scalars.ts';
import { ok } from '../../shared/result.ts';
import { fetchRecords, type Listed, type Read, type RemoteRecord } from './fetch-records.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './lossless-json.ts';
import { readFields, recordFieldsOf } from './parse-record.ts';
import { normalizeMessage } from './service-message.ts';

export type MultiplierKind = 'placementMultiplier' | 'platformMultiplier';

const PATHS = {
  placementMultiplier: '/api/v1/multipliers/placement',
  platformMultiplier: '/api/v1/multipliers/platform',
} as const;

/**
 * Lists the multipliers of a campaign. The list shows no ids, and updates need none: a pair of campaign and
 * placement (or platform) is the identity, so that pair is the remote id on our side.
 *
 * @returns an empty list for campaigns whose type has no multipliers
 */
export async function listMultipliers(
  http: Http,
  kind: MultiplierKind,
  campaignId: RemoteId,
): Read<Listed<RemoteRecord>> {
  const list = await fetchRecords(http, PATHS[kind], { campaignId }, (element) =>
    multiplier(kind, element, campaignId),
  );
  const hasNone = !list.ok && list.error.kind === 'refused' && normalizeMessage(list.error.message) === NONE;
  return hasNone ? ok([]) : list;
}

const NONE = normalizeMessage('No bid multipliers for this campaign type');

/** The identity of a multiplier on the service, as the remote id of its row. */
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
 * Asks whether a campaign exists and may be seen, through the one read that answers for any campaign: 404
 * `Campaign not found` against 200 or `No bid multipliers for this campaign type`.
 */
export async function campaignExists(http: Http, campaignId: RemoteId): Read<boolean> {
  const list = await listMultipliers(http, 'placementMultiplier', campaignId);
  if (list.ok) return ok(true);
  return list.error.kind === 'refused' && list.error.status === 404 ? ok(false) : list;
}
