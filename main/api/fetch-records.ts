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

/** One row as the service describes it: only the fields that the answer had. */
export interface RemoteRecord {
  readonly kind: Kind;
  readonly remoteId: RemoteId;
  readonly campaignId: RemoteId | null;
  readonly adGroupId: RemoteId | null;
  readonly values: Partial<AnyValues>;
  /** Members whose value is of a type the field cannot have; they are missing from `values`. */
  readonly misread?: readonly Misread[];
}

export type Read<T> = Promise<Result<T, ReadFailure>>;
type Query = Readonly<Record<string, string>>;

const PAGES_MAX = 500;
const TOKEN_NAMES = ['nextToken', 'nextPageToken', 'paginationToken'] as const;

/**
 * Asks for a list and follows its pages: a bare array, or `items`, `data` or `results` beside a token that is
 * repeated as a query of its own name (wire shapes, section 2, "lists").
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
    // Some deployments answer a list of one with that one.
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
 * The elements of a list that were understood. `broken` are the others, shortened: rows that are there and that nobody can
 * name, so what such a list lacks is not proven to be absent.
 */
export type Listed<T> = readonly T[] & { readonly broken?: readonly string[] };

/** Puts the broken elements of one list beside what was made of the others. */
export function listed<T>(rows: readonly T[], broken: readonly string[] | undefined): Listed<T> {
  return broken === undefined || broken.length === 0 ? rows : Object.assign([...rows], { broken });
}

/**
 * Reads a list and keeps the elements that `read` understands.
 *
 * @param read answers null for an element that cannot be told apart, and `not-ours` for one that was not asked for
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
 * The same list, where some deployments answer 404 in place of an empty one: the thing asked for has none yet. A 404 that the
 * campaign or the ad group is not there remains a refusal.
 */
export async function noneAsEmpty<T>(list: Read<Listed<T>>): Read<Listed<T>> {
  const found = await list;
  const hasNone = !found.ok && found.error.kind === 'refused' && saysNone(found.error.message);
  return hasNone ? ok([]) : found;
}

/** Of an element that belongs elsewhere: a deployment may ignore a filter. */
export const NOT_OURS = 'not-ours';

/** Some reads are offered as a POST. */
interface ReadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Query;
  readonly body?: string;
}

/** Asks once and returns the parsed body. */
export async function readJson(http: Http, what: ReadRequest): Read<JsonValue> {
  const text = await readText(http, what);
  if (!text.ok) return text;
  const parsed = parseJson(text.value);
  const call = `${what.method} ${what.path}`;
  return parsed.ok ? parsed : err({ kind: 'service', status: 200, message: unreadable(parsed.error), call });
}

/** The same where the answer may be something else than JSON (reports): its text as it came. */
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
