import type { Row } from '../model/row.ts';

/**
 * What the service reports about a campaign and its groups, as the questions that rules, plan and impact ask
 * (document, "States and transitions").
 */
const ACTIVE: ReadonlySet<string | null> = new Set(['scheduled', 'live']);

/**
 * Scheduled or live: profiles that are enabled cannot change now (document, "SBA update"). A rescheduled campaign is
 * neither; the document's words name these two only, and the service takes changes of a profile while it waits.
 */
export const isActive = (campaign: Row<'campaign'>): boolean => ACTIVE.has(campaign.values.serviceStatus);

/** Whether a review of the group is under way, which closes it for everything but bids, budgets and switching off. */
export const isUnderReview = (group: Row<'adGroup'>): boolean =>
  group.values.reviewStatus === 'pending' || group.values.reviewStatus === 'in-progress';

/** Campaign types whose parts are reviewed before they go live; the others start on their date. */
export const needsReview = (campaign: Row<'campaign'>): boolean =>
  campaign.values.campaignType === 'sba' || campaign.values.campaignType === 'video';
