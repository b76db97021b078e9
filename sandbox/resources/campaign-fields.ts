import { dateAt } from '../calendar.ts';
import type { Hundredths } from '../decimal.ts';
import { toNumber } from '../decimal.ts';
import { type Fields, readDate, readDecimal, readText } from '../fields.ts';
import { limits } from '../limits.ts';
import { ownMessages } from '../messages.ts';
import type { CampaignRow } from '../rows.ts';
import type { Service } from '../service.ts';

/** Names, budgets and flight dates of a campaign: read in both dialects, judged, and shown in both. */
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

/** What is wrong with the name and the budgets, or null. */
export function judgeBudgets(row: Pick<CampaignRow, 'campaign_type' | 'budget' | 'daily_budget'>): string | null {
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

/** @param startDate null when the start is not being set, so that a past one may stay */
export function judgeDates(
  service: Service,
  startDate: string | null,
  effectiveStart: string,
  endDate: string,
): string | null {
  if (startDate !== null && startDate < dateAt(service.clock.now())) return ownMessages.startInPast;
  return endDate <= effectiveStart ? ownMessages.endNotAfterStart : null;
}

/** Names are unique per advertiser. @param exceptId the campaign that may keep its own name */
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

/** Cents to store; a negative amount becomes -1 so that the judgement refuses it. */
export function toCents(amount: Hundredths | null): number | null {
  if (amount === null) return null;
  return amount.negative ? -1 : amount.hundredths;
}

export function showCampaign(row: CampaignRow): Readonly<Record<string, unknown>> {
  const budget = row.budget === null ? null : toNumber(row.budget);
  const daily = row.daily_budget === null ? null : toNumber(row.daily_budget);
  return {
    advertiserId: row.advertiser_id,
    campaignId: row.campaign_id,
    name: row.name,
    campaignType: row.campaign_type,
    targetingType: row.targeting_type,
    budgetType: budget === null ? 'daily' : daily === null ? 'total' : 'both',
    budget,
    totalBudget: budget,
    dailyBudget: daily,
    startDate: row.start_date,
    endDate: row.end_date,
    status: row.status,
  };
}
