import type { AnswerText, ResponseLogInfo, ResponseSummary } from '../../shared/api/requests.ts';
import type { OutdatedSummary } from '../../shared/api/sync.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { editedOrSynced } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';
import type { QueryDefinition } from './query-cache.ts';

/** Answers of the service, newest first; with `words`, those that hold each of them. */
export const responses = (workspaceId: string, words: string): ListQuestion<ResponseSummary, null> => ({
  key: `answers ${workspaceId} ${words}`,
  read: async (client, from, count) => {
    const page = await client.answers.list({ workspaceId, from, count, words });
    return { items: page.answers, total: page.total, facts: null };
  },
  outdatedBy: editedOrSynced(workspaceId),
});

/** All answers under one correlation id. */
export const answersOf = (workspaceId: string, correlationId: string): QueryDefinition<AnswerText[]> => ({
  key: `answers of ${workspaceId} ${correlationId}`,
  read: (client) => client.answers.of({ workspaceId, correlationId }),
  outdatedBy: editedOrSynced(workspaceId),
});

/** When a campaign was last read, and from which answer. */
export const lastRead = (
  workspaceId: string,
  campaignId: number,
): QueryDefinition<{ readonly at: number | null; readonly answer: ResponseSummary | null }> => ({
  key: `last read ${workspaceId} ${campaignId}`,
  read: (client) => client.answers.lastRead({ workspaceId, campaignId: asRowId(campaignId) }),
  outdatedBy: editedOrSynced(workspaceId),
});

/** How much is kept of answers. */
export const responseLogInfo = (workspaceId: string): QueryDefinition<ResponseLogInfo> => ({
  key: `answers kept ${workspaceId}`,
  read: (client) => client.answers.kept({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

/** How many campaigns may be out of date, by why. */
export const outdatedCampaigns = (workspaceId: string, hours: number): QueryDefinition<OutdatedSummary> => ({
  key: `outdated ${workspaceId} ${hours}`,
  read: (client) => client.sync.outdated({ workspaceId, hours }),
  outdatedBy: editedOrSynced(workspaceId),
});
