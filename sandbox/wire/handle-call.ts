import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../access.ts';
import { diskFault, diskFaultText, faultText } from '../disk-fault.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { Quirks } from '../quirks.ts';
import type { Service } from '../service.ts';
import type { Authenticate } from './authentication.ts';
import { readForm, type UploadForm } from './multipart.ts';
import { DEPTH_MAX, withOtherWords, withoutOtherWords } from './other-words.ts';
import { type Answer, meetFaultBefore, pageOf, respondThroughFault } from './respond.ts';
import type { Call, Route } from './route.ts';

/**
 * Answers one call of the partner API, with the checks that all calls share, in order: credentials, rate, body. The
 * resource then checks batch size, required fields, existence, access, state and the elements.
 */
export async function handleCall(
  service: Service,
  authenticate: Authenticate,
  route: Route | number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const seen: Seen = { correlationId: correlationIdOf(service, request), principal: null, elementCount: 0 };
  await answerThroughFault(service, request, response, seen, (query) =>
    carryOut(service, authenticate, route, request, query, seen),
  );
}

/** The logged facts of a call, as far as they are known. */
interface Seen {
  readonly correlationId: string | null;
  principal: Principal | null;
  elementCount: number;
}

/**
 * Runs a call, unless an ordered fault prevents it, and logs it.
 *
 * @param carryOut resolves with null if the caller disconnected before the end
 */
export async function answerThroughFault(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  seen: Seen,
  carryOut: (query: URLSearchParams) => Promise<Answer | null>,
): Promise<void> {
  const method = request.method ?? 'GET';
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const fault = service.faults.take(method, path);
  const log = (status: number, body: unknown) =>
    service.requests.add({
      at: new Date(service.clock.now()).toISOString(),
      method,
      path,
      status,
      ...seen,
      elementCodes: codesOf(body),
      fault: fault?.kind ?? null,
    });

  if (await meetFaultBefore(fault, path, response, service.closing)) {
    request.resume();
    log(fault?.kind === 'drop-before' ? 0 : (fault?.status ?? 500), null);
    return;
  }
  const answer = await carryOut(new URLSearchParams(query));
  if (answer === null) {
    log(0, null);
    return;
  }
  log(fault?.kind === 'drop-after' ? 0 : answer.status, answer.body);
  respondThroughFault(response, answer, fault);
}

async function carryOut(
  service: Service,
  authenticate: Authenticate,
  route: Route | number,
  request: IncomingMessage,
  query: URLSearchParams,
  seen: Seen,
): Promise<Answer> {
  try {
    if (typeof route === 'number')
      throw new Refusal(route, route === 405 ? ownMessages.methodNotAllowed : ownMessages.pathNotFound);
    const principal = authenticate(service, request.headers);
    seen.principal = principal;
    if (route.changes) requireRate(service, principal);
    const call = await readCall(service, route, request, principal, query);
    seen.elementCount = route.body === 'none' ? 0 : Array.isArray(call.body) ? call.body.length : 1;
    const work = () => route.handle(service, call);
    const result = route.method === 'GET' ? work() : service.store.inTransaction(work);
    const { paging, largeIds, words } = service.modes.current();
    const isPaged = paging !== null && route.method === 'GET' && Array.isArray(result);
    const body = withOtherWords(words, route.path, isPaged ? pageOf(result, paging, query) : result);
    const { quirks } = service.settings;
    const rewrite = (json: string): string => shaped(json, quirks, largeIds);
    const answer: Answer = { status: 200, body: isPaged ? body : unlisted(body, quirks), rewrite };
    if (!route.changes) return answer;
    const changed = codesOf(body).filter((code) => code === 'success').length;
    service.rate.add(principal.consumerId, changed, service.clock.now());
    return { ...answer, headers: rateHeaders(service, principal) };
  } catch (problem) {
    if (problem instanceof Refusal) {
      return { status: problem.status, body: { error: problem.message }, headers: problem.headers };
    }
    // A defect of the sandbox itself. The document has a text for it; the cause is printed for the operator.
    process.stderr.write(`sandbox: ${faultText(problem)}\n`);
    const disk = diskFault(problem);
    if (disk !== null) return { status: 507, body: { error: diskFaultText(disk) } };
    return { status: 500, body: { error: messages.unexpected } };
  }
}

async function readCall(
  service: Service,
  route: Route,
  request: IncomingMessage,
  principal: Principal,
  query: URLSearchParams,
): Promise<Call> {
  const { largeIds, words } = service.modes.current();
  if (route.body === 'none') {
    request.resume();
    return { principal, query: largeIds ? lowerQuery(query) : query, body: null, form: null };
  }
  if (route.body === 'form') {
    const form = await readForm(request);
    return { principal, query, body: null, form: largeIds ? lowerForm(form) : form };
  }
  const body = withoutOtherWords(words, route.path, parseJson(await readBody(request)));
  return { principal, query, body: largeIds ? lowerIds(body) : body, form: null };
}

function requireRate(service: Service, principal: Principal): void {
  const seconds = service.rate.waitSeconds(principal.consumerId, service.clock.now());
  const limit = service.rate.limit();
  if (seconds === 0 || limit === null) return;
  const { namesLimit } = service.settings.quirks;
  throw new Refusal(429, namesLimit ? messages.rateExceeded(limit) : 'Too many requests', {
    ...rateHeaders(service, principal),
    ...retryAfter(service, seconds),
  });
}

function retryAfter(service: Service, seconds: number): Readonly<Record<string, string>> {
  const moment = new Date(service.clock.now() + seconds * 1000).toUTCString();
  switch (service.settings.quirks.retryAfter) {
    case 'seconds':
      return { 'retry-after': String(seconds) };
    case 'date':
      return { 'retry-after': moment };
    case 'none':
      return {};
  }
}

function rateHeaders(service: Service, principal: Principal): Readonly<Record<string, string>> {
  const limit = service.rate.limit();
  if (limit === null || !service.settings.quirks.namesLimit) return {};
  const remaining = service.rate.remaining(principal.consumerId, service.clock.now());
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) };
}

function correlationIdOf(service: Service, request: IncomingMessage): string | null {
  const value = request.headers[`${service.settings.quirks.headerPrefix}_QOS.correlation_id`.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

type Shapes = Pick<Quirks, 'ids' | 'keys' | 'capitals' | 'bare'>;

/** Members with enumerated values; the case of other texts does not change. */
const ENUMERATED =
  /("(?:code|status|state|type|reviewStatus|campaignType|targetingType|matchType|mediaType|jobStatus)":\s*")([^"\\]*)"/g;
const ID_MEMBER = /("\w*Ids?":\s*|"id":\s*)(\[[\d,\s]*\]|\d+)/g;
const MEMBER_NAME = /"([A-Za-z]\w*)":/g;

/** A list of one as its element, if the deployment does that. */
const unlisted = (body: unknown, { bare }: Shapes): unknown =>
  bare && Array.isArray(body) && body.length === 1 ? body[0] : body;

/**
 * Rewrites the JSON text of a successful answer in another documented notation. IDs come first, because they are found
 * by their member names.
 *
 * @param largeIds whether IDs are above 2^53, which tests may switch while the service runs
 */
function shaped(json: string, { ids, keys, capitals }: Shapes, largeIds: boolean): string {
  let text = largeIds ? raiseIds(json) : json;
  if (ids === 'text' || ids === 'large-text') {
    text = text.replaceAll(ID_MEMBER, (_whole, head: string, value: string) => head + value.replaceAll(/\d+/g, '"$&"'));
  }
  if (capitals)
    text = text.replaceAll(ENUMERATED, (_whole, head: string, word: string) => `${head}${word.toUpperCase()}"`);
  if (keys !== 'document') text = text.replaceAll(MEMBER_NAME, (_whole, name: string) => `"${spelled(name, keys)}":`);
  return text;
}

function spelled(name: string, keys: Exclude<Quirks['keys'], 'document'>): string {
  if (keys === 'lower') return name.toLowerCase();
  return keys === 'upper' ? name.toUpperCase() : name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * A test mode for clients: sent IDs are above 2^53, where a float has only every second integer, while the store keeps
 * small ones. A client that reads IDs as floats then refers to objects that do not exist.
 */
const OFFSET = 9_007_199_254_000_000n;
const idName = /^(?:id|\w*Ids?)$/i;

/** The caller knows its advertiser ID from elsewhere; item and snapshot IDs are text and do not match. */
const notOurs = '"advertiserId"';

/** JSON text of a response: every ID except 0 and the advertiser's is raised. */
function raiseIds(json: string): string {
  const raise = (whole: string, head: string, digits: string) =>
    head.startsWith(notOurs) ? whole : head + digits.replaceAll(/[1-9]\d*/g, (id) => String(BigInt(id) + OFFSET));
  return json.replaceAll(ID_MEMBER, raise);
}

/** A parsed request body: IDs are lowered again, at any depth. */
function lowerIds(value: unknown, name = '', depth = 0): unknown {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => lowerIds(element, name, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, lowerIds(entry, key, depth + 1)]));
  }
  return idName.test(name) ? lowerId(value) : value;
}

function lowerQuery(query: URLSearchParams): URLSearchParams {
  const entries = [...query].map(([name, value]): [string, string] => [
    name,
    idName.test(name) ? String(lowerId(value)) : value,
  ]);
  return new URLSearchParams(entries);
}

/** The JSON part of a form, still as text: its long numbers are IDs. */
function lowerForm(form: UploadForm): UploadForm {
  const texts = [...form.texts].map(([name, text]): [string, string] => [
    name,
    text.replaceAll(/\d{16,20}/g, (digits) => String(lowerId(digits))),
  ]);
  return { ...form, texts: new Map(texts) };
}

/** An ID that was not raised is not changed, so it is found; only a damaged one is not. */
function lowerId(value: unknown): unknown {
  const digits = typeof value === 'number' ? String(value) : value;
  if (typeof digits !== 'string' || !/^\d{16,20}$/.test(digits)) return value;
  const id = BigInt(digits) - OFFSET;
  return id > 0n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : value;
}

/**
 * Bodies as bytes and as JSON. Numbers that a float can't represent (16 digits or more) are parsed as text, so that a
 * 64-bit ID stays exact and truncation after two decimals uses the sent digits.
 */
const longNumber = /\d[\d.]{15}/;

/**
 * A body above the limit is read without being stored, because a sending client would not read the refusal. Beyond this
 * size the connection is closed.
 */
const DRAINED_MAX_BYTES = 64 * 1024 * 1024;

/** Reads a whole body; refuses it if it is above the limit. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.jsonBodyMaxBytes) chunks.push(chunk);
      if (size > DRAINED_MAX_BYTES) request.destroy();
    });
    request.on('end', () => {
      if (size > limits.jsonBodyMaxBytes) reject(new Refusal(400, messages.invalidParameters));
      else resolve(Buffer.concat(chunks, size));
    });
    request.on('close', () => reject(new Refusal(400, messages.invalidParameters)));
  });
}

export function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return longNumber.test(text) ? JSON.parse(text, keepLongNumber) : JSON.parse(text);
  } catch {
    // Not JSON, or nested so deeply that the reviver ran out of stack: either way a malformed body.
    throw new Refusal(400, messages.invalidParameters);
  }
}

function keepLongNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return source.length > 15 ? source : value;
}

/**
 * Result elements ("Batch result element"): the format of every write's answer, one per request element and in its
 * order. The name of the ID field depends on the resource.
 */
export type Result = Readonly<Record<string, unknown>> & {
  readonly code: 'success' | 'failure';
  readonly details: string;
};

export function success(idField: string, id: number, more: Readonly<Record<string, unknown>> = {}): Result {
  return { code: 'success', details: '', [idField]: id, ...more };
}

/** A failed element; the samples of the document give it the id 0. */
export function failure(idField: string, details: string, more: Readonly<Record<string, unknown>> = {}): Result {
  return { code: 'failure', details, [idField]: 0, ...more };
}

/** The codes of an answer's elements, for the request log and the count of changed elements. */
function codesOf(answer: unknown): readonly string[] {
  if (Array.isArray(answer)) return answer.flatMap((element: unknown) => codesOf(element));
  if (typeof answer !== 'object' || answer === null) return [];
  if ('results' in answer && Array.isArray(answer.results)) return codesOf(answer.results);
  return 'code' in answer && typeof answer.code === 'string' ? [answer.code] : [];
}
