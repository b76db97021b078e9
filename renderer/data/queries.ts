import type { Account, CredentialStatus } from '../../shared/api/accounts.ts';
import type { Preferences } from '../../shared/api/app.ts';
import type { CampaignTemplate, Launch } from '../../shared/api/campaigns.ts';
import { LAUNCH_MAX } from '../../shared/api/limits.ts';
import type { Comment, Label } from '../../shared/api/notes.ts';
import type { Review } from '../../shared/api/reviews.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { SavedView } from '../../shared/api/views.ts';
import type { RowDetail, ViewSpec, WorkspaceSummary } from '../../shared/api/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Client } from '../app/transport/connection.ts';
import { changed, changedOrSynced, edited, editedOrSynced, never } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';
import type { QueryDefinition } from './query-cache.ts';

/**
 * What the desk asks of main, with the events that outdate each answer; questions of one area have files of their own. A
 * component never writes a key or a refetch rule of its own.
 */

export const accounts: QueryDefinition<readonly Account[]> = {
  key: 'accounts',
  read: (client) => client.accounts.list(),
  outdatedBy: (event) => event.type === 'accounts.changed',
};

/** Opening, locking and choosing change what accounts say of their secrets, and are told by that. */
export const secrets: QueryDefinition<CredentialStatus> = {
  key: 'secrets',
  read: (client) => client.secrets.status(),
  outdatedBy: (event) => event.type === 'accounts.changed',
};

export const preferences: QueryDefinition<Preferences> = {
  key: 'preferences',
  read: (client) => client.app.preferences.get(),
  outdatedBy: never,
};

export const appInfo = {
  key: 'app-info',
  read: (client: Client) => client.app.info(),
  outdatedBy: never,
};

export const supportText = {
  key: 'support-text',
  read: (client: Client) => client.app.support(),
  outdatedBy: never,
};

export const aboutTexts = {
  key: 'about-texts',
  read: (client: Client) => client.app.about(),
  outdatedBy: never,
};

export const newerVersion = {
  key: 'newer-version',
  read: (client: Client) => client.app.newer(),
  outdatedBy: never,
};

export const summary = (workspaceId: string): QueryDefinition<WorkspaceSummary> => ({
  key: `summary ${workspaceId}`,
  read: (client) => client.workspace.summary({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

/** How many rows each one-click filter would show. */
export const viewCounts = (
  workspaceId: string,
  kind: Kind,
  campaignId: number | null,
): QueryDefinition<Readonly<Record<ViewSpec['only'], number>>> => ({
  key: `view counts ${workspaceId} ${kind} ${campaignId}`,
  read: (client) => client.views.counts({ workspaceId, kind, campaignId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const row = (workspaceId: string, ref: RowRef): QueryDefinition<RowDetail> => ({
  key: `row ${workspaceId} ${ref.kind} ${ref.id}`,
  read: (client) => client.workspace.row({ workspaceId, ref }),
  outdatedBy: changed(workspaceId),
});

export type Step = Awaited<ReturnType<Client['workspace']['history']>>['steps'][number];
export const history = (workspaceId: string, words = ''): ListQuestion<Step, null> => ({
  key: `history ${workspaceId} ${words}`,
  read: async (client, from, count) => {
    const page = await client.workspace.history({ workspaceId, from, count, words });
    return { items: page.steps, total: page.total, facts: null };
  },
  outdatedBy: edited(workspaceId),
});

export type LaunchFacts = Pick<Awaited<ReturnType<Client['launch']['list']>>, 'today' | 'reviewDays' | 'mediaMinutes'>;
/** Pages of whole campaigns are small, because each of them is read with all that hangs from it. */
export const launches = (workspaceId: string): ListQuestion<Launch, LaunchFacts> => ({
  key: `launches ${workspaceId}`,
  page: LAUNCH_MAX,
  read: async (client, from, count) => {
    const page = await client.launch.list({ workspaceId, from, count });
    return { items: page.launches, total: page.total, facts: page };
  },
  outdatedBy: changedOrSynced(workspaceId),
});

export const savedViews = (workspaceId: string): QueryDefinition<readonly SavedView[]> => ({
  key: `views ${workspaceId}`,
  read: (client) => client.views.saved({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

export const templates = (workspaceId: string): QueryDefinition<readonly CampaignTemplate[]> => ({
  key: `templates ${workspaceId}`,
  read: (client) => client.templates.list({ workspaceId }),
  outdatedBy: never,
});

export const labels = (workspaceId: string): QueryDefinition<readonly Label[]> => ({
  key: `labels ${workspaceId}`,
  read: (client) => client.notes.labels({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

export const comments = (workspaceId: string, ref: RowRef): QueryDefinition<readonly Comment[]> => ({
  key: `comments ${workspaceId} ${ref.kind} ${ref.id}`,
  read: (client) => client.notes.comments({ workspaceId, ref, resolved: null }),
  outdatedBy: edited(workspaceId),
});

export const reviews = (workspaceId: string): QueryDefinition<readonly Review[]> => ({
  key: `reviews ${workspaceId}`,
  read: (client) => client.review.list({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

export const preview = (workspaceId: string, mediaId: number) => ({
  key: `preview ${workspaceId} ${mediaId}`,
  read: (client: Client) => client.media.preview({ workspaceId, mediaId }),
  outdatedBy: never,
});
