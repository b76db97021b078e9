import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { DuplicateKind, Duplicates } from '../../shared/api/views.ts';
import { changedKind, never } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

/** Rows that are the same, within each ad group or anywhere. */
export const duplicates = (
  workspaceId: string,
  kind: DuplicateKind,
  within: 'adGroup' | 'account',
): QueryDefinition<Duplicates> => ({
  key: `duplicates ${workspaceId} ${kind} ${within}`,
  read: (client) => client.views.duplicates({ workspaceId, kind, within }),
  outdatedBy: changedKind(workspaceId, kind),
});

/** What a kept report says rows have spent, in cents, by the ids the service gave them; absent where it says nothing. */
export const spendOf = (
  workspaceId: string,
  reportId: string,
  kind: DuplicateKind,
  remoteIds: readonly string[],
): QueryDefinition<ReadonlyMap<string, number>> => ({
  key: `spend ${workspaceId} ${reportId} ${kind} ${remoteIds.join()}`,
  read: async (client) => {
    const spend = new Map<string, number>();
    for (let at = 0; at < remoteIds.length; at += WINDOW_MAX) {
      const page = { workspaceId, id: reportId, kind, remoteIds: remoteIds.slice(at, at + WINDOW_MAX) };
      for (const { remoteId, figures } of (await client.reports.ofRows(page)).rows) {
        const { adSpend } = figures;
        if (adSpend !== undefined) spend.set(remoteId, adSpend);
      }
    }
    return spend;
  },
  outdatedBy: never,
});
