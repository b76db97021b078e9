import { requireRead, requireWrite } from '../access.ts';
import { isReadyToResume, moveCampaign, scheduleEnd } from '../campaign-states.ts';
import { dateAt, startOfDate } from '../clock.ts';
import { schedule } from '../due.ts';
import {
  type Fields,
  type Hundredths,
  parseId,
  readDate,
  readDecimal,
  readElements,
  readId,
  readText,
  readWord,
  required,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import { type CampaignMove, stateAfter } from '../states.ts';
import { type CampaignRow, showRow } from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import { asExtension, type Call, create, type Route, read, update } from '../wire/route.ts';

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
  const campaignId = service.store.insert('campaign', {
    ...budgets,
    advertiser_id: advertiserId,
    name,
    targeting_type: targetingType,
    start_date: startDate,
    end_date: endDate,
    status: 'enabled',
  });
  schedule(service, 'campaign.settle', campaignId, service.clock.now());
  return success('campaignId', campaignId);
}

function listCampaigns(service: Service, call: Call): readonly unknown[] {
  const campaignId = parseId(call.query.get('campaignId'));
  if (campaignId !== null) {
    const campaign = service.store.find('campaign', campaignId);
    if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
    requireRead(call.principal, campaign.advertiser_id, 'other');
    return [showCampaign(campaign)];
  }
  const advertiserId = parseId(call.query.get('advertiserId')) ?? call.principal.advertiserId;
  requireRead(call.principal, service.store.find('advertiser', advertiserId)?.advertiser_id ?? 0, 'other');
  return service.store.list('campaign', { advertiser_id: advertiserId }).map(showCampaign);
}

function updateCampaigns(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields: Fields) => ({
    campaignId: required(readId(fields, 'campaignId'), 'campaignId'),
    status: readWord(fields, 'status', ['enabled', 'paused', 'completed', 'extend']),
    fields: readCampaignFields(fields),
  }));
  const campaigns = elements.map(({ campaignId }) => service.store.find('campaign', campaignId));
  for (const campaign of campaigns) if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  for (const campaign of campaigns) requireWrite(call.principal, campaign?.advertiser_id ?? 0, 'other');
  return elements.map(({ campaignId, status, fields }) => {
    // Read again: an earlier element of the batch may have changed the same campaign.
    const campaign = service.store.find('campaign', campaignId);
    const problem =
      campaign === undefined ? messages.campaignNotFound : updateCampaign(service, campaign, fields, status, 'partner');
    return problem === null ? success('campaignId', campaignId) : failure('campaignId', problem);
  });
}

/** Names, budgets and flight dates of a campaign: read in both dialects, validated, and returned in both. */
export interface CampaignFields {
  readonly name: string | null;
  /** Cents; null when the field is absent. */
  readonly budget: Hundredths | null;
  readonly dailyBudget: Hundredths | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

export function readCampaignFields(fields: Fields): CampaignFields {
  return {
    name: readText(fields, 'name'),
    budget: readDecimal(fields, 'budget') ?? readDecimal(fields, 'totalBudget'),
    dailyBudget: readDecimal(fields, 'dailyBudget'),
    startDate: readDate(fields, 'startDate'),
    endDate: readDate(fields, 'endDate'),
  };
}

/** The problem of the name and the budgets, or null. */
function judgeBudgets(row: Pick<CampaignRow, 'campaign_type' | 'budget' | 'daily_budget'>): string | null {
  if (row.budget === null && row.daily_budget === null) return ownMessages.budgetMissing;
  if ((row.budget ?? 1) <= 0 || (row.daily_budget ?? 1) <= 0) return ownMessages.budgetMissing;
  if (row.campaign_type === 'video' && (row.budget === null || row.daily_budget === null)) {
    return ownMessages.videoNeedsBothBudgets;
  }
  if (row.budget !== null && row.daily_budget !== null && row.daily_budget > row.budget) {
    return ownMessages.dailyAboveTotal;
  }
  return null;
}

/** @param startDate null if the start is not being set, so that a past one may stay */
function judgeDates(
  service: Service,
  startDate: string | null,
  effectiveStart: string,
  endDate: string,
): string | null {
  if (startDate !== null && startDate < dateAt(service.clock.now())) return ownMessages.startInPast;
  return endDate <= effectiveStart ? ownMessages.endNotAfterStart : null;
}

/** Names are unique per advertiser. @param exceptId the campaign that keeps its own name */
export function judgeName(service: Service, advertiserId: number, name: string, exceptId = 0): string | null {
  if (!isPrintable(name)) return ownMessages.nameInvalid;
  const other = service.store.one(
    'SELECT 1 FROM campaign WHERE advertiser_id = ? AND name = ? AND campaign_id <> ?',
    advertiserId,
    name,
    exceptId,
  );
  return other === undefined ? null : ownMessages.nameTaken(name);
}

export function isPrintable(name: string): boolean {
  const blank = name.trim() === '';
  return !blank && name.length <= limits.nameMaxCharacters && !/\p{Cc}/u.test(name) && name.isWellFormed();
}

/** Cents to store; a negative amount becomes -1, which the validation refuses. */
function toCents(amount: Hundredths | null): number | null {
  if (amount === null) return null;
  return amount.negative ? -1 : amount.hundredths;
}

export function showCampaign(row: CampaignRow): Readonly<Record<string, unknown>> {
  const budgetType = row.budget === null ? 'daily' : row.daily_budget === null ? 'total' : 'both';
  const record = showRow('campaign', row);
  return { ...record, budgetType, totalBudget: record['budget'] };
}

/** The allowed words for `status`, with their moves. */
const moveByWord = { enabled: 'enable', paused: 'pause', completed: 'end', extend: 'extend' } as const satisfies Record<
  string,
  CampaignMove
>;
type StatusWord = keyof typeof moveByWord;

/**
 * Changes a campaign, through the API or in the retailer's console. A refusal changes nothing.
 *
 * @returns the problem, or null if it was changed
 */
export function updateCampaign(
  service: Service,
  campaign: CampaignRow,
  fields: CampaignFields,
  word: StatusWord | null,
  movedBy: string,
): string | null {
  const changes = {
    name: fields.name ?? campaign.name,
    budget: fields.budget === null ? campaign.budget : toCents(fields.budget),
    daily_budget: fields.dailyBudget === null ? campaign.daily_budget : toCents(fields.dailyBudget),
    start_date: fields.startDate ?? campaign.start_date,
    end_date: fields.endDate ?? campaign.end_date,
  };
  const next: CampaignRow = { ...campaign, ...changes };
  const newStart = fields.startDate !== null && fields.startDate !== campaign.start_date ? fields.startDate : null;
  const problem =
    (fields.name === null ? null : judgeName(service, campaign.advertiser_id, fields.name, campaign.campaign_id)) ??
    judgeBudgets(next) ??
    (fields.startDate === null && fields.endDate === null
      ? null
      : judgeDates(service, newStart, next.start_date, next.end_date)) ??
    judgeMove(service, next, word);
  if (problem !== null) return problem;
  service.store.update('campaign', next.campaign_id, changes);
  // New dates need new due events; the old ones will have nothing to do.
  if (next.end_date !== campaign.end_date) scheduleEnd(service, next);
  if (newStart !== null) {
    schedule(service, 'campaign.start', next.campaign_id, Math.max(startOfDate(newStart), service.clock.now()));
  }
  if (word !== null && !isSameState(campaign, word)) moveCampaign(service, next, moveByWord[word], movedBy);
  return null;
}

function judgeMove(service: Service, campaign: CampaignRow, word: StatusWord | null): string | null {
  if (word === null || isSameState(campaign, word)) return null;
  if (stateAfter(campaign.status, moveByWord[word]) === null) return ownMessages.moveNotAllowed(campaign.status, word);
  if (word === 'extend' && campaign.end_date < dateAt(service.clock.now())) return ownMessages.endInPast;
  if (word === 'enabled' && !isReadyToResume(service, campaign)) return ownMessages.notEligible;
  return null;
}

/** The current status is accepted as no change: a client may send a complete record back. */
function isSameState(campaign: CampaignRow, word: StatusWord): boolean {
  return word === campaign.status;
}

/** The campaign after an update. */
export function reread(service: Service, campaign: CampaignRow): CampaignRow {
  return service.store.find('campaign', campaign.campaign_id) ?? campaign;
}
