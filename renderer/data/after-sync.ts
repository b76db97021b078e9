import type { UploadHost } from '../../shared/api/accounts.ts';
import type { PendingGroup, Rollback, SentRunView } from '../../shared/api/sync.ts';
import { changedOrSynced } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

/** The first of the questions about what a sync has left: what waits; then hosts that were asked about, and what could be taken back. */
export const waiting = (workspaceId: string): QueryDefinition<readonly PendingGroup[]> => ({
  key: `waiting ${workspaceId}`,
  read: (client) => client.waiting.list({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const uploadHosts = (workspaceId: string): QueryDefinition<readonly UploadHost[]> => ({
  key: `upload hosts ${workspaceId}`,
  read: (client) => client.uploadHosts.list({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const sentRuns = (workspaceId: string): QueryDefinition<readonly SentRunView[]> => ({
  key: `sent runs ${workspaceId}`,
  read: (client) => client.takeBack.runs({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const takeBack = (workspaceId: string, runId: string): QueryDefinition<Rollback> => ({
  key: `take back ${workspaceId} ${runId}`,
  read: (client) => client.takeBack.preview({ workspaceId, runId }),
  outdatedBy: changedOrSynced(workspaceId),
});
