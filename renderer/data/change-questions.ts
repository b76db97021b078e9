import type { ChangeStatus } from '../../shared/api/choices.ts';
import type { AfterReview } from '../../shared/api/reviews.ts';
import type { PlanView } from '../../shared/api/sync.ts';
import type { Change } from '../../shared/api/workspace.ts';
import { changed, edited } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';
import type { QueryDefinition } from './query-cache.ts';

/** With `words`, only of rows that hold each of them; with `lane`, only what stands there. The facts count every lane. */
export const changes = (
  workspaceId: string,
  words = '',
  lane: ChangeStatus | null = null,
): ListQuestion<Change, Readonly<Record<ChangeStatus, number>>> => ({
  key: `changes ${workspaceId} ${lane} ${words}`,
  read: async (client, from, count) => {
    const page = await client.workspace.changes({ workspaceId, from, count, words, lane });
    return { items: page.changes, total: page.total, facts: page.lanes };
  },
  outdatedBy: changed(workspaceId),
});

/** Campaigns with edits that a review closes, and what waits in them. */
export const afterReview = (workspaceId: string): QueryDefinition<readonly AfterReview[]> => ({
  key: `after review ${workspaceId}`,
  read: (client) => client.afterReview.list({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

/** What cancelling the review of a campaign, sending what waits for it, and asking anew would come to. */
export const restartPlan = (workspaceId: string, campaignId: number): QueryDefinition<PlanView> => ({
  key: `restart plan ${workspaceId} ${campaignId}`,
  read: (client) => client.sync.plan({ workspaceId, campaignIds: [campaignId], cancelReviews: true }),
  outdatedBy: changed(workspaceId),
});
