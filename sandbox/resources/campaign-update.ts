import { dateAt, startOfDate } from '../calendar.ts';
import { moveCampaign, scheduleEnd } from '../campaign-states.ts';
import { schedule } from '../due.ts';
import { findCampaign } from '../lookups.ts';
import { ownMessages } from '../messages.ts';
import type { CampaignRow } from '../rows.ts';
import type { Service } from '../service.ts';
import { type CampaignMove, stateAfter } from '../states.ts';
import { type CampaignFields, judgeBudgets, judgeDates, judgeName, toCents } from './campaign-fields.ts';
import { isReadyToResume } from './eligibility.ts';

/** The words a caller may send as `status`, and the move each asks for. */
const moveByWord = { enabled: 'enable', paused: 'pause', completed: 'end', extend: 'extend' } as const satisfies Record<
  string,
  CampaignMove
>;
export type StatusWord = keyof typeof moveByWord;

/**
 * Changes a campaign, through the API or in the retailer's console. Nothing is changed when anything is refused.
 *
 * @returns what is wrong, or null when it was done
 */
export function updateCampaign(
  service: Service,
  campaign: CampaignRow,
  fields: CampaignFields,
  word: StatusWord | null,
  movedBy: string,
): string | null {
  const next: CampaignRow = {
    ...campaign,
    name: fields.name ?? campaign.name,
    budget: fields.budget === null ? campaign.budget : toCents(fields.budget),
    daily_budget: fields.dailyBudget === null ? campaign.daily_budget : toCents(fields.dailyBudget),
    start_date: fields.startDate ?? campaign.start_date,
    end_date: fields.endDate ?? campaign.end_date,
  };
  const newStart = fields.startDate !== null && fields.startDate !== campaign.start_date ? fields.startDate : null;
  const problem =
    (fields.name === null ? null : judgeName(service, campaign.advertiser_id, fields.name, campaign.campaign_id)) ??
    judgeBudgets(next) ??
    (fields.startDate === null && fields.endDate === null
      ? null
      : judgeDates(service, newStart, next.start_date, next.end_date)) ??
    judgeMove(service, next, word);
  if (problem !== null) return problem;
  service.store.run(
    'UPDATE campaign SET name = ?, budget = ?, daily_budget = ?, start_date = ?, end_date = ? WHERE campaign_id = ?',
    next.name,
    next.budget,
    next.daily_budget,
    next.start_date,
    next.end_date,
    next.campaign_id,
  );
  // New dates need new reminders; the old ones find nothing to do.
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

/** Asking for the state a campaign is in is no change: a client may send a record back whole. */
function isSameState(campaign: CampaignRow, word: StatusWord): boolean {
  return word === campaign.status;
}

/** The campaign after an update, for callers that show it. */
export function reread(service: Service, campaign: CampaignRow): CampaignRow {
  return findCampaign(service, campaign.campaign_id) ?? campaign;
}
