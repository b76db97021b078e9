import type { SentRunView, TakeBack } from '../../shared/contract/take-back.ts';
import type { UploadHost } from '../../shared/contract/upload-hosts.ts';
import type { Waiting } from '../../shared/contract/waiting.ts';
import { changedOrSynced } from './outdated.ts';
import type { Question } from './query-cache.ts';

/** The first of the questions about what a sync has left: what waits; then hosts that were asked about, and what could be taken back. */
export const waiting = (workspaceId: string): Question<readonly Waiting[]> => ({
  key: `waiting ${workspaceId}`,
  read: (client) => client.waiting.list({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const uploadHosts = (workspaceId: string): Question<readonly UploadHost[]> => ({
  key: `upload hosts ${workspaceId}`,
  read: (client) => client.uploadHosts.list({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const sentRuns = (workspaceId: string): Question<readonly SentRunView[]> => ({
  key: `sent runs ${workspaceId}`,
  read: (client) => client.takeBack.runs({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const takeBack = (workspaceId: string, runId: string): Question<TakeBack> => ({
  key: `take back ${workspaceId} ${runId}`,
  read: (client) => client.takeBack.preview({ workspaceId, runId }),
  outdatedBy: changedOrSynced(workspaceId),
});
