import type { LogEntry } from '../../shared/api/history.ts';
import { edited } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';

/** What one step, or all of them, changed: who, when, which field, from what to what. */
export const stepLog = (workspaceId: string, stepId: number | null): ListQuestion<LogEntry, null> => ({
  key: `log ${workspaceId} ${stepId}`,
  read: async (client, from, count) => {
    const page = await client.history.log({ workspaceId, stepId, from, count });
    return { items: page.entries, total: page.total, facts: null };
  },
  outdatedBy: edited(workspaceId),
});
