import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './json.ts';
import { type Listed, NOT_OURS, type Read, type RemoteRecord, readRecords } from './read.ts';
import { idOf, membersOf, readCells, reviewOutcome } from './reading.ts';

/** Lists the keywords of an ad group. An extension: the document has no read of keywords. */
export const listKeywords = (http: Http, campaignId: RemoteId, adGroupId: RemoteId): Read<Listed<RemoteRecord>> =>
  readRecords(http, '/api/v1/keywords', { campaignId, adGroupId }, (element) =>
    keyword(element, campaignId, adGroupId),
  );

function keyword(element: JsonValue, campaignId: RemoteId, adGroupId: RemoteId): RemoteRecord | null | typeof NOT_OURS {
  const members = membersOf(element);
  const remoteId = idOf(members?.get('keywordId', 'id'));
  if (members === null || remoteId === null) return null;
  const owner = idOf(members.get('adGroupId')) ?? adGroupId;
  if (owner !== adGroupId) return NOT_OURS;
  const reason = members.get('reviewReason', 'reviewComments');
  // `state` is the partner's switch and `status` the outcome of the review (wire shapes, section 4).
  const reviewStatus = reviewOutcome(members.get('reviewStatus', 'status'), reason);
  const { values, ...misread } = readCells('keyword', {
    text: members.get('keywordText', 'text'),
    matchType: members.get('matchType'),
    bid: members.get('bid'),
    state: members.get('state'),
    reviewReason: reason,
  });
  return {
    kind: 'keyword',
    remoteId,
    campaignId,
    adGroupId,
    ...misread,
    values: {
      ...values,
      ...(reviewStatus === null ? {} : { reviewStatus }),
    },
  };
}
