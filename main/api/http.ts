import { createPrivateKey, type KeyObject } from 'node:crypto';
import ky from 'ky';
import type { Clock } from '../clock.ts';
import { readCapped } from './capped-body.ts';
import { addressOf, type Connection, type SecretProvider, type Secrets } from './connection.ts';
import { errorText } from './error-text.ts';
import { type Hearing, heardAnswer } from './heard.ts';
import { isNotAuthenticated } from './known-refusals.ts';
import type { Answer, Observation } from './outcome.ts';
import { createServerClock, type ServerClock } from './server-clock.ts';
import { signValues, timestampText } from './signature.ts';
import { observeFailure } from './transport-failure.ts';

const HEADERS_MS = 30_000;
const TOTAL_MS = 60_000;
const SKEW_WORTH_A_SECOND_TRY_MS = 60_000;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON text, or a multipart form. */
  readonly body?: string | FormData;
  readonly correlationId: string;
}

/** Sends one request and says what was seen; it judges nothing and repeats nothing but a badly timed signature. */
export interface Http {
  readonly connection: Connection;
  readonly serverClock: ServerClock;
  exchange(request: HttpRequest): Promise<Observation>;
  nowMs(): number;
  newCorrelationId(): string;
  close(): void;
}

export interface HttpDeps {
  readonly secrets: SecretProvider;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly newCorrelationId: () => string;
  /** Is told every answer that comes, with nothing secret in it. */
  readonly heard?: (answer: Hearing) => void;
}

export function createHttp(connection: Connection, deps: HttpDeps): Http {
  const serverClock = createServerClock();
  const closing = new AbortController();
  let parsedKey: { readonly pem: string; readonly key: KeyObject } | null = null;

  const keyOf = (pem: string): KeyObject => {
    if (parsedKey?.pem !== pem) parsedKey = { pem, key: createPrivateKey(pem) };
    return parsedKey.key;
  };

  const attempt = async (request: HttpRequest): Promise<Observation> => {
    const secrets = await deps.secrets();
    if (secrets === null) return { kind: 'no-secrets' };
    const sentAlong = [secrets.token];
    const seen = await observe(request, secrets, (signature) => sentAlong.push(signature));
    // Outside of the exchange, so that a fault in here is never taken for one of the connection.
    if (seen.kind === 'answer') {
      const at = deps.clock.nowMs();
      deps.heard?.(() => heardAnswer(request, seen, sentAlong, at));
    }
    return seen;
  };

  const observe = async (
    request: HttpRequest,
    secrets: Secrets,
    signed: (signature: string) => void,
  ): Promise<Observation> => {
    const { headerPrefix: prefix, consumerId, keyVersion, signatureAlgorithm } = connection;
    const timeouts = createTimeouts(closing.signal, deps.clock);
    // The signature belongs to the attempt, so it is made inside `fetch` and never reused (wire shapes, section 1).
    const signedFetch: typeof fetch = (input, init) => {
      const outgoing = new Request(input, init);
      const timestamp = timestampText(deps.clock.nowMs() + serverClock.correctionMs(), connection.timestampUnit);
      const signature = signValues(
        { consumerId, timestamp, keyVersion },
        keyOf(secrets.privateKeyPem),
        signatureAlgorithm,
      );
      signed(signature);
      outgoing.headers.set('Authorization', `Bearer ${secrets.token}`);
      outgoing.headers.set(`${prefix}_SEC.AUTH_SIGNATURE`, signature);
      outgoing.headers.set(`${prefix}_SEC.KEY_VERSION`, keyVersion.trim());
      outgoing.headers.set(`${prefix}_CONSUMER.ID`, consumerId.trim());
      outgoing.headers.set(`${prefix}_CONSUMER.intimestamp`, timestamp);
      outgoing.headers.set(`${prefix}_QOS.correlation_id`, request.correlationId);
      return deps.fetch(outgoing);
    };
    const startedMs = deps.clock.nowMs();
    try {
      const response = await ky(addressOf(connection.baseUrl, request.path, request.query), {
        method: request.method,
        ...(request.body === undefined ? {} : { body: request.body }),
        headers: typeof request.body === 'string' ? JSON_HEADERS : { accept: 'application/json' },
        retry: 0,
        timeout: false,
        throwHttpErrors: false,
        redirect: 'manual',
        credentials: 'omit',
        signal: timeouts.signal,
        fetch: signedFetch,
      });
      timeouts.headersArrived();
      const skewMs = skewOf(response, startedMs, deps.clock.nowMs());
      if (skewMs !== null) serverClock.learn(skewMs, 0);
      const redirected = response.type === 'opaqueredirect';
      return {
        kind: 'answer',
        status: redirected ? 302 : response.status,
        body: redirected ? '' : await readCapped(response),
        retryAfter: response.headers.get('retry-after'),
        skewMs,
      };
    } catch (thrown) {
      return timeouts.signal.aborted ? { kind: 'broken', cause: timeouts.cause() } : observeFailure(thrown);
    } finally {
      timeouts.clear();
    }
  };

  return {
    connection,
    serverClock,
    nowMs: () => deps.clock.nowMs(),
    newCorrelationId: deps.newCorrelationId,
    close: () => closing.abort(),
    exchange: async (request) => {
      const correctedBy = serverClock.correctionMs();
      const startedMs = deps.clock.nowMs();
      const seen = await attempt(request);
      if (seen.kind !== 'answer' || !isAuthenticationFailure(seen) || seen.skewMs === null) return seen;
      const isSkewed = Math.abs(seen.skewMs - correctedBy) > SKEW_WORTH_A_SECOND_TRY_MS;
      // A machine that slept in between sends a signature that has grown old.
      const isLate = deps.clock.nowMs() - startedMs > SKEW_WORTH_A_SECOND_TRY_MS;
      if (!isSkewed && !isLate) return seen;
      // The request was turned away at the door, so a second attempt with the right time repeats nothing.
      serverClock.trustOnly(seen.skewMs);
      return attempt(request);
    },
  };
}

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' } as const;

function isAuthenticationFailure(answer: Answer): boolean {
  return (
    answer.status === 401 ||
    (answer.status === 403 && answer.body !== null && isNotAuthenticated(errorText(answer.body)))
  );
}

/**
 * How far the service's clock is ahead for certain: an answer may be dated at any moment of its exchange, which may have
 * been long, or lain across a jump of our clock.
 */
function skewOf(response: Response, startedMs: number, endedMs: number): number | null {
  const serverMs = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isFinite(serverMs)) return null;
  return Math.round(serverMs - Math.min(Math.max(serverMs, startedMs), endedMs));
}

/** How far the two clocks may drift apart during one exchange, and how often that is looked at. */
const JUMP_MS = 30_000;
const JUMP_LOOK_MS = 5000;

/**
 * One limit until the headers arrive and one for the whole exchange. A machine that slept in between stops both, so
 * an exchange across a jump of the clock ends as well: nobody knows what became of it.
 */
function createTimeouts(closing: AbortSignal, clock: Clock) {
  const controller = new AbortController();
  let cause = 'no answer within the time limit';
  const abort = () => controller.abort();
  const gap = () => clock.nowMs() - clock.monotonicMs();
  const gapBefore = gap();
  const jumps = setInterval(() => {
    if (Math.abs(gap() - gapBefore) <= JUMP_MS) return;
    cause = 'the clock jumped while the request was under way, as after a sleep of the machine';
    abort();
  }, JUMP_LOOK_MS);
  const headers = setTimeout(abort, HEADERS_MS);
  const total = setTimeout(abort, TOTAL_MS);
  closing.addEventListener('abort', abort, { once: true });
  if (closing.aborted) abort();
  return {
    signal: controller.signal,
    cause: () => cause,
    headersArrived: () => clearTimeout(headers),
    clear: () => {
      clearInterval(jumps);
      clearTimeout(headers);
      clearTimeout(total);
      closing.removeEventListener('abort', abort);
    },
  };
}
