import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readFailure } from './classify.ts';
import type { Http } from './http.ts';
import { isJsonList, type JsonValue, parseJson } from './json.ts';
import type { ReadFailure } from './outcome.ts';
import { membersOf, textOf } from './reading.ts';

/** One row as the service describes it: only the fields that the answer had. */
export interface RemoteRecord {
  readonly kind: Kind;
  readonly remoteId: RemoteId;
  readonly campaignId: RemoteId | null;
  readonly adGroupId: RemoteId | null;
  readonly values: Partial<AnyValues>;
}

export type Read<T> = Promise<Result<T, ReadFailure>>;
type Query = Readonly<Record<string, string>>;

const PAGES_MAX = 500;
const TOKEN_NAMES = ['nextToken', 'nextPageToken', 'paginationToken'] as const;

/** Asks once and returns the parsed body. */
export async function readValue(http: Http, path: string, query: Query): Read<JsonValue> {
  return request(http, { method: 'GET', path, query });
}

/** A read that the service offers as a POST (item search, reports). */
export async function postForValue(http: Http, path: string, body: string): Read<JsonValue> {
  return request(http, { method: 'POST', path, body });
}

/**
 * Asks for a list and follows its pages: a bare array, or `items`, `data` or `results` beside a token that is
 * repeated as a query of its own name (wire shapes, section 2, "lists").
 */
async function readList(http: Http, path: string, query: Query): Read<readonly JsonValue[]> {
  const all: JsonValue[] = [];
  let page: Query = query;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer = await readValue(http, path, page);
    if (!answer.ok) return answer;
    const list = listIn(answer.value);
    if (list === null) return err({ kind: 'service', status: 200, message: 'The answer is not a list.' });
    all.push(...list);
    const token = tokenIn(answer.value);
    if (token === null) return ok(all);
    page = { ...query, ...token };
  }
  return err({ kind: 'service', status: 200, message: 'The list has no end.' });
}

/** Reads a list and keeps the elements that `read` understands. */
export async function readRecords<T>(
  http: Http,
  path: string,
  query: Query,
  read: (element: JsonValue) => T | null,
): Read<readonly T[]> {
  const list = await readList(http, path, query);
  if (!list.ok) return list;
  return ok(list.value.map(read).filter((record) => record !== null));
}

async function request(
  http: Http,
  what: { readonly method: 'GET' | 'POST'; readonly path: string; readonly query?: Query; readonly body?: string },
): Read<JsonValue> {
  const seen = await http.exchange({ ...what, correlationId: http.newCorrelationId() });
  const failure = readFailure(seen, http.nowMs());
  if (failure !== null) return err(failure);
  const body = seen.kind === 'answer' ? (seen.body ?? '') : '';
  const parsed = parseJson(body);
  return parsed.ok ? parsed : err({ kind: 'service', status: 200, message: 'The answer is not JSON.' });
}

function listIn(value: JsonValue): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const list = membersOf(value)?.get('items', 'data', 'results');
  return isJsonList(list) ? list : null;
}

function tokenIn(value: JsonValue): Query | null {
  const members = membersOf(value);
  for (const name of TOKEN_NAMES) {
    const token = textOf(members?.get(name));
    if (token !== null && token !== '') return { [name]: token };
  }
  return null;
}
