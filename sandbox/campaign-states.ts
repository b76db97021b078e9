import { endOfDate, MINUTE_MS, startOfDate } from './clock.ts';
import { schedule } from './due.ts';
import type { Service } from './service.ts';
import { type CampaignMove, type CampaignStatus, stateAfter } from './states.ts';
import type { AdGroupRow, CampaignRow, ReviewRow } from './tables.ts';

/**
 * Moves a campaign and its related rows if its state allows it (`states.ts`). @returns the new state, or null if it did
 * not move
 */
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
    service.store.update('campaign', campaign.campaign_id, { was_live: 1 });
    scheduleEnd(service, campaign);
  }
  return to;
}

/** The system's step out of `enabled`: a new campaign becomes a proposal, one that was live is rescheduled. */
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
  // The state lasts at least one minute, so that a polling client sees `rescheduled`.
  const earliest = to === 'rescheduled' ? now + MINUTE_MS : now;
  schedule(service, 'campaign.start', campaign.campaign_id, startInstant(campaign, earliest));
  return to;
}

/** Schedules the end of a campaign; called again whenever the date changes. */
export function scheduleEnd(service: Service, campaign: Pick<CampaignRow, 'campaign_id' | 'end_date'>): void {
  schedule(service, 'campaign.end', campaign.campaign_id, Math.max(endOfDate(campaign.end_date), service.clock.now()));
}

function setStatus(service: Service, campaign: CampaignRow, to: CampaignStatus, movedBy: string): void {
  const { store, clock } = service;
  const { campaign_id, status } = campaign;
  store.update('campaign', campaign_id, { status: to });
  store.insert('campaign_move', {
    campaign_id,
    at_ms: clock.now(),
    from_status: status,
    to_status: to,
    moved_by: movedBy,
  });
}

function startInstant(campaign: CampaignRow, earliestMs: number): number {
  return Math.max(startOfDate(campaign.start_date), earliestMs);
}

/**
 * Handlers of a campaign's three due events. Dates may have changed since an event was scheduled, so each checks them
 * again.
 */
export function settleDueCampaign(service: Service, subject: string): void {
  const campaign = service.store.find('campaign', Number(subject));
  if (campaign !== undefined) moveCampaign(service, campaign, 'settle', 'system');
}

export function startDueCampaign(service: Service, subject: string): void {
  const campaign = service.store.find('campaign', Number(subject));
  if (campaign === undefined || startOfDate(campaign.start_date) > service.clock.now()) return;
  // A scheduled campaign that became ineligible waits; a new approval calls `remindOfStart`.
  if (isReadyToStart(service, campaign)) moveCampaign(service, campaign, 'start', 'system');
}

/** Schedules a start check for a campaign that may have missed its start; does nothing unless it is scheduled. */
export function remindOfStart(service: Service, campaignId: number): void {
  const campaign = service.store.find('campaign', campaignId);
  if (campaign === undefined || stateAfter(campaign.status, 'start') === null) return;
  schedule(service, 'campaign.start', campaignId, Math.max(startOfDate(campaign.start_date), service.clock.now()));
}

export function endDueCampaign(service: Service, subject: string): void {
  const campaign = service.store.find('campaign', Number(subject));
  if (campaign === undefined || endOfDate(campaign.end_date) > service.clock.now()) return;
  moveCampaign(service, campaign, 'end', 'system');
}

/**
 * "Campaign status": a campaign needs an approved profile, at least one approved ad item and at least one approved
 * keyword bid to be scheduled.
 */
export function isEligible(service: Service, adGroupId: number, campaign: CampaignRow): boolean {
  const { store } = service;
  const item = store.one(
    "SELECT 1 FROM ad_item WHERE ad_group_id = ? AND status = 'enabled' AND review_status = 'approved'",
    adGroupId,
  );
  const keyword = store.one(
    "SELECT 1 FROM keyword WHERE ad_group_id = ? AND state = 'enabled' AND status = 'approved'",
    adGroupId,
  );
  return hasApprovedProfile(service, adGroupId, campaign) && item !== undefined && keyword !== undefined;
}

/** Whether a profile is enabled and approved. */
export function hasApprovedProfile(service: Service, adGroupId: number, campaign: CampaignRow): boolean {
  const sql =
    campaign.campaign_type === 'video'
      ? "SELECT 1 FROM ad_group_media WHERE ad_group_id = ? AND status = 'enabled' AND review_status = 'approved'"
      : `SELECT 1 FROM sba_profile WHERE ad_group_id = ? AND status = 'enabled' AND review_status = 'complete'
         AND review_reason IS NULL`;
  return service.store.one(sql, adGroupId) !== undefined;
}

/** The pending or in-progress review of an ad group; there is at most one. */
export function findOpenReview(service: Service, adGroupId: number): ReviewRow | undefined {
  return service.store.one<ReviewRow>(
    "SELECT * FROM review WHERE ad_group_id = ? AND status IN ('pending', 'in-progress')",
    adGroupId,
  );
}

/** Whether a paused campaign may be enabled again: "Review complete and campaign eligible." */
export function isReadyToResume(service: Service, campaign: CampaignRow): boolean {
  if (campaign.campaign_type === 'sponsoredProducts') return true;
  const group = groupOf(service, campaign);
  if (group === undefined || findOpenReview(service, group.ad_group_id) !== undefined) return false;
  return isEligible(service, group.ad_group_id, campaign);
}

/** "Campaign goes live only when eligibility criteria are met"; sponsoredProducts campaigns have none. */
function isReadyToStart(service: Service, campaign: CampaignRow): boolean {
  if (campaign.campaign_type === 'sponsoredProducts') return true;
  const group = groupOf(service, campaign);
  return group !== undefined && isEligible(service, group.ad_group_id, campaign);
}

function groupOf(service: Service, campaign: CampaignRow): AdGroupRow | undefined {
  return service.store.list('ad_group', { campaign_id: campaign.campaign_id })[0];
}
