import { requireRead, requireWrite } from '../access.ts';
import { parseId, queryId, readElements, readId, readText, readWord, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { findAdGroup, findCampaign } from '../lookups.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import type { AdGroupRow } from '../store.ts';
import { failure, type Result, success } from '../wire/answer-call.ts';
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
  const campaigns = elements.map(({ campaignId }) => findCampaign(service, campaignId));
  if (campaigns.includes(undefined)) throw new Refusal(404, messages.campaignNotFound);
  for (const campaign of campaigns) requireWrite(call.principal, campaign?.advertiser_id ?? 0, 'other');
  return elements.map(({ campaignId, name, status }) => {
    if (!isPrintable(name)) return failure('adGroupId', ownMessages.nameInvalid);
    const existing = service.store.all<AdGroupRow>('SELECT * FROM ad_group WHERE campaign_id = ?', campaignId);
    if (existing.length >= limits.adGroupsPerCampaign) return failure('adGroupId', ownMessages.secondAdGroup);
    const adGroupId = service.store.run(
      'INSERT INTO ad_group (campaign_id, name, status) VALUES (?, ?, ?)',
      campaignId,
      name,
      status,
    );
    return success('adGroupId', adGroupId);
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
      .map(showAdGroup);
  }
  const group = adGroupId === null ? undefined : findAdGroup(service, adGroupId);
  if (adGroupId !== null && group === undefined) throw new Refusal(404, messages.adGroupNotFound);
  const campaign = findCampaign(service, campaignId ?? group?.campaign_id ?? null);
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  requireRead(call.principal, campaign.advertiser_id, 'other');
  return service.store
    .all<AdGroupRow>('SELECT * FROM ad_group WHERE campaign_id = ? ORDER BY ad_group_id', campaign.campaign_id)
    .filter((row) => adGroupId === null || row.ad_group_id === adGroupId)
    .map(showAdGroup);
}

function updateAdGroups(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId'),
    name: readText(fields, 'name'),
    status: readWord(fields, 'status', statuses),
  }));
  const groups = elements.map(({ adGroupId }) => findAdGroup(service, adGroupId));
  if (groups.includes(undefined)) throw new Refusal(404, messages.adGroupNotFound);
  for (const group of groups) {
    requireWrite(call.principal, findCampaign(service, group?.campaign_id ?? null)?.advertiser_id ?? 0, 'other');
  }
  return elements.map(({ adGroupId, name, status }) => {
    if (name !== null && !isPrintable(name)) return failure('adGroupId', ownMessages.nameInvalid);
    changeAdGroup(service, adGroupId, name, status);
    return success('adGroupId', adGroupId);
  });
}

function changeAdGroup(service: Service, adGroupId: number, name: string | null, status: string | null): void {
  service.store.run(
    'UPDATE ad_group SET name = coalesce(?, name), status = coalesce(?, status) WHERE ad_group_id = ?',
    name,
    status,
    adGroupId,
  );
}

function showAdGroup(row: AdGroupRow): Readonly<Record<string, unknown>> {
  return { adGroupId: row.ad_group_id, campaignId: row.campaign_id, name: row.name, status: row.status };
}
