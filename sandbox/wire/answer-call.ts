import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../access.ts';
import type { Fault } from '../control/fault-list.ts';
import { diskFault, diskFaultText, faultText } from '../disk-fault.ts';
import { messages, ownMessages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Authenticate } from './authentication.ts';
import { parseJson, readBody } from './json-body.ts';
import { lowerForm, lowerIds, lowerQuery } from './large-ids.ts';
import { readForm } from './multipart.ts';
import { withOtherWords, withoutOtherWords } from './other-words.ts';
import { pageOf } from './paging.ts';
import { type Answer, meetFaultBefore, respondThroughFault } from './respond.ts';
import { codesOf } from './results.ts';
import type { Call, Route } from './route.ts';
import { shaped, unlisted } from './shapes.ts';

/**
 * One call of the partner API, in the order of checks that every call shares: credentials, rate, body; then the
 * resource goes on with batch size, required fields, existence, access, state and the elements.
 */
export async function answerCall(
  service: Service,
  authenticate: Authenticate,
  route: Route | number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const fault = service.faults.take(method, path);
  const seen: Seen = { principal: null, elementCount: 0 };
  const log = (status: number, body: unknown) =>
    service.requests.add({
      at: new Date(service.clock.now()).toISOString(),
      method,
      path,
      status,
      correlationId: correlationIdOf(service, request),
      principal: seen.principal,
      elementCount: seen.elementCount,
      elementCodes: codesOf(body),
      fault: fault?.kind ?? null,
    });

  if (await meetFaultBefore(fault, path, response, service.closing)) {
    request.resume();
    log(fault?.kind === 'drop-before' ? 0 : (fault?.status ?? 500), null);
    return;
  }
  const answer = await carryOut(service, authenticate, route, request, new URLSearchParams(query), seen);
  log(isCut(fault) ? 0 : answer.status, answer.body);
  respondThroughFault(response, answer, fault);
}

interface Seen {
  principal: Principal | null;
  elementCount: number;
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
    // A fault of the sandbox itself. The document has a text for it; the cause goes to the operator.
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
  throw new Refusal(429, messages.rateExceeded(limit), {
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
  if (limit === null) return {};
  const remaining = service.rate.remaining(principal.consumerId, service.clock.now());
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) };
}

function correlationIdOf(service: Service, request: IncomingMessage): string | null {
  const value = request.headers[`${service.settings.quirks.headerPrefix}_QOS.correlation_id`.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

function isCut(fault: Fault | null): boolean {
  return fault?.kind === 'drop-after';
}
