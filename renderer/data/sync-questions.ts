import type { PracticeState } from '../../shared/contract/app.ts';
import type {
  BatchView,
  ChosenRows,
  Question as OpenQuestion,
  PlanView,
  SyncReport,
} from '../../shared/contract/sync.ts';
import type { Client } from '../transport/connection.ts';
import { changed, editedOrSynced, never } from './outdated.ts';
import type { ListQuestion } from './paged-list.ts';
import type { Question } from './query-cache.ts';

/** What a sync would send; with `chosen`, of these rows alone. */
export const plan = (workspaceId: string, chosen: ChosenRows | null, submit: boolean): Question<PlanView> => ({
  key: `plan ${workspaceId} ${submit} ${chosen === null ? 'all' : JSON.stringify(chosen)}`,
  read: (client) => client.sync.plan({ workspaceId, submit, chosen }),
  outdatedBy: changed(workspaceId),
});

/** The requests of one plan, with their bodies where they are asked for. It never changes: another plan has another id. */
export const planBatches = (
  workspaceId: string,
  { planId, requests }: PlanView,
  bodies = false,
): ListQuestion<BatchView, null> => ({
  key: `plan ${workspaceId} ${planId} ${bodies}`,
  read: async (client, from, count) => {
    const page = await client.sync.planBatches({ workspaceId, planId, from, count, bodies });
    return { items: page.batches, total: requests, facts: null };
  },
  outdatedBy: never,
});

export const planBody = (workspaceId: string, planId: string, index: number): Question<string> => ({
  key: `plan body ${workspaceId} ${planId} ${index}`,
  read: async (client) => {
    const page = await client.sync.planBatches({ workspaceId, planId, from: index, count: 1, bodies: true });
    return page.batches[0]?.json ?? '';
  },
  outdatedBy: never,
});

export const report = (workspaceId: string): Question<SyncReport | null> => ({
  key: `report ${workspaceId}`,
  read: (client) => client.sync.report({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

export const openQuestions = (workspaceId: string): Question<readonly OpenQuestion[]> => ({
  key: `questions ${workspaceId}`,
  read: (client) => client.sync.questions({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

/** A field changed here and on the service. */
export type Conflict = Awaited<ReturnType<Client['sync']['conflicts']>>[number];
export const conflicts = (workspaceId: string): Question<readonly Conflict[]> => ({
  key: `conflicts ${workspaceId}`,
  read: (client) => client.sync.conflicts({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

export const practice = (workspaceId: string): Question<PracticeState> => ({
  key: `practice ${workspaceId}`,
  read: (client) => client.practice.state({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});
