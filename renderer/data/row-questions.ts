import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { printSearch } from '../../shared/search/query.ts';
import { changedKind, edited } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

/** Questions that open a view, read of it what they need, and close it again. */

/** How many rows of each kind hang from one campaign. */
export const campaignCounts = (
  workspaceId: string,
  campaignId: number,
  kinds: readonly Kind[],
): QueryDefinition<Readonly<Partial<Record<Kind, number>>>> => ({
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
export const campaignsNamed = (workspaceId: string, text: string): QueryDefinition<readonly WindowRow[]> => ({
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
): QueryDefinition<{ readonly total: number; readonly rows: readonly WindowRow[] }> => ({
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

/** Rows of a kind read whole at most; a campaign within its limits has fewer. */
const ALL_MAX = 5000;

/** Every row of one kind in one campaign, up to as many as a campaign can have of it. */
export const allRows = (
  workspaceId: string,
  kind: Kind,
  campaignId: number,
): QueryDefinition<readonly WindowRow[]> => ({
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

/** How many rows `firstRows` reads. */
export const FIRST_ROWS = 500;

/** The first rows of one kind, whole; for pick lists and small tables. */
export const firstRows = (
  workspaceId: string,
  kind: Kind,
  campaignId: number | null,
  filter = '',
): QueryDefinition<readonly WindowRow[]> => ({
  key: `rows ${workspaceId} ${kind} ${campaignId} ${filter}`,
  read: async (client) => {
    const view = await client.workspace.openView({ workspaceId, view: { kind, campaignId, filter } });
    const page = await client.workspace.readWindow({ workspaceId, viewId: view.viewId, from: 0, count: FIRST_ROWS });
    await client.workspace.closeView({ workspaceId, viewId: view.viewId });
    return page.rows;
  },
  outdatedBy: changedKind(workspaceId, kind),
});
