import type { ReportQuery, ReportView } from '../../shared/api/reports.ts';
import type { Client } from '../app/transport/connection.ts';
import { editedOrSynced, either, never, reportJob } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

/** Kept reports change by what this window does, which refetches by the key, and by jobs; the day, by a moved practice clock. */
export const reports = (workspaceId: string) => ({
  key: `reports ${workspaceId}`,
  read: (client: Client) => client.reports.list({ workspaceId }),
  outdatedBy: either(editedOrSynced(workspaceId), reportJob(workspaceId)),
});

/** A kept report never changes; each way of looking at it is an answer of its own. */
export const reportView = (workspaceId: string, id: string, look: ReportQuery): QueryDefinition<ReportView> => ({
  key: `report ${workspaceId} ${id} ${JSON.stringify(look)}`,
  read: (client) => client.reports.view({ workspaceId, id, look }),
  outdatedBy: never,
});
