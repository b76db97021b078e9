import type { RemoteIdEntry } from '../../shared/api/campaigns.ts';
import { editedOrSynced } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

/** Ids shown at once; others are found by searching. */
export const KNOWN_SHOWN = 200;

/** The known ids that hold each of the words. */
export const knownIds = (
  workspaceId: string,
  words: string,
): QueryDefinition<{ readonly total: number; readonly ids: readonly RemoteIdEntry[] }> => ({
  key: `known ${workspaceId} ${words}`,
  read: (client) => client.known.list({ workspaceId, from: 0, count: KNOWN_SHOWN, words }),
  outdatedBy: editedOrSynced(workspaceId),
});

/** Those of these campaign ids that are in the account already. */
export const campaignsHere = (workspaceId: string, ids: readonly string[]): QueryDefinition<ReadonlySet<string>> => ({
  key: `campaigns here ${workspaceId} ${ids.join()}`,
  read: async (client) => new Set((await client.known.look({ workspaceId, ids: [...ids] })).here),
  outdatedBy: editedOrSynced(workspaceId),
});
