import type { AfterReview } from '../../shared/contract/after-review.ts';
import { isLockedByReview } from '../../shared/lifecycle/review-lock.ts';
import { isUnderReview, needsReview } from '../../shared/lifecycle/service-state.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { type AnyRow, isChanged, isHeld } from '../../shared/model/row.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import type { Workspace } from '../workspace/port.ts';

interface AfterReviewDeps {
  readonly workspace: Pick<Workspace, 'campaignIds' | 'readTrees' | 'outbox'>;
  readonly profile: DeploymentProfile;
}

/** Rows of a campaign that are named. */
const NAMED = 5;

/**
 * Campaigns with edits that a review closes: kept for after the review while it is open, to be sent and reviewed anew once
 * it is over. Those that are free come first, then by campaign.
 */
export async function editsAfterReview({ workspace, profile }: AfterReviewDeps): Promise<AfterReview[]> {
  const changed = new Set(await workspace.campaignIds('changed'));
  const reviewed = (await workspace.outbox.reviewedCampaigns()).filter((id) => changed.has(id));
  if (reviewed.length === 0) return [];
  const asked = new Map((await workspace.outbox.reviewsAsked()).map(({ campaignId, at }) => [campaignId, at]));
  const { days } = profile.review;
  const found = (await workspace.readTrees(reviewed)).flatMap((tree): AfterReview[] => {
    const rows = editsOf(tree);
    if (rows.length === 0 || !needsReview(tree.campaign)) return [];
    const isOpen = tree.adGroups.some(isUnderReview);
    return [
      {
        campaignId: tree.campaign.id,
        campaign: rowLabel(tree.campaign),
        state: isOpen ? 'locked' : 'free',
        outcome: isOpen
          ? null
          : (tree.adGroups.find(({ values }) => values.reviewId !== null)?.values.reviewStatus ?? null),
        rows: rows.length,
        first: rows.slice(0, NAMED).map((row) => ({ kind: row.kind, id: row.id, label: rowLabel(row) })),
        askedAt: isOpen ? (asked.get(tree.campaign.id) ?? null) : null,
        days: { min: days.min, max: days.max },
      },
    ];
  });
  return found.toSorted((a, b) => a.state.localeCompare(b.state) || a.campaignId - b.campaignId);
}

function editsOf(tree: CampaignTree): readonly AnyRow[] {
  const rows: readonly AnyRow[] = [...tree.sbaProfiles, ...tree.videoProfiles, ...tree.adItems, ...tree.keywords];
  return rows.filter((row) => isChanged(row) && !isHeld(row) && isLockedByReview(row));
}
