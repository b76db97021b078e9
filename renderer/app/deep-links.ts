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

/** The start of a link: the program's URL scheme on the desktop, the address of the page on the web host. */
const linkBase = ({ place }: Connection): string =>
  place === undefined ? `${window.location.origin}/#` : `${LINK_SCHEME}://`;

/** Reads a link that was typed, pasted or opened, made by either host. @returns null if the text is no link */
export const readLink = (text: string, connection: Connection): DeepLink | null =>
  readDeepLink(text.trim()) ?? readDeepLink(text.trim(), linkBase(connection));

/** Copies a link to the active row and field to the clipboard. */
export async function copyRowLink({ app }: CommandContext): Promise<void> {
  const { connection, toasts, openView, queries, api, store } = app;
  const { active, workspaceId, kind } = store.getState();
  const row = openView.current?.source.rowAt(active.row);
  if (row === undefined || row === null || workspaceId === null) return;
  const accounts = await queries.fetchQuery(api.accounts.list.queryOptions());
  const advertiserId = accounts.find((account) => account.workspaceId === workspaceId)?.advertiserId;
  const name = fieldNames(kind).findIndex((each) => fieldSpecs(kind)[each]?.key === true);
  const find = name < 0 ? null : row.cells[name];
  const field = activeColumn(app)?.field;
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
  if (isCopied) toasts.tell(appTexts.links.copied);
  else toasts.fail(appTexts.links.notCopied);
}

/**
 * Shows the row of a link. A link made on this computer names the row's number, one from another computer its service
 * ID. If no row has it, the rows that match its name are shown.
 */
export async function followLink(app: ActionContext, link: DeepLink): Promise<void> {
  const { connection, toasts, store } = app;
  const accounts = await attempt(app, () => connection.client.accounts.list());
  if (accounts === null) return;
  const workspaceId = accountOfLink(link, accounts);
  if (workspaceId === null) return toasts.fail(appTexts.links.noAccount);
  const { openWorkspace, reveal, goTo, setFilter } = store.getState();
  if (store.getState().workspaceId !== workspaceId) openWorkspace(workspaceId);
  const { kind, remoteId, find } = link;
  /** The user may open another account while the row is read. */
  const isShown = (): boolean => store.getState().workspaceId === workspaceId;
  if (workspaceId === link.workspaceId) {
    const ref = { kind, id: link.id };
    const found = await connection.client.workspace.row({ workspaceId, ref }).catch(() => null); // deleted
    if (!isShown()) return;
    if (found !== null && (remoteId === undefined || found.row.remoteId === remoteId))
      return reveal(kind, found.row.campaignId, link.id, link.field ?? null);
  }
  const goToFound = async (filter: string): Promise<boolean> => {
    const opened = await attempt(app, () =>
      connection.client.workspace.openView({ workspaceId, view: { kind, filter }, window: { from: 0, count: 1 } }),
    );
    if (!isShown()) return true;
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
  if (words !== null && (await goToFound(words))) return isShown() ? toasts.tell(appTexts.links.searched) : undefined;
  goTo({ kind, campaignId: null });
  toasts.fail(appTexts.links.notFound);
}

const CHANNEL = 'adslate-links';

/**
 * On the web host a link is an address. A link opened in this tab changes its fragment. A link opened in a new tab,
 * which is not signed in, is sent to the signed-in tabs. Only the link is sent, and each tab validates it as untrusted
 * input.
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

/** Passes the link of a page that is not signed in to signed-in pages. @returns whether its address is a link */
export function handOverLink(connection: Connection): boolean {
  if (connection.place !== undefined || readLink(window.location.href, connection) === null) return false;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(window.location.href);
  channel.close();
  return true;
}
