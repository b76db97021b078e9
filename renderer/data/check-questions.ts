import type { Client } from '../app/transport/connection.ts';
import { editedOrSynced } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

type Check = Awaited<ReturnType<Client['rules']['check']>>;

/** The stages of the check, and when each ran. */
export const checkStages = (workspaceId: string): QueryDefinition<Check['stages']> => ({
  key: `check ${workspaceId}`,
  read: async (client) => (await client.rules.check({ workspaceId })).stages,
  outdatedBy: editedOrSynced(workspaceId),
});

/** Rules that are silent in this account. */
export const mutedRules = (workspaceId: string): QueryDefinition<readonly string[]> => ({
  key: `muted ${workspaceId}`,
  read: (client) => client.rules.muted({ workspaceId }),
  outdatedBy: () => false,
});
