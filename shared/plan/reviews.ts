import { takesReview } from '../lifecycle/campaign-state.ts';
import { isEstimated, isUndecided, isUnderReview } from '../lifecycle/service-state.ts';
import { type AnyRow, changedFields, isDeleted, isNew, type Row } from '../model/row.ts';
import type { AdmittedTree } from './admission.ts';
import type { PlanInput } from './plan-input.ts';

/** What of a tree this plan really sends, after waits for media were taken into account. */
export interface Sent {
  readonly adItems: ReadonlySet<number>;
  readonly keywords: ReadonlySet<number>;
  readonly profiles: ReadonlySet<number>;
  readonly groups: ReadonlySet<number>;
}

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
  if (!takesReview(tree) || isDeleted(tree.campaign)) return [];
  if (tree.campaign.values.campaignState === 'ended' && !isEstimated(tree.campaign)) return [];
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
    // What became of a review with an unknown word nobody can say; what is sent now is certainly not in it.
    const isOfUnknown = isUndecided(group);
    isOpen ||= there.some(
      (row) => (!isOfUnknown && isUnapproved(row)) || (sentIds.has(row.id) && takesReviewAgain(row)),
    );
  }
  return isOpen;
}

type Part = Extract<AnyRow, { readonly kind: 'adItem' | 'keyword' | 'sbaProfile' | 'videoProfile' }>;

/** What waits for a review from an earlier sync, or has never had one. */
const isUnapproved = ({ values }: Part): boolean => values.reviewStatus === null || values.reviewStatus === 'pending';

/**
 * New parts, parts that are switched on again and changed content need a review. A bid does not, and neither does switching
 * off: both act at once (document, "PUT /api/v1/adItems").
 */
function takesReviewAgain(row: Part): boolean {
  if (isNew(row)) return true;
  const changed = changedFields(row.kind, row.dirty);
  switch (row.kind) {
    case 'adItem':
      return changed.includes('status') && isOn(row.values.status);
    case 'keyword':
      return changed.includes('state') && isOn(row.values.state);
    case 'sbaProfile':
    case 'videoProfile':
      return (
        changed.some((field) => field !== 'status') ||
        (changed.includes('status') && isOn(row.values.status) && row.values.reviewStatus !== 'approved')
      );
  }
}

/** An empty status is the default, enabled. */
const isOn = (status: string | null): boolean => status === null || status === 'enabled';
