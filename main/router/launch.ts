import type { Launch } from '../../shared/contract/launch.ts';
import { eligibility, submitBy } from '../../shared/lifecycle/eligibility.ts';
import { needsReview } from '../../shared/lifecycle/service-state.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import type { OpenAccount } from '../open-account.ts';
import type { Workspace } from '../workspace/port.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const launchRouter = ({ open }: CoreParts) => ({
  list: os.launch.list.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    return launches(account, input.from, input.count);
  }),
});

async function launches({ workspace, profile, reports }: OpenAccount, from: number, count: number) {
  const today = await reports.today();
  const { ids, total } = await inOrder(workspace, from, count);
  const trees = new Map((await workspace.readTrees(ids)).map((tree) => [tree.campaign.id, tree]));
  return {
    total,
    today,
    reviewDays: profile.review.days,
    mediaMinutes: profile.media.processingMinutes,
    launches: ids.flatMap((id) => {
      const tree = trees.get(id);
      return tree === undefined ? [] : [launchOf(tree, profile, today)];
    }),
  };
}

/** The part of the campaigns that is asked for: those that are not over, by their first day. */
async function inOrder(workspace: Workspace, from: number, count: number) {
  const opening = await workspace.openView({
    kind: 'campaign',
    filter: '-status:completed -serviceStatus:completed',
    sort: [{ column: 'startDate', descending: false }],
    campaignId: null,
    only: 'all',
  });
  if (!opening.ok) throw new Error(`the order of launches cannot be read: ${opening.error.problem}`);
  const { viewId, length } = opening.value;
  const page = await workspace.readWindow(viewId, from, count);
  await workspace.closeView(viewId);
  return { ids: page?.rows.map(({ id }) => id) ?? [], total: length };
}

function launchOf(tree: CampaignTree, profile: DeploymentProfile, today: string): Launch {
  const { campaign, adGroups, media } = tree;
  const { startDate, endDate, campaignType, serviceStatus } = campaign.values;
  const { missing } = eligibility(tree, profile);
  const waitsForVideo = media.some((row) => row.values.mediaType === 'video' && row.values.mediaState !== 'available');
  const start = startDate === null ? null : plainDate(startDate);
  const until = start === null || !needsReview(campaign) ? null : submitBy(start, profile, waitsForVideo);
  const isOpen = missing.some(({ step }) => step === 'submit' || step === 'approval');
  return {
    campaignId: campaign.id,
    name: rowLabel(campaign),
    campaignType,
    serviceStatus,
    reviewStatus: adGroups.find((group) => group.values.reviewStatus !== null)?.values.reviewStatus ?? null,
    startDate,
    endDate,
    missing: [...missing],
    submitBy: until,
    isLate: until !== null && isOpen && until < today,
    waitsForVideo,
  };
}
