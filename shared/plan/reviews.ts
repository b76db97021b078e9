import { isUnderReview, needsReview as takesReview } from '../lifecycle/service-state.ts';
import { isDeleted, type Row } from '../model/row.ts';
import type { AdmittedTree } from './admission.ts';
import type { PlanInput } from './plan-input.ts';

/** What of a tree this plan really sends, after waits for media were taken into account. */
export interface Sent {
  readonly adItems: ReadonlySet<number>;
  readonly keywords: ReadonlySet<number>;
  readonly profiles: ReadonlySet<number>;
  readonly groups: ReadonlySet<number>;
}

const OPEN_TO_REVIEW: ReadonlySet<string | null> = new Set([
  null,
  'enabled',
  'proposal',
  'paused',
  'scheduled',
  'live',
  'rescheduled',
]);

/**
 * Ad groups for which a review is worth asking: brand and video campaigns, no review under way, a profile, an
 * item and a keyword there (without one of each the campaign cannot go live and the review would be spent),
 * and something in the group that is not approved yet. A campaign whose end has passed is left alone.
 *
 * @see document, "States and transitions"; wire shapes, section 5, "Review"
 */
export function groupsToReview(
  admitted: AdmittedTree,
  sent: Sent,
  { today, capabilities }: PlanInput,
): readonly Row<'adGroup'>[] {
  const { tree } = admitted;
  if (!takesReview(tree.campaign) || isDeleted(tree.campaign)) return [];
  if (!OPEN_TO_REVIEW.has(tree.campaign.values.serviceStatus)) return [];
  const { endDate } = tree.campaign.values;
  if (endDate !== null && endDate < today) return [];
  if (tree.campaign.remoteId === null && admitted.campaign.length === 0) return [];
  return tree.adGroups.filter((group) => {
    const onService = group.remoteId !== null || sent.groups.has(group.id);
    return (
      onService &&
      !isDeleted(group) &&
      !isUnderReview(group) &&
      isWorthReview(group, admitted, sent, capabilities.keywordRead)
    );
  });
}

function isWorthReview(group: Row<'adGroup'>, { tree }: AdmittedTree, sent: Sent, keywordsAreRead: boolean): boolean {
  const profiles = [...tree.sbaProfiles, ...tree.videoProfiles].filter((row) => row.adGroupId === group.id);
  const items = tree.adItems.filter((row) => row.adGroupId === group.id && isOn(row.values.status));
  const keywords = tree.keywords.filter((row) => row.adGroupId === group.id && isOn(row.values.state));
  const parts = [
    { rows: profiles, sentIds: sent.profiles },
    { rows: items, sentIds: sent.adItems },
    { rows: keywords, sentIds: sent.keywords },
  ];
  let isOpen = false;
  for (const { rows, sentIds } of parts) {
    const there = rows.filter((row) => !isDeleted(row) && (row.remoteId !== null || sentIds.has(row.id)));
    // Where keywords cannot be read, a group that was on the service before may have some we never saw.
    const isUnknown = rows === keywords && rows.length === 0 && group.remoteId !== null && !keywordsAreRead;
    if (there.length === 0 && !isUnknown) return false;
    // A rejected part that was not touched would be rejected again: it is no reason for a review.
    isOpen ||= there.some((row) => isUnapproved(row.values.reviewStatus, sentIds.has(row.id)));
  }
  return isOpen;
}

/** New, re-enabled and changed parts of the plan are sent for review; so is what waits from an earlier sync. */
const isUnapproved = (reviewStatus: string | null, isSent: boolean): boolean =>
  isSent || reviewStatus === null || reviewStatus === 'pending';

/** An empty status is the default, enabled. */
const isOn = (status: string | null): boolean => status === null || status === 'enabled';
