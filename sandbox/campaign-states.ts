import { endOfDate, MINUTE_MS, startOfDate } from './calendar.ts';
import { schedule } from './due.ts';
import type { CampaignRow, CampaignStatus } from './rows.ts';
import type { Service } from './service.ts';

/*
 * "States and transitions", campaign status. A video or SBA campaign:
 *
 *   (new) -> enabled --settle--> proposal --review approved--> (enabled) --> scheduled --start date--> live
 *                                   ^  |criteria not met                          |                    |  ^
 *                                   +--+                                  profile rejected        pause|  |start date
 *                                   ^---------------------------------------------+                    v  |
 *   completed <--end or end date-- live --profile rejected--> paused --enable--> enabled --settle--> rescheduled
 *       |                                                                                                ^
 *       +------------------------------------------extend------------------------------------------------+
 *
 * A sponsoredProducts campaign needs no review: enabled --settle--> scheduled --start date--> live.
 */
export type CampaignMove = 'settle' | 'approve' | 'start' | 'pause' | 'enable' | 'end' | 'extend' | 'reject-profile';

type Step = readonly [from: CampaignStatus, to: CampaignStatus];

/** Pause and end are possible from `live` only; a paused campaign is never scheduled by the system. */
export const campaignMoves: Readonly<Record<CampaignMove, readonly Step[]>> = {
  settle: [['enabled', 'proposal']],
  approve: [['proposal', 'enabled']],
  start: [
    ['scheduled', 'live'],
    ['rescheduled', 'live'],
  ],
  pause: [['live', 'paused']],
  enable: [['paused', 'enabled']],
  end: [['live', 'completed']],
  extend: [['completed', 'rescheduled']],
  'reject-profile': [
    ['live', 'paused'],
    ['scheduled', 'proposal'],
    ['rescheduled', 'paused'],
  ],
};

/** The state a move leads to, or null when the campaign's state does not allow it. */
export function stateAfter(from: CampaignStatus, move: CampaignMove): CampaignStatus | null {
  return campaignMoves[move].find(([state]) => state === from)?.[1] ?? null;
}

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
  if (move === 'approve') return scheduleCampaign(service, { ...campaign, status: to }, 'scheduled');
  if (move === 'enable') schedule(service, 'campaign.settle', campaign.campaign_id, now);
  if (move === 'extend') schedule(service, 'campaign.start', campaign.campaign_id, startInstant(campaign, now));
  if (move === 'start') {
    service.store.run('UPDATE campaign SET was_live = 1 WHERE campaign_id = ?', campaign.campaign_id);
    scheduleEnd(service, campaign);
  }
  return to;
}

/** The system's step out of `enabled`: a new campaign to its proposal, one that was live back onto the schedule. */
function settleCampaign(service: Service, campaign: CampaignRow, next: CampaignStatus): CampaignStatus {
  if (campaign.was_live === 1) return scheduleCampaign(service, campaign, 'rescheduled');
  if (campaign.campaign_type === 'sponsoredProducts') return scheduleCampaign(service, campaign, 'scheduled');
  setStatus(service, campaign, next, 'system');
  return next;
}

function scheduleCampaign(service: Service, campaign: CampaignRow, to: 'scheduled' | 'rescheduled'): CampaignStatus {
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
