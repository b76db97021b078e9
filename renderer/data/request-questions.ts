import type { RequestDetail, SentRequest } from '../../shared/api/requests.ts';
import { editedOrSynced } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';
import type { QueryDefinition } from './query-cache.ts';

/** Requests that were sent, newest first; with `words`, those that hold each of them. */
export const sentRequests = (workspaceId: string, words: string): ListQuestion<SentRequest, null> => ({
  key: `requests ${workspaceId} ${words}`,
  read: async (client, from, count) => {
    const page = await client.requests.list({ workspaceId, from, count, words });
    return { items: page.requests, total: page.total, facts: null };
  },
  outdatedBy: editedOrSynced(workspaceId),
});

export const sentRequest = (workspaceId: string, id: number): QueryDefinition<RequestDetail | null> => ({
  key: `request ${workspaceId} ${id}`,
  read: (client) => client.requests.get({ workspaceId, id }),
  outdatedBy: editedOrSynced(workspaceId),
});
