import { endOfDate, startOfDate } from './calendar.ts';
import { moveCampaign } from './campaign-states.ts';
import { schedule } from './due.ts';
import { findCampaign } from './lookups.ts';
import { isReadyToStart } from './resources/eligibility.ts';
import type { Service } from './service.ts';
import { stateAfter } from './states.ts';

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
