import type { SwapView } from '../../shared/api/campaigns.ts';
import type { Rejection } from '../../shared/api/reviews.ts';
import { changedOrSynced } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

/** So many are shown at once; with words the rest is found. */
export const REJECTIONS_SHOWN = 100;

export interface Rejections {
  readonly total: number;
  readonly rejections: readonly Rejection[];
}

/** What reviews have rejected in this account, newest first, whatever became of it. */
export const rejections = (workspaceId: string, words: string): QueryDefinition<Rejections> => ({
  key: `rejections ${workspaceId} ${words}`,
  read: (client) => client.verdicts.rejections({ workspaceId, from: 0, count: REJECTIONS_SHOWN, words }),
  outdatedBy: changedOrSynced(workspaceId),
});

/** How the swap of a campaign's profiles stands; null where there is no pair for one. */
export const swap = (workspaceId: string, campaignId: number): QueryDefinition<SwapView | null> => ({
  key: `swap ${workspaceId} ${campaignId}`,
  read: (client) => client.swaps.state({ workspaceId, campaignId }),
  outdatedBy: changedOrSynced(workspaceId),
});
