import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './json.ts';
import { type Listed, type Read, type RemoteRecord, readRecords } from './read.ts';
import { idOf, membersOf, readCells, reviewOutcome } from './reading.ts';

/**
 * Lists every profile of an ad group, whatever its status (document, "SBA profiles (V2)"). With a campaign the service
 * refuses a group that does not hang from it, 404 `AdGroup not found`.
 */
export const listSbaProfiles = (
  http: Http,
  adGroupId: RemoteId,
  campaignId: RemoteId | null,
): Read<Listed<RemoteRecord>> =>
  readRecords(http, '/api/v2/sba_profile', campaignId === null ? { adGroupId } : { adGroupId, campaignId }, (element) =>
    profile(element, adGroupId),
  );

function profile(element: JsonValue, adGroupId: RemoteId): RemoteRecord | null {
  const members = membersOf(element);
  const remoteId = idOf(members?.get('sbaProfileId'));
  if (members === null || remoteId === null) return null;
  const reason = members.get('reviewReason');
  const reviewStatus = reviewOutcome(members.get('reviewStatus'), reason);
  const { values, ...misread } = readCells('sbaProfile', {
    brand: members.get('searchAmpName', 'brandName'),
    headline: members.get('headlineText', 'headline'),
    clickUrl: members.get('clickUrl'),
    status: members.get('status'),
    logoUrl: members.get('logoUrl'),
    reviewReason: reason,
  });
  return {
    kind: 'sbaProfile',
    remoteId,
    campaignId: idOf(members.get('campaignId')),
    adGroupId,
    ...misread,
    values: {
      ...values,
      ...(reviewStatus === null ? {} : { reviewStatus }),
    },
  };
}
