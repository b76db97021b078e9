import { isUnknownWord } from '../model/field-types.ts';
import { FIELDS } from '../model/fields.ts';
import type { Row } from '../model/row.ts';

/**
 * What the service reports about a campaign and its groups, as the questions that rules, plan and impact ask
 * (document, "States and transitions").
 */
/**
 * Scheduled or live: profiles that are enabled cannot change now (document, "SBA update"). A rescheduled campaign is
 * neither; the document's words name these two only, and the service takes changes of a profile while it waits.
 */
export const isActive = ({ values }: Row<'campaign'>): boolean =>
  values.campaignState === 'live' ||
  (values.campaignState === 'scheduled' &&
    !(values.stateSource === 'service' && values.serviceStatus === 'rescheduled'));

/** A state that the service has not reported may be another by now: it warns, and keeps nothing from being sent. */
export const isEstimated = ({ values }: Row<'campaign'>): boolean => values.stateSource !== 'service';

/** Whether a review of the group is under way, which closes it for everything but bids, budgets and switching off. */
export const isUnderReview = (group: Row<'adGroup'>): boolean =>
  group.values.reviewStatus === 'pending' || group.values.reviewStatus === 'in-progress';

/**
 * Whether nobody knows yet what the newest review of the group decides: it is under way, or the service has a word for it
 * that this version does not know. Such a word closes nothing, since nobody can say that it ever ends.
 */
export const isUndecided = (group: Row<'adGroup'>): boolean =>
  isUnderReview(group) || isUnknownWord(FIELDS.adGroup.reviewStatus, group.values.reviewStatus);

/** Campaign types whose parts are reviewed before they go live; the others start on their date. */
export const needsReview = (campaign: Row<'campaign'>): boolean =>
  campaign.values.campaignType === 'sba' || campaign.values.campaignType === 'video';
