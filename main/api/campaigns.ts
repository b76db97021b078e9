import { isUnknownWord } from '../../shared/model/field-types.ts';
import { FIELDS } from '../../shared/model/fields.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './json.ts';
import { type Listed, type Read, type RemoteRecord, readRecords } from './read.ts';
import { cellOf, idOf, membersOf, readCells } from './reading.ts';

/** Lists the campaigns of the advertiser. An extension: the document has no read of campaigns. */
export const listCampaigns = (http: Http): Read<Listed<RemoteRecord>> =>
  readRecords(http, '/api/v1/campaigns', { advertiserId: http.connection.advertiserId }, campaign);

function campaign(element: JsonValue): RemoteRecord | null {
  const members = membersOf(element);
  const remoteId = idOf(members?.get('campaignId', 'id'));
  if (members === null || remoteId === null) return null;
  const status = members.get('status');
  const wanted = wantedStatus(cellOf('campaign', 'serviceStatus', status));
  const { values, ...misread } = readCells('campaign', {
    name: members.get('name'),
    campaignType: members.get('campaignType'),
    targetingType: members.get('targetingType'),
    totalBudget: members.get('budget', 'totalBudget'),
    dailyBudget: members.get('dailyBudget'),
    startDate: members.get('startDate'),
    endDate: members.get('endDate'),
    serviceStatus: status,
  });
  return {
    kind: 'campaign',
    remoteId,
    campaignId: null,
    adGroupId: null,
    ...misread,
    values: {
      ...values,
      ...(wanted === null ? {} : { status: wanted }),
    },
  };
}

/**
 * What a person must have wanted for the service to be in this state: all but `paused` and `completed` are a wish to run. Of
 * a status that this version does not know nobody can say, so its word is shown there, too.
 */
function wantedStatus(serviceStatus: unknown): string | null {
  if (typeof serviceStatus !== 'string') return null;
  if (isUnknownWord(FIELDS.campaign.serviceStatus, serviceStatus)) return serviceStatus;
  return serviceStatus === 'paused' || serviceStatus === 'completed' ? serviceStatus : 'enabled';
}
