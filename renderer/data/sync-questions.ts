import type { PracticeState } from '../../shared/api/app.ts';
import type {
  BatchView,
  ChosenRows,
  OpenedPlan,
  Question as OpenQuestion,
  PendingSyncView,
  PlanView,
  SyncReport,
} from '../../shared/api/sync.ts';
import type { Client } from '../app/transport/connection.ts';
import { changed, editedOrSynced, never } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';
import type { QueryDefinition } from './query-cache.ts';

/** What a sync would send; with `chosen`, of these rows alone. */
export const plan = (workspaceId: string, chosen: ChosenRows | null, submit: boolean): QueryDefinition<PlanView> => ({
  key: `plan ${workspaceId} ${submit} ${chosen === null ? 'all' : JSON.stringify(chosen)}`,
  read: (client) => client.sync.plan({ workspaceId, submit, chosen }),
  outdatedBy: changed(workspaceId),
});

/** A plan file beside what would be sent now; planned again whenever something changes. */
export const openedPlan = (workspaceId: string, grant: string): QueryDefinition<OpenedPlan> => ({
  key: `opened plan ${workspaceId} ${grant}`,
  read: (client) => client.sync.openPlan({ workspaceId, grant }),
  outdatedBy: changed(workspaceId),
});

/** The requests of one plan, without their bodies. It never changes: another plan has another id. */
export const planBatches = (workspaceId: string, { planId, requests }: PlanView): ListQuestion<BatchView, null> => ({
  key: `plan ${workspaceId} ${planId}`,
  read: async (client, from, count) => {
    const page = await client.sync.planBatches({ workspaceId, planId, from, count });
    return { items: page.batches, total: requests, facts: null };
  },
  outdatedBy: never,
});

export const planBody = (workspaceId: string, planId: string, index: number): QueryDefinition<string> => ({
  key: `plan body ${workspaceId} ${planId} ${index}`,
  read: async (client) => {
    const page = await client.sync.planBatches({ workspaceId, planId, from: index, count: 1, bodies: true });
    return page.batches[0]?.json ?? '';
  },
  outdatedBy: never,
});

export const report = (workspaceId: string): QueryDefinition<SyncReport | null> => ({
  key: `report ${workspaceId}`,
  read: (client) => client.sync.report({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

/** The sync that is paused, waits or is scheduled. */
export const pendingSync = (workspaceId: string): QueryDefinition<PendingSyncView | null> => ({
  key: `pending sync ${workspaceId}`,
  read: (client) => client.sync.pending({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

export const openQuestions = (workspaceId: string): QueryDefinition<readonly OpenQuestion[]> => ({
  key: `questions ${workspaceId}`,
  read: (client) => client.sync.questions({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

/** A field changed here and on the service. */
export type Conflict = Awaited<ReturnType<Client['sync']['conflicts']>>[number];
export const conflicts = (workspaceId: string): QueryDefinition<readonly Conflict[]> => ({
  key: `conflicts ${workspaceId}`,
  read: (client) => client.sync.conflicts({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

export const practice = (workspaceId: string): QueryDefinition<PracticeState> => ({
  key: `practice ${workspaceId}`,
  read: (client) => client.practice.state({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});
