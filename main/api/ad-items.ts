import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './json.ts';
import { type Listed, type Read, type RemoteRecord, readRecords } from './read.ts';
import { idOf, membersOf, readCells, reviewOutcome } from './reading.ts';

/** Lists the ad items of a campaign (document, "GET /api/v1/adItems"). Item ids stay text: they may begin with zeros. */
export const listAdItems = (http: Http, campaignId: RemoteId): Read<Listed<RemoteRecord>> =>
  readRecords(http, '/api/v1/adItems', { campaignId }, (element) => adItem(element, campaignId));

function adItem(element: JsonValue, campaignId: RemoteId): RemoteRecord | null {
  const members = membersOf(element);
  const remoteId = idOf(members?.get('adItemId'));
  if (members === null || remoteId === null) return null;
  const reason = members.get('reviewReason', 'reviewComments');
  const reviewStatus = reviewOutcome(members.get('reviewStatus'), reason);
  const { values, ...misread } = readCells('adItem', {
    itemId: members.get('itemId'),
    bid: members.get('bid'),
    status: members.get('status'),
    itemName: members.get('itemName', 'name'),
    reviewReason: reason,
  });
  return {
    kind: 'adItem',
    remoteId,
    campaignId,
    adGroupId: idOf(members.get('adGroupId')),
    ...misread,
    values: {
      ...values,
      ...(reviewStatus === null ? {} : { reviewStatus }),
    },
  };
}
