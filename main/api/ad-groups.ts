import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './json.ts';
import { type Listed, NOT_OURS, type Read, type RemoteRecord, readRecords } from './read.ts';
import { idOf, membersOf, readCells } from './reading.ts';

/** Lists the ad groups of a campaign. An extension: the document has no read of ad groups. */
export const listAdGroups = (http: Http, campaignId: RemoteId): Read<Listed<RemoteRecord>> =>
  readRecords(http, '/api/v1/adGroups', { campaignId }, (element) => adGroup(element, campaignId));

function adGroup(element: JsonValue, campaignId: RemoteId): RemoteRecord | null | typeof NOT_OURS {
  const members = membersOf(element);
  const remoteId = idOf(members?.get('adGroupId', 'id'));
  if (members === null || remoteId === null) return null;
  const owner = idOf(members.get('campaignId')) ?? campaignId;
  // A deployment may ignore the filter; another campaign's groups must not be taken for this one's.
  if (owner !== campaignId) return NOT_OURS;
  return {
    kind: 'adGroup',
    remoteId,
    campaignId,
    adGroupId: null,
    ...readCells('adGroup', { name: members.get('name'), status: members.get('status') }),
  };
}
