import { requireRead, requireWrite } from '../access.ts';
import { parseId, queryId, readElements, readId, readText, readWord, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import { type AdGroupRow, showRow } from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import { asExtension, type Call, create, type Route, read, update } from '../wire/route.ts';
import { isPrintable } from './campaigns.ts';

/** POST /api/v1/adGroups: "only one ad group is permitted per campaign". Listing and updating are extensions. */
export const adGroupRoutes: readonly Route[] = [
  create('/api/v1/adGroups', createAdGroups),
  asExtension(read('/api/v1/adGroups', listAdGroups)),
  asExtension(update('/api/v1/adGroups', updateAdGroups)),
];

const statuses = ['enabled', 'disabled'] as const;

function createAdGroups(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    campaignId: required(readId(fields, 'campaignId'), 'campaignId'),
    name: required(readText(fields, 'name'), 'name'),
    status: readWord(fields, 'status', statuses) ?? 'enabled',
  }));
  const campaigns = elements.map(({ campaignId }) => service.store.find('campaign', campaignId));
  if (campaigns.includes(undefined)) throw new Refusal(404, messages.campaignNotFound);
  for (const campaign of campaigns) requireWrite(call.principal, campaign?.advertiser_id ?? 0, 'other');
  return elements.map(({ campaignId, name, status }) => {
    if (!isPrintable(name)) return failure('adGroupId', ownMessages.nameInvalid);
    const existing = service.store.list('ad_group', { campaign_id: campaignId });
    if (existing.length >= limits.adGroupsPerCampaign) return failure('adGroupId', ownMessages.secondAdGroup);
    return success('adGroupId', service.store.insert('ad_group', { campaign_id: campaignId, name, status }));
  });
}

function listAdGroups(service: Service, call: Call): readonly unknown[] {
  const campaignId = parseId(call.query.get('campaignId'));
  const adGroupId = queryId(call.query, 'adGroupId');
  if (campaignId === null && adGroupId === null) {
    requireRead(call.principal, call.principal.advertiserId, 'other');
    return service.store
      .all<AdGroupRow>(
        `SELECT ad_group.* FROM ad_group JOIN campaign USING (campaign_id) WHERE advertiser_id = ? ORDER BY ad_group_id`,
        call.principal.advertiserId,
      )
      .map((row) => showRow('ad_group', row));
  }
  return listOfCampaign(service, call, 'ad_group', campaignId, adGroupId);
}

/** The rows of a campaign or of one of its ad groups; one of the two is required. */
export function listOfCampaign(
  service: Service,
  call: Call,
  table: 'ad_group' | 'keyword',
  campaignId: number | null,
  adGroupId: number | null,
): readonly unknown[] {
  const group = adGroupId === null ? undefined : service.store.find('ad_group', adGroupId);
  if (adGroupId !== null && group === undefined) throw new Refusal(404, messages.adGroupNotFound);
  const campaign = service.store.find('campaign', campaignId ?? group?.campaign_id ?? null);
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  requireRead(call.principal, campaign.advertiser_id, 'other');
  return service.store
    .list(table, { campaign_id: campaign.campaign_id })
    .filter((row) => adGroupId === null || row.ad_group_id === adGroupId)
    .map((row) => showRow(table, row));
}

function updateAdGroups(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId'),
    name: readText(fields, 'name'),
    status: readWord(fields, 'status', statuses),
  }));
  const groups = elements.map(({ adGroupId }) => service.store.find('ad_group', adGroupId));
  if (groups.includes(undefined)) throw new Refusal(404, messages.adGroupNotFound);
  for (const group of groups) {
    requireWrite(
      call.principal,
      service.store.find('campaign', group?.campaign_id ?? null)?.advertiser_id ?? 0,
      'other',
    );
  }
  return elements.map(({ adGroupId, name, status }) => {
    if (name !== null && !isPrintable(name)) return failure('adGroupId', ownMessages.nameInvalid);
    const changes = { ...(name === null ? {} : { name }), ...(status === null ? {} : { status }) };
    if (Object.keys(changes).length > 0) service.store.update('ad_group', adGroupId, changes);
    return success('adGroupId', adGroupId);
  });
}
