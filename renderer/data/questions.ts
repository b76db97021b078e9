import type { Account } from '../../shared/contract/accounts.ts';
import type { Preferences } from '../../shared/contract/app.ts';
import type { Launch } from '../../shared/contract/launch.ts';
import { LAUNCH_MAX, WINDOW_MAX } from '../../shared/contract/limits.ts';
import type { Comment, Label } from '../../shared/contract/notes.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { SecretsStatus } from '../../shared/contract/secrets.ts';
import type { Review } from '../../shared/contract/sync.ts';
import type { CampaignTemplate } from '../../shared/contract/templates.ts';
import type { SavedView } from '../../shared/contract/views.ts';
import type { RowDetail, ViewSpec, WindowRow, WorkspaceSummary } from '../../shared/contract/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { printSearch } from '../../shared/search/print-search.ts';
import type { Client } from '../transport/connection.ts';
import { changed, changedKind, changedOrSynced, edited, editedOrSynced, never } from './outdated.ts';
import type { ListQuestion } from './paged-list.ts';
import type { Question } from './query-cache.ts';

/**
 * Every question the desk asks of main, with the events that outdate its answer. A component never writes a
 * key or a refetch rule of its own.
 */

/** Rows of a kind read whole at most; a campaign within its limits has fewer. */
const ALL_MAX = 5000;

export const accounts: Question<readonly Account[]> = {
  key: 'accounts',
  read: (client) => client.accounts.list(),
  outdatedBy: (event) => event.type === 'accounts.changed',
};

/** Opening, locking and choosing change what accounts say of their secrets, and are told by that. */
export const secrets: Question<SecretsStatus> = {
  key: 'secrets',
  read: (client) => client.secrets.status(),
  outdatedBy: (event) => event.type === 'accounts.changed',
};

export const preferences: Question<Preferences> = {
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

export const summary = (workspaceId: string): Question<WorkspaceSummary> => ({
  key: `summary ${workspaceId}`,
  read: (client) => client.workspace.summary({ workspaceId }),
  outdatedBy: changedOrSynced(workspaceId),
});

/** How many rows each one-click filter would show. */
export const viewCounts = (
  workspaceId: string,
  kind: Kind,
  campaignId: number | null,
): Question<Readonly<Record<ViewSpec['only'], number>>> => ({
  key: `view counts ${workspaceId} ${kind} ${campaignId}`,
  read: (client) => client.views.counts({ workspaceId, kind, campaignId }),
  outdatedBy: changedOrSynced(workspaceId),
});

export const row = (workspaceId: string, ref: RowRef): Question<RowDetail> => ({
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

export const savedViews = (workspaceId: string): Question<readonly SavedView[]> => ({
  key: `views ${workspaceId}`,
  read: (client) => client.views.saved({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

export const templates = (workspaceId: string): Question<readonly CampaignTemplate[]> => ({
  key: `templates ${workspaceId}`,
  read: (client) => client.templates.list({ workspaceId }),
  outdatedBy: never,
});

export const labels = (workspaceId: string): Question<readonly Label[]> => ({
  key: `labels ${workspaceId}`,
  read: (client) => client.notes.labels({ workspaceId }),
  outdatedBy: edited(workspaceId),
});

export const comments = (workspaceId: string, ref: RowRef): Question<readonly Comment[]> => ({
  key: `comments ${workspaceId} ${ref.kind} ${ref.id}`,
  read: (client) => client.notes.comments({ workspaceId, ref, resolved: null }),
  outdatedBy: edited(workspaceId),
});

export const reviews = (workspaceId: string): Question<readonly Review[]> => ({
  key: `reviews ${workspaceId}`,
  read: (client) => client.review.list({ workspaceId }),
  outdatedBy: editedOrSynced(workspaceId),
});

export const preview = (workspaceId: string, mediaId: number) => ({
  key: `preview ${workspaceId} ${mediaId}`,
  read: (client: Client) => client.media.preview({ workspaceId, mediaId }),
  outdatedBy: never,
});

/** How many rows of each kind hang from one campaign. */
export const campaignCounts = (
  workspaceId: string,
  campaignId: number,
  kinds: readonly Kind[],
): Question<Readonly<Partial<Record<Kind, number>>>> => ({
  key: `counts ${workspaceId} ${campaignId} ${kinds.join()}`,
  read: async (client) => {
    const counts: Partial<Record<Kind, number>> = {};
    for (const kind of kinds) {
      const view = await client.workspace.openView({ workspaceId, view: { kind, campaignId } });
      counts[kind] = view.length;
      await client.workspace.closeView({ workspaceId, viewId: view.viewId });
    }
    return counts;
  },
  outdatedBy: edited(workspaceId),
});

/** Campaigns with these words in their name, the first of them. */
export const campaignsNamed = (workspaceId: string, text: string): Question<readonly WindowRow[]> => ({
  key: `campaigns ${workspaceId} ${text.trim()}`,
  read: async (client) => {
    const words = text
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    const filter = words.map((word) => `name:"${word.replaceAll('"', '')}"`).join(' ');
    const view = await client.workspace.openView({ workspaceId, view: { kind: 'campaign', filter } });
    const page = await client.workspace.readWindow({ workspaceId, viewId: view.viewId, from: 0, count: 60 });
    await client.workspace.closeView({ workspaceId, viewId: view.viewId });
    return page.rows;
  },
  outdatedBy: changedKind(workspaceId, 'campaign'),
});

/** Rows named in a list of usage at most. */
const USAGE_MAX = 20;

/** Which rows of a kind point at a file of the library, the first of them and how many there are. */
export const mediaUsage = (
  workspaceId: string,
  kind: Kind,
  field: string,
  mediaId: number,
): Question<{ readonly total: number; readonly rows: readonly WindowRow[] }> => ({
  key: `usage ${workspaceId} ${kind} ${field} ${mediaId}`,
  read: async (client) => {
    const filter = printSearch({ is: 'compare', field, op: '=', value: mediaId }, kind);
    const view = await client.workspace.openView({ workspaceId, view: { kind, filter } });
    const page = await client.workspace.readWindow({ workspaceId, viewId: view.viewId, from: 0, count: USAGE_MAX });
    await client.workspace.closeView({ workspaceId, viewId: view.viewId });
    return { total: view.length, rows: page.rows };
  },
  outdatedBy: changedKind(workspaceId, kind),
});

/** Every row of one kind in one campaign, up to as many as a campaign can have of it. */
export const allRows = (workspaceId: string, kind: Kind, campaignId: number): Question<readonly WindowRow[]> => ({
  key: `all rows ${workspaceId} ${kind} ${campaignId}`,
  read: async (client) => {
    const view = await client.workspace.openView({ workspaceId, view: { kind, campaignId } });
    const rows: WindowRow[] = [];
    for (let from = 0; from < Math.min(view.length, ALL_MAX); from += WINDOW_MAX) {
      const page = await client.workspace.readWindow({ workspaceId, viewId: view.viewId, from, count: WINDOW_MAX });
      rows.push(...page.rows);
    }
    await client.workspace.closeView({ workspaceId, viewId: view.viewId });
    return rows;
  },
  outdatedBy: changedKind(workspaceId, kind),
});

/** The first rows of one kind, whole; for pick lists and small tables. */
/** How many rows `firstRows` reads. */
export const FIRST_ROWS = 500;

export const firstRows = (
  workspaceId: string,
  kind: Kind,
  campaignId: number | null,
  filter = '',
): Question<readonly WindowRow[]> => ({
  key: `rows ${workspaceId} ${kind} ${campaignId} ${filter}`,
  read: async (client) => {
    const view = await client.workspace.openView({ workspaceId, view: { kind, campaignId, filter } });
    const page = await client.workspace.readWindow({ workspaceId, viewId: view.viewId, from: 0, count: FIRST_ROWS });
    await client.workspace.closeView({ workspaceId, viewId: view.viewId });
    return page.rows;
  },
  outdatedBy: changedKind(workspaceId, kind),
});
