import type { CampaignTree } from '../../../../shared/model/campaign-tree.ts';
import type { DeploymentProfile } from '../../../../shared/profile/profile.ts';

/**
 * The fewest writing requests that can bring these campaigns to the service, counted from the batch rules alone and
 * without a look at the planner: one campaign and one kind a batch, at most `batch.max` elements; keywords in one text
 * list for each match type and bid; a logo, a video profile and the two ends of an upload one by one; one review
 * for each group of a brand or video campaign.
 */
export function fewestRequests(trees: readonly CampaignTree[], profile: DeploymentProfile): number {
  return trees.reduce((sum, tree) => sum + ofCampaign(tree, profile), 0);
}

function ofCampaign(tree: CampaignTree, { batch, wire }: DeploymentProfile): number {
  const isReviewed = tree.campaign.values.campaignType !== 'sponsoredProducts';
  const keywordLists =
    wire.dialect === 'seed'
      ? [...Map.groupBy(tree.keywords, ({ values }) => `${values.matchType} ${values.bid}`).values()]
      : [tree.keywords];
  const logos = tree.sbaProfiles.filter(({ values }) => values.logo !== null).length;
  const videos = new Set(tree.videoProfiles.map(({ values }) => values.video)).size;
  return (
    1 +
    tree.adGroups.length +
    batches(tree.adItems.length, batch.max) +
    keywordLists.reduce((sum, list) => sum + batches(list.length, batch.max), 0) +
    batches(tree.sbaProfiles.length, batch.max) +
    logos +
    // Asking for the upload addresses, and saying that the bytes are there.
    2 * videos +
    tree.videoProfiles.length +
    batches(tree.placementMultipliers.length, batch.max) +
    batches(tree.platformMultipliers.length, batch.max) +
    (isReviewed ? tree.adGroups.length : 0)
  );
}

const batches = (elements: number, max: number): number => Math.ceil(elements / max);
