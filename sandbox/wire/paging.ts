import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';

/**
 * A test mode for clients: lists come in pages. The document shows no pagination, services of this kind have it, so a
 * client is expected to follow a token when there is one. The token is repeated as a query parameter of its name.
 */
export interface Paging {
  /** Elements per page. */
  readonly size: number;
  readonly listName: 'items' | 'data' | 'results';
  readonly tokenName: 'nextToken' | 'nextPageToken' | 'paginationToken';
}

export function pageOf(list: readonly unknown[], paging: Paging, query: URLSearchParams): unknown {
  const from = readToken(query.get(paging.tokenName));
  const to = from + paging.size;
  const page = { [paging.listName]: list.slice(from, to) };
  if (to >= list.length) return page;
  return { ...page, [paging.tokenName]: Buffer.from(`from:${to}`).toString('base64url') };
}

function readToken(token: string | null): number {
  if (token === null) return 0;
  const from = /^from:(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (from === undefined) throw new Refusal(400, messages.invalidParameters);
  return Number(from);
}
