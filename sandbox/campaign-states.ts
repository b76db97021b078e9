import { endOfDate, MINUTE_MS, startOfDate } from './clock.ts';
import { schedule } from './due.ts';
import { findCampaign } from './lookups.ts';
import { isReadyToStart } from './resources/eligibility.ts';
import type { Service } from './service.ts';
import { type CampaignMove, type CampaignStatus, stateAfter } from './states.ts';
import type { CampaignRow } from './store.ts';

/** How a campaign moves: the table is in `states.ts`; here is what goes with a move, and the history that keeps it. */

/** Moves a campaign if its state allows it. @returns the new state, or null when it stayed */
export function moveCampaign(
  service: Service,
  campaign: CampaignRow,
  move: CampaignMove,
  movedBy: string,
): CampaignStatus | null {
  const to = stateAfter(campaign.status, move);
  if (to === null) return null;
  if (move === 'settle') return settleCampaign(service, campaign, to);
  setStatus(service, campaign, to, movedBy);
  const now = service.clock.now();
  if (move === 'approve') return scheduleCampaign(service, { ...campaign, status: to }, 'schedule');
  if (move === 'enable') schedule(service, 'campaign.settle', campaign.campaign_id, now);
  if (move === 'extend') schedule(service, 'campaign.start', campaign.campaign_id, startInstant(campaign, now));
  if (move === 'start') {
    service.store.run('UPDATE campaign SET was_live = 1 WHERE campaign_id = ?', campaign.campaign_id);
    scheduleEnd(service, campaign);
  }
  return to;
}

/** The system's step out of `enabled`: a new campaign to its proposal, one that was live back onto the schedule. */
function settleCampaign(service: Service, campaign: CampaignRow, next: CampaignStatus): CampaignStatus | null {
  if (campaign.was_live === 1) return scheduleCampaign(service, campaign, 'reschedule');
  if (campaign.campaign_type === 'sponsoredProducts') return scheduleCampaign(service, campaign, 'schedule');
  setStatus(service, campaign, next, 'system');
  return next;
}

function scheduleCampaign(
  service: Service,
  campaign: CampaignRow,
  move: 'schedule' | 'reschedule',
): CampaignStatus | null {
  const to = stateAfter(campaign.status, move);
  if (to === null) return null;
  setStatus(service, campaign, to, 'system');
  const now = service.clock.now();
  // One minute on the schedule keeps `rescheduled` visible to a client that polls.
  const earliest = to === 'rescheduled' ? now + MINUTE_MS : now;
  schedule(service, 'campaign.start', campaign.campaign_id, startInstant(campaign, earliest));
  return to;
}

/** Reminds the system of the end date; called again whenever the date changes. */
export function scheduleEnd(service: Service, campaign: Pick<CampaignRow, 'campaign_id' | 'end_date'>): void {
  schedule(service, 'campaign.end', campaign.campaign_id, Math.max(endOfDate(campaign.end_date), service.clock.now()));
}

function setStatus(service: Service, campaign: CampaignRow, to: CampaignStatus, movedBy: string): void {
  const { store, clock } = service;
  store.run('UPDATE campaign SET status = ? WHERE campaign_id = ?', to, campaign.campaign_id);
  store.run(
    'INSERT INTO campaign_move (campaign_id, at_ms, from_status, to_status, moved_by) VALUES (?, ?, ?, ?, ?)',
    campaign.campaign_id,
    clock.now(),
    campaign.status,
    to,
    movedBy,
  );
}

function startInstant(campaign: CampaignRow, earliestMs: number): number {
  return Math.max(startOfDate(campaign.start_date), earliestMs);
}

/** The three reminders of a campaign. Dates may have changed since the reminder was set, so each looks again. */
export function settleDueCampaign(service: Service, subject: string): void {
  const campaign = findCampaign(service, Number(subject));
  if (campaign !== undefined) moveCampaign(service, campaign, 'settle', 'system');
}

export function startDueCampaign(service: Service, subject: string): void {
  const campaign = findCampaign(service, Number(subject));
  if (campaign === undefined || startOfDate(campaign.start_date) > service.clock.now()) return;
  // What became ineligible on the schedule waits; `remindOfStart` comes when something was approved again.
  if (isReadyToStart(service, campaign)) moveCampaign(service, campaign, 'start', 'system');
}

/** Looks again at a campaign that may have missed its start; one that is not on the schedule takes no notice. */
export function remindOfStart(service: Service, campaignId: number): void {
  const campaign = findCampaign(service, campaignId);
  if (campaign === undefined || stateAfter(campaign.status, 'start') === null) return;
  schedule(service, 'campaign.start', campaignId, Math.max(startOfDate(campaign.start_date), service.clock.now()));
}

export function endDueCampaign(service: Service, subject: string): void {
  const campaign = findCampaign(service, Number(subject));
  if (campaign === undefined || endOfDate(campaign.end_date) > service.clock.now()) return;
  moveCampaign(service, campaign, 'end', 'system');
}
