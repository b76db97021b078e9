import { requireRead, requireWrite } from '../access.ts';
import { dateAt } from '../calendar.ts';
import { schedule } from '../due.ts';
import { type Fields, parseId, readElements, readId, readWord, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { findAdvertiser, findCampaign } from '../lookups.ts';
import { messages, ownMessages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { CampaignRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { failure, type Result, success } from '../wire/results.ts';
import { asExtension, type Call, create, type Route, read, update } from '../wire/route.ts';
import { judgeBudgets, judgeDates, judgeName, readCampaignFields, showCampaign, toCents } from './campaign-fields.ts';
import { updateCampaign } from './campaign-update.ts';

/** "Sponsored video and campaign workflow endpoints": POST /api/v1/campaigns; listing and updating are extensions. */
export const campaignRoutes: readonly Route[] = [
  create('/api/v1/campaigns', createCampaigns),
  asExtension(read('/api/v1/campaigns', listCampaigns)),
  asExtension(update('/api/v1/campaigns', updateCampaigns)),
];

const campaignTypes = ['sponsoredProducts', 'sba', 'video'] as const;
const targetingTypes = ['auto', 'manual'] as const;

function createCampaigns(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    advertiserId: required(readId(fields, 'advertiserId'), 'advertiserId'),
    name: required(readCampaignFields(fields).name, 'name'),
    campaignType: required(readWord(fields, 'campaignType', campaignTypes), 'campaignType'),
    targetingType: required(readWord(fields, 'targetingType', targetingTypes), 'targetingType'),
    status: readWord(fields, 'status', ['enabled']),
    fields: readCampaignFields(fields),
  }));
  for (const { advertiserId } of elements) requireWrite(call.principal, advertiserId, 'other');
  return elements.map((element) => createCampaign(service, element));
}

function createCampaign(
  service: Service,
  element: {
    readonly advertiserId: number;
    readonly name: string;
    readonly campaignType: CampaignRow['campaign_type'];
    readonly targetingType: CampaignRow['targeting_type'];
    readonly fields: ReturnType<typeof readCampaignFields>;
  },
): Result {
  const { advertiserId, name, campaignType, targetingType, fields } = element;
  const startDate = fields.startDate ?? dateAt(service.clock.now());
  const endDate = fields.endDate ?? limits.openEndDate;
  const budgets = {
    campaign_type: campaignType,
    budget: toCents(fields.budget),
    daily_budget: toCents(fields.dailyBudget),
  };
  const manualNeeded = campaignType !== 'sponsoredProducts' && targetingType === 'auto';
  const problem =
    judgeName(service, advertiserId, name) ??
    (manualNeeded ? ownMessages.needsManualTargeting(campaignType) : null) ??
    judgeBudgets(budgets) ??
    judgeDates(service, startDate, startDate, endDate);
  if (problem !== null) return failure('campaignId', problem);
  const campaignId = service.store.run(
    `INSERT INTO campaign (advertiser_id, name, campaign_type, targeting_type, budget, daily_budget, start_date, end_date, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'enabled')`,
    advertiserId,
    name,
    campaignType,
    targetingType,
    budgets.budget,
    budgets.daily_budget,
    startDate,
    endDate,
  );
  schedule(service, 'campaign.settle', campaignId, service.clock.now());
  return success('campaignId', campaignId);
}

function listCampaigns(service: Service, call: Call): readonly unknown[] {
  const campaignId = parseId(call.query.get('campaignId'));
  if (campaignId !== null) {
    const campaign = findCampaign(service, campaignId);
    if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
    requireRead(call.principal, campaign.advertiser_id, 'other');
    return [showCampaign(campaign)];
  }
  const advertiserId = parseId(call.query.get('advertiserId')) ?? call.principal.advertiserId;
  requireRead(call.principal, findAdvertiser(service, advertiserId)?.advertiser_id ?? 0, 'other');
  return service.store
    .all<CampaignRow>('SELECT * FROM campaign WHERE advertiser_id = ? ORDER BY campaign_id', advertiserId)
    .map(showCampaign);
}

function updateCampaigns(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields: Fields) => ({
    campaignId: required(readId(fields, 'campaignId'), 'campaignId'),
    status: readWord(fields, 'status', ['enabled', 'paused', 'completed', 'extend']),
    fields: readCampaignFields(fields),
  }));
  const campaigns = elements.map(({ campaignId }) => findCampaign(service, campaignId));
  for (const campaign of campaigns) if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  for (const campaign of campaigns) requireWrite(call.principal, campaign?.advertiser_id ?? 0, 'other');
  return elements.map(({ campaignId, status, fields }) => {
    // Read again: an earlier element of the batch may have changed the same campaign.
    const campaign = findCampaign(service, campaignId);
    const problem =
      campaign === undefined ? messages.campaignNotFound : updateCampaign(service, campaign, fields, status, 'partner');
    return problem === null ? success('campaignId', campaignId) : failure('campaignId', problem);
  });
}
