import { endOfDate, startOfDate } from './calendar.ts';
import { moveCampaign } from './campaign-states.ts';
import { findCampaign } from './lookups.ts';
import type { Service } from './service.ts';

/** The three reminders of a campaign. Dates may have changed since the reminder was set, so each looks again. */
export function settleDueCampaign(service: Service, subject: string): void {
  const campaign = findCampaign(service, Number(subject));
  if (campaign !== undefined) moveCampaign(service, campaign, 'settle', 'system');
}

export function startDueCampaign(service: Service, subject: string): void {
  const campaign = findCampaign(service, Number(subject));
  if (campaign === undefined || startOfDate(campaign.start_date) > service.clock.now()) return;
  moveCampaign(service, campaign, 'start', 'system');
}

export function endDueCampaign(service: Service, subject: string): void {
  const campaign = findCampaign(service, Number(subject));
  if (campaign === undefined || endOfDate(campaign.end_date) > service.clock.now()) return;
  moveCampaign(service, campaign, 'end', 'system');
}
