import type { AccountStatus, ShownCapability } from '../../shared/api/accounts.ts';
import type { Backup, OpeningNote, RestorePreview } from '../../shared/api/backups.ts';
import type { ImportRow, ImportRowFilter } from '../../shared/api/files.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Client } from '../app/transport/connection.ts';
import { changed, changedOrSynced, edited, never } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';
import type { QueryDefinition } from './query-cache.ts';

/** Questions about an account as a whole: its backups, its own rules, its deployment, and how it stands with its service. */
export const backups = (workspaceId: string): QueryDefinition<readonly Backup[]> => ({
  key: `backups ${workspaceId}`,
  read: (client) => client.backups.list({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

export interface Condition {
  readonly writable: boolean;
  readonly notes: readonly OpeningNote[];
}
export const condition = (workspaceId: string): QueryDefinition<Condition> => ({
  key: `condition ${workspaceId}`,
  read: (client) => client.backups.condition({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

export const restorePreview = (workspaceId: string, backupId: string): QueryDefinition<RestorePreview> => ({
  key: `restore ${workspaceId} ${backupId}`,
  read: (client) => client.backups.preview({ workspaceId, backupId }),
  outdatedBy: edited(workspaceId),
});

export type ListedRule = Awaited<ReturnType<Client['rules']['list']>>[number];
export const userRules = (workspaceId: string): QueryDefinition<readonly ListedRule[]> => ({
  key: `rules ${workspaceId}`,
  read: (client) => client.rules.list({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

/** How many rows a search finds, rows on their way out left aside, as rules do. The search must be one that can be read. */
export const rowsFound = (workspaceId: string, kind: Kind, query: string): QueryDefinition<number> => ({
  key: `found ${workspaceId} ${kind} ${query}`,
  read: async (client) => {
    const filter = /\bdeleted\b/i.test(query) ? query : `(${query}) deleted:no`;
    const view = await client.workspace.openView({ workspaceId, view: { kind, filter } });
    await client.workspace.closeView({ workspaceId, viewId: view.viewId });
    return view.length;
  },
  outdatedBy: changed(workspaceId),
});

export type ShownProfile = Awaited<ReturnType<Client['accounts']['profile']>>;
export const accountProfile = (workspaceId: string): QueryDefinition<ShownProfile> => ({
  key: `profile ${workspaceId}`,
  read: (client) => client.accounts.profile({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

/** Calls beyond the document: what the service offers, and what the account uses. */
export const capabilities = (workspaceId: string): QueryDefinition<readonly ShownCapability[]> => ({
  key: `capabilities ${workspaceId}`,
  read: (client) => client.accounts.capabilities({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

/** The account's rules for conflicts, as text. */
export const conflictPolicy = (workspaceId: string): QueryDefinition<string> => ({
  key: `conflict policy ${workspaceId}`,
  read: async (client) => (await client.conflictPolicy.get({ workspaceId })).text,
  outdatedBy: edited(workspaceId),
});

export const standing = (workspaceId: string): QueryDefinition<AccountStatus> => ({
  key: `standing ${workspaceId}`,
  read: (client) => client.standing.get({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

/**
 * The rows of an import's preview that become one thing. A preview changes by the choice of its columns alone.
 *
 * @param columns those that are left out, as a text
 */
export const importRows = (
  workspaceId: string,
  previewId: string,
  filter: ImportRowFilter,
  columns: string,
): ListQuestion<ImportRow, null> => ({
  key: `import ${workspaceId} ${previewId} ${filter} ${columns}`,
  read: async (client, from, count) => {
    const page = await client.exchange.rows({ workspaceId, previewId, filter, from, count });
    return { items: page.rows, total: page.total, facts: null };
  },
  outdatedBy: never,
});
