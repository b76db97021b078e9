import type { RemoteId } from '../../shared/model/scalars.ts';
import { isJsonList, type JsonProblem, type JsonValue, parseJson } from './lossless-json.ts';
import { idOf, recordFieldsOf, textOf } from './parse-record.ts';
import type { ElementOutcome, Outcome, RawResult, ReadFailure, ServiceResponse } from './request-outcome.ts';
import { isKnownError, isNotAuthenticated, messageIn, normalizeMessage, serviceMessage } from './service-message.ts';

export const NO_SECRETS = 'The access token and the private key of this account are not available.';

/**
 * The only table of write outcomes, which decides whether a write may be sent again. It is total: anything without
 * proof is in doubt.
 *
 *   no byte left ............................... NOT_SENT   send again
 *   400 403 404 405 422 ........................ REFUSED    nothing of the batch was written
 *   401, 403 `User not Authenticated` .......... AUTH       wait for other credentials
 *   429 ........................................ LATER      not executed; send again later
 *   200 with one result per element ............ ELEMENTS   done, rejected or in doubt, by element
 *   200 with a refusal from the document ....... REFUSED
 *   3xx ........................................ IN_DOUBT   never followed, reported
 *   5xx, broken connection, anything else ...... IN_DOUBT   may have been executed, now or later
 */
export function classifyWriteResponse(seen: RawResult, shape: ResultShape, nowMs: number): Outcome {
  const outcome = outcomeOf(seen, shape, nowMs);
  const said = outcome.class === 'LATER' ? /(\d+) operations per hour/i.exec(outcome.message)?.[1] : undefined;
  const perHour = namedLimit(said ?? null) ?? (seen.kind === 'answer' ? seen.perHour : undefined);
  return perHour === undefined ? outcome : { ...outcome, perHour };
}

/** Parses a limit from a header or a message; undefined if it is not a valid number. */
export const namedLimit = (text: string | null): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text?.trim() ?? '') ? Number(text) : undefined;

function outcomeOf(seen: RawResult, shape: ResultShape, nowMs: number): Outcome {
  if (seen.kind === 'not-sent') return { class: 'NOT_SENT', cause: seen.cause, security: seen.security };
  if (seen.kind === 'no-secrets') return { class: 'AUTH', message: NO_SECRETS };
  if (seen.kind === 'broken') return inDoubt(seen.cause);
  const { status } = seen;
  if (status >= 300 && status < 400) {
    return { class: 'IN_DOUBT', cause: `the service answered with a redirect (${status})`, security: true };
  }
  if (seen.body === null)
    return status === 429 ? later(seen, nowMs) : inDoubt('the answer was cut off or too long', status);
  if (status === 401 || (status === 403 && isNotAuthenticated(serviceMessage(seen.body)))) {
    return { class: 'AUTH', message: serviceMessage(seen.body) };
  }
  if (status === 429) return later(seen, nowMs);
  if (REFUSALS.has(status)) {
    return { class: 'REFUSED', status, message: serviceMessage(seen.body) };
  }
  if (status === 200 || status === 201) return ofResults(seen.body, status, shape);
  return inDoubt(`the service answered ${status}: ${serviceMessage(seen.body)}`, status);
}

/** 405: the service does not have the call (wire shapes, section 3). */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 405, 422]);

function ofResults(body: string, status: number, shape: ResultShape): Outcome {
  const parsed = parseJson(body);
  if (!parsed.ok) return inDoubt(`the answer is ${unreadable(parsed.error)}`, status);
  const elements = elementResults(parsed.value, shape);
  if (elements !== null) return { class: 'ELEMENTS', elements };
  const message = messageIn(parsed.value);
  if (message !== null && isKnownError(message)) return { class: 'REFUSED', status, message };
  return inDoubt(message === null ? 'the answer has no results' : `the answer has no results: ${message}`, status);
}

const inDoubt = (cause: string, status?: number): Outcome => ({
  class: 'IN_DOUBT',
  cause,
  security: false,
  ...(status === undefined ? {} : { status }),
});

const later = (answer: ServiceResponse, nowMs: number): Outcome => ({
  class: 'LATER',
  message: answer.body === null ? '' : serviceMessage(answer.body),
  retryAfterMs: retryAfterMs(answer.retryAfter, nowMs + (answer.skewMs ?? 0)),
});

/** Why a read failed, or null for a usable response with status 200. */
export function classifyReadFailure(seen: RawResult, nowMs: number): ReadFailure | null {
  if (seen.kind === 'not-sent') {
    return seen.security ? { kind: 'security', message: seen.cause } : { kind: 'unreachable', cause: seen.cause };
  }
  if (seen.kind === 'no-secrets') return { kind: 'credentials', message: NO_SECRETS };
  if (seen.kind === 'broken') return { kind: 'unreachable', cause: seen.cause };
  const { status, body } = seen;
  if (status >= 300 && status < 400) {
    const message = `The service answered with a redirect (${status}), which is never followed.`;
    return { kind: 'security', message, status };
  }
  const retryAfter = retryAfterMs(seen.retryAfter, nowMs + (seen.skewMs ?? 0));
  const wait = { retryAfterMs: retryAfter, retryAt: retryAfter === null ? null : nowMs + retryAfter };
  if (status === 429) return { kind: 'later', message: body === null ? '' : serviceMessage(body), ...wait };
  if (body === null) return { kind: 'service', status, message: CUT_OFF, ...wait };
  if (status === 200 && body.trim() !== '' && !isWebPage(body)) return null;
  const message = serviceMessage(body);
  if (status === 401 || (status === 403 && isNotAuthenticated(message))) return { kind: 'credentials', message };
  // A web page or an empty body is not a refusal: it comes from a proxy, or the service is failing.
  if (isWebPage(body)) return { kind: 'service', status, message: WEB_PAGE, ...wait };
  if (body.trim() === '') return { kind: 'service', status, message: EMPTY, ...wait };
  return status >= 400 && status < 500
    ? { kind: 'refused', status, message }
    : { kind: 'service', status, message, ...wait };
}

/** Why the body of a response with status 200 is unusable, in the terms of `ReadFailure`. */
export function unreadable(problem: JsonProblem): string {
  switch (problem.kind) {
    case 'same-key-twice':
      return `JSON with the key "${problem.key.slice(0, 40)}" twice in one object`;
    case 'too-deep':
    case 'too-large':
      return 'more than is read of one answer';
    case 'not-json':
      return 'something that is not JSON';
  }
}

const CUT_OFF = 'an answer that was cut off, or is longer than 4 MiB';
const WEB_PAGE = 'a web page instead of data';
const EMPTY = 'an empty answer';

const isWebPage = (body: string): boolean => /^\s*<(!doctype\s+html|html|head|body|title)\b/i.test(body);

const SECOND_MS = 1000;
/** A hundred years; longer waits would exceed the range of dates. */
const LONGEST_MS = 100 * 365 * 86_400_000;

/**
 * Reads a `Retry-After` header: seconds, or a date on the service's clock.
 *
 * @param serverNowMs the current time on the service's clock
 * @returns the wait in milliseconds, at least one second; null for an absent or invalid header
 */
function retryAfterMs(header: string | null, serverNowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND_MS : httpDate(text) - serverNowMs;
  return !Number.isNaN(wait) && wait >= 0 ? Math.min(Math.max(wait, SECOND_MS), LONGEST_MS) : null;
}

/** Milliseconds of an HTTP date; NaN for anything else, since `Date.parse` would read `-5` as a year. */
const httpDate = (text: string): number => (/^[A-Za-z]{3}, \d/.test(text) ? Date.parse(text) : Number.NaN);

/** The expected results in the response to a batch. */
export interface ResultShape {
  readonly elements: number;
  /** Possible names of the new ID; platform operations use either of two (document, "Multiplier batch result"). */
  readonly idNames: readonly string[];
  /** True for creates: a success without an ID proves nothing. */
  readonly needsId: boolean;
  /** Whether an ID belongs to another local row: such an ID in a result is not that of the new row. */
  readonly isTaken: (id: RemoteId) => boolean;
  /** By element, the identifying fields that a result may have, with their expected texts. */
  readonly names?: readonly Readonly<Record<string, string>>[];
}

const doubt = (cause: string): ElementOutcome => ({ is: 'in-doubt', cause });

/**
 * Results by position, the only link between request and response (wire shapes, section 7), unless something
 * contradicts it. If the number of results is wrong, an ID occurs twice, or a result names an element in another
 * position, positions are ignored: only results that clearly name one element count, and all other elements are in
 * doubt. An unknown code, or a success without an ID, puts only its own element in doubt.
 *
 * @returns null if the response has no results
 */
export function elementResults(value: JsonValue, shape: ResultShape): readonly ElementOutcome[] | null {
  const list = resultList(value, shape.elements);
  if (list === null) return null;
  if (list.length !== shape.elements) {
    return byName(list, shape, `the answer has ${list.length} results for ${shape.elements} elements`);
  }
  const outcomes = list.map((element) => elementOutcome(element, shape));
  const [twice] = repeatedIds(outcomes);
  if (twice !== undefined) return byName(list, shape, `two results with the ID ${twice}`);
  const fitsOf = createFits(shape);
  const isElsewhere = list.some((element, at) => {
    const fits = fitsOf(element, at);
    return fits.length > 0 && !fits.includes(at);
  });
  return isElsewhere ? byName(list, shape, 'the results are not in the order of the elements') : outcomes;
}

/** Results by the elements they name; an element without exactly one result is in doubt, with this cause. */
function byName(list: readonly JsonValue[], shape: ResultShape, cause: string): readonly ElementOutcome[] {
  const fitsOf = createFits(shape);
  const claims = list.map((element) => ({ element, fits: fitsOf(element) }));
  const outcomes = Array.from({ length: shape.elements }, (_, at) => {
    // A result that may belong to several elements leaves all of them in doubt.
    const [only, ...others] = claims.filter(({ fits }) => fits.includes(at));
    const isSure = only !== undefined && others.length === 0 && only.fits.length === 1;
    return isSure ? elementOutcome(only.element, shape) : doubt(cause);
  });
  const twice = repeatedIds(outcomes);
  return outcomes.map((outcome) =>
    outcome.is === 'done' && outcome.remoteId !== null && twice.has(outcome.remoteId)
      ? doubt(`two results with the ID ${outcome.remoteId}`)
      : outcome,
  );
}

/**
 * Creates a function that returns the elements to which a result may belong by its identifying fields; none if it has
 * no such fields. If the result matches its own position, other elements are not compared.
 */
function createFits({ names = [] }: ResultShape): (element: JsonValue, place?: number) => readonly number[] {
  const expected = names.map((of) => new Map(Object.entries(of).map(([name, text]) => [name, normalizeMessage(text)])));
  const all = new Set(expected.flatMap((of) => [...of.keys()]));
  return (element, place) => {
    const members = recordFieldsOf(element);
    const said = [...all].flatMap((name): readonly (readonly [string, string])[] => {
      const value = textOf(members?.get(name));
      return value === null || value === '' || value === '0' ? [] : [[name, normalizeMessage(value)]];
    });
    if (said.length === 0) return [];
    const isOf = (of: ReadonlyMap<string, string> | undefined): boolean => {
      const known = said.filter(([name]) => of?.has(name));
      return known.length > 0 && known.every(([name, text]) => of?.get(name) === text);
    };
    if (place !== undefined && isOf(expected[place])) return [place];
    return expected.flatMap((of, at) => (isOf(of) ? [at] : []));
  };
}

function elementOutcome(element: JsonValue, shape: ResultShape): ElementOutcome {
  const members = recordFieldsOf(element);
  const code = textOf(members?.get('code'))?.trim().toLowerCase();
  if (members === null || code === undefined) return doubt('a result without a code');
  if (code === 'failure') return { is: 'rejected', message: textOf(members.get('details', 'message')) ?? '' };
  if (code !== 'success') return doubt(`a result with the unknown code "${code.slice(0, 40)}"`);
  const id = idOf(members.get(...shape.idNames));
  if (!shape.needsId) return { is: 'done', remoteId: id };
  if (id === null) return doubt('a success without an ID');
  if (shape.isTaken(id)) return doubt(`a success with the ID ${id}, which another row has`);
  return { is: 'done', remoteId: id };
}

/** IDs that occur in more than one result: two new rows can't share an ID, so none of these results counts. */
function repeatedIds(outcomes: readonly ElementOutcome[]): ReadonlySet<RemoteId> {
  const seen = new Set<RemoteId>();
  const twice = new Set<RemoteId>();
  for (const outcome of outcomes) {
    if (outcome.is !== 'done' || outcome.remoteId === null) continue;
    if (seen.has(outcome.remoteId)) twice.add(outcome.remoteId);
    seen.add(outcome.remoteId);
  }
  return twice;
}

/** An array; one bare result for one element; or `{results: []}` next to `keywordIds` (wire shapes, section 4). */
function resultList(value: JsonValue, elements: number): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const members = recordFieldsOf(value);
  if (members === null) return null;
  const results = members.get('results', 'items', 'data');
  if (isJsonList(results)) return results;
  const keywordIds = members.get('keywordIds');
  if (isJsonList(keywordIds)) return keywordIds.map((id) => ({ code: 'success', keywordId: id }));
  return elements === 1 && members.get('code') !== undefined ? [value] : null;
}
