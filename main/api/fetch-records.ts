import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { classifyReadFailure, unreadable } from './classify-response.ts';
import type { Http } from './http.ts';
import { isJsonList, type JsonValue, parseJson } from './lossless-json.ts';
import { type Misread, recordFieldsOf, shortened, textOf } from './parse-record.ts';
import type { ReadFailure } from './request-outcome.ts';
import { saysNone } from './service-message.ts';

/** One row as the service describes it: only the fields in the response. */
export interface RemoteRecord {
  readonly kind: Kind;
  readonly remoteId: RemoteId;
  readonly campaignId: RemoteId | null;
  readonly adGroupId: RemoteId | null;
  readonly values: Partial<AnyValues>;
  /** Fields with a value of an invalid type; they are missing in `values`. */
  readonly misread?: readonly Misread[];
}

export type Read<T> = Promise<Result<T, ReadFailure>>;
type Query = Readonly<Record<string, string>>;

const PAGES_MAX = 500;
const TOKEN_NAMES = ['nextToken', 'nextPageToken', 'paginationToken'] as const;

/**
 * Reads a list with all of its pages: a bare array, or `items`, `data` or `results` next to a token that is sent as a
 * query parameter of the same name (wire shapes, section 2, "lists").
 */
async function readList(
  http: Http,
  path: string,
  query: Query,
  isElement: (value: JsonValue) => boolean,
): Read<readonly JsonValue[]> {
  const call = `GET ${path}`;
  const all: JsonValue[] = [];
  let page: Query = query;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer = await readJson(http, { method: 'GET', path, query: page });
    if (!answer.ok) return answer;
    // Some deployments return a list of one element as that element.
    const list = listIn(answer.value) ?? (isElement(answer.value) ? [answer.value] : null);
    if (list === null) return err({ kind: 'service', status: 200, message: 'something that is not a list', call });
    all.push(...list);
    const token = tokenIn(answer.value);
    if (token === null) return ok(all);
    page = { ...query, ...token };
  }
  return err({ kind: 'service', status: 200, message: 'a list without an end', call });
}

/**
 * The readable elements of a list. `broken` has the others, shortened: rows without a readable ID, so that a missing
 * row is not proven to be absent.
 */
export type Listed<T> = readonly T[] & { readonly broken?: readonly string[] };

/** Adds the broken elements of a list to the rows made from the others. */
export function listed<T>(rows: readonly T[], broken: readonly string[] | undefined): Listed<T> {
  return broken === undefined || broken.length === 0 ? rows : Object.assign([...rows], { broken });
}

/**
 * Reads a list and returns the elements that `read` can parse.
 *
 * @param read returns null for an element without a readable identity, and `not-ours` for one that was not requested
 */
export async function fetchRecords<T>(
  http: Http,
  path: string,
  query: Query,
  read: (element: JsonValue) => T | null | typeof NOT_OURS,
): Read<Listed<T>> {
  const list = await readList(http, path, query, (value) => read(value) !== null);
  if (!list.ok) return list;
  const rows: T[] = [];
  const broken: string[] = [];
  for (const element of list.value) {
    const record = read(element);
    if (record === null) broken.push(shortened(element));
    else if (record !== NOT_OURS) rows.push(record);
  }
  return ok(listed(rows, broken));
}

/**
 * Turns a 404 for "none yet", which some deployments return, into an empty list. A 404 for a missing campaign or ad
 * group stays a refusal.
 */
export async function noneAsEmpty<T>(list: Read<Listed<T>>): Read<Listed<T>> {
  const found = await list;
  const hasNone = !found.ok && found.error.kind === 'refused' && saysNone(found.error.message);
  return hasNone ? ok([]) : found;
}

/** An element of another parent: a deployment may ignore a filter. */
export const NOT_OURS = 'not-ours';

/** Some reads use POST. */
interface ReadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Query;
  readonly body?: string;
}

/** Sends one read and returns the parsed body. */
export async function readJson(http: Http, what: ReadRequest): Read<JsonValue> {
  const text = await readText(http, what);
  if (!text.ok) return text;
  const parsed = parseJson(text.value);
  const call = `${what.method} ${what.path}`;
  return parsed.ok ? parsed : err({ kind: 'service', status: 200, message: unreadable(parsed.error), call });
}

/** Sends one read and returns the text of the response, which need not be JSON (reports). */
export async function readText(http: Http, what: ReadRequest): Read<string> {
  const seen = await http.exchange({ ...what, correlationId: http.newCorrelationId() });
  const failure = classifyReadFailure(seen, http.nowMs());
  if (failure !== null) return err({ ...failure, call: `${what.method} ${what.path}` });
  return ok(seen.kind === 'answer' ? (seen.body ?? '') : '');
}

export function listIn(value: JsonValue): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const list = recordFieldsOf(value)?.get('items', 'data', 'results');
  return isJsonList(list) ? list : null;
}

function tokenIn(value: JsonValue): Query | null {
  const members = recordFieldsOf(value);
  for (const name of TOKEN_NAMES) {
    const token = textOf(members?.get(name));
    if (token !== null && token !== '') return { [name]: token };
  }
  return null;
}
