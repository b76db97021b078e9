import {
  accountOfLink,
  type DeepLink,
  LINK_SCHEME,
  printDeepLink,
  readDeepLink,
} from '../../shared/model/deep-link.ts';
import { fieldNames, fieldSpecs } from '../../shared/model/fields.ts';
import { printSearch } from '../../shared/search/query.ts';
import type { ActionContext } from './actions.ts';
import { attempt } from './actions.ts';
import type { CommandContext } from './app-context.ts';
import { activeColumn } from './grid-commands.ts';
import { copyText } from './save-text.ts';
import { appTexts } from './texts.ts';
import type { Connection } from './transport/connection.ts';

/** What a link begins with: on the desktop the scheme of the program, on the web host the address of the page. */
const linkBase = ({ place }: Connection): string =>
  place === undefined ? `${window.location.origin}/#` : `${LINK_SCHEME}://`;

/** A link in a text that was typed, pasted or opened, made by either host. */
export const readLink = (text: string, connection: Connection): DeepLink | null =>
  readDeepLink(text.trim()) ?? readDeepLink(text.trim(), linkBase(connection));

/** Puts a link to the active row and field on the clipboard. */
export async function copyRowLink({ desk }: CommandContext): Promise<void> {
  const { connection, notes, openView, queries, api, store } = desk;
  const { active, workspaceId, kind } = store.getState();
  const row = openView.current?.source.rowAt(active.row);
  if (row === undefined || row === null || workspaceId === null) return;
  const accounts = await queries.fetchQuery(api.accounts.list.queryOptions());
  const advertiserId = accounts.find((account) => account.workspaceId === workspaceId)?.advertiserId;
  const name = fieldNames(kind).findIndex((each) => fieldSpecs(kind)[each]?.key === true);
  const find = name < 0 ? null : row.cells[name];
  const field = activeColumn(desk)?.field;
  const link: DeepLink = {
    workspaceId,
    kind,
    id: row.id,
    ...(field === undefined || !fieldNames(kind).includes(field) ? {} : { field }),
    ...(advertiserId === undefined ? {} : { advertiserId }),
    ...(row.remoteId === null ? {} : { remoteId: row.remoteId }),
    ...(typeof find === 'string' ? { find } : {}),
  };
  const isCopied = await copyText(printDeepLink(link, linkBase(connection)));
  if (isCopied) notes.tell(appTexts.links.copied);
  else notes.fail(appTexts.links.notCopied);
}

/**
 * Shows the row of a link: by its number where it was made here, by its ID on the service on another computer, and else the
 * rows that a search for its name finds.
 */
export async function followLink(desk: ActionContext, link: DeepLink): Promise<void> {
  const { connection, notes, store } = desk;
  const accounts = await attempt(desk, () => connection.client.accounts.list());
  if (accounts === null) return;
  const workspaceId = accountOfLink(link, accounts);
  if (workspaceId === null) return notes.fail(appTexts.links.noAccount);
  const { openWorkspace, reveal, goTo, setFilter } = store.getState();
  if (store.getState().workspaceId !== workspaceId) openWorkspace(workspaceId);
  const { kind, remoteId, find } = link;
  if (workspaceId === link.workspaceId) {
    const ref = { kind, id: link.id };
    const found = await connection.client.workspace.row({ workspaceId, ref }).catch(() => null); // gone: it is searched
    if (found !== null && (remoteId === undefined || found.row.remoteId === remoteId))
      return reveal(kind, found.row.campaignId, link.id, link.field ?? null);
  }
  const goToFound = async (filter: string): Promise<boolean> => {
    const opened = await attempt(desk, () =>
      connection.client.workspace.openView({ workspaceId, view: { kind, filter }, window: { from: 0, count: 1 } }),
    );
    const [row] = opened?.rows ?? [];
    if (opened?.length === 1 && row !== undefined) reveal(kind, row.campaignId, row.id, link.field ?? null);
    else if ((opened?.length ?? 0) > 0) {
      goTo({ kind, campaignId: null });
      setFilter(filter);
    }
    return (opened?.length ?? 0) > 0;
  };
  if (remoteId !== undefined && (await goToFound(printSearch({ is: 'id', id: remoteId }, kind)))) return;
  const words = find === undefined ? null : printSearch({ is: 'text', text: find }, kind);
  if (words !== null && (await goToFound(words))) return notes.tell(appTexts.links.searched);
  goTo({ kind, campaignId: null });
  notes.fail(appTexts.links.notFound);
}

const CHANNEL = 'adslate-links';

/**
 * On the web host a link is an address. One that is opened in this tab changes its fragment; one that is opened in a new
 * tab, which is not signed in, is told to the tabs that are. Only the link travels: each tab reads it as one of anybody.
 */
export function listenForLinks(connection: Connection, follow: (link: DeepLink) => void): () => void {
  if (connection.place !== undefined) return () => {};
  const take = (): void => {
    const link = readLink(window.location.href, connection);
    if (link === null) return;
    window.history.replaceState(null, '', window.location.pathname);
    follow(link);
  };
  const hear = ({ data }: MessageEvent<unknown>): void => {
    const link = typeof data === 'string' ? readLink(data, connection) : null;
    if (link !== null) follow(link);
  };
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
  channel?.addEventListener('message', hear);
  window.addEventListener('hashchange', take);
  take();
  return () => {
    channel?.close();
    window.removeEventListener('hashchange', take);
  };
}

/** Hands the link of a page that is not signed in to the pages that are. @returns whether its address is a link */
export function handOverLink(connection: Connection): boolean {
  if (connection.place !== undefined || readLink(window.location.href, connection) === null) return false;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(window.location.href);
  channel.close();
  return true;
}
