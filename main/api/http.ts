import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import ky, { isTimeoutError } from 'ky';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Clock } from '../app/clock.ts';
import { isCertificateError } from '../app/system.ts';
import { namedLimit } from './classify-response.ts';
import { isConnectFailure, watchConnects } from './connect-failure.ts';
import type { Connection, SecretProvider, Secrets, SignatureAlgorithm } from './connection.ts';
import { RESPONSE_MAX_CHARS } from './lossless-json.ts';
import { NO_PROXY_FOUND } from './proxy-fetch.ts';
import type { RawResult, ServiceResponse } from './request-outcome.ts';
import { type ResponseRecord, redactOwn, redactSecrets, toResponseRecord } from './response-record.ts';
import { isNotAuthenticated, serviceMessage } from './service-message.ts';

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
export type Http = ReturnType<typeof createHttp>;

export interface HttpDeps {
  readonly secrets: SecretProvider;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly newCorrelationId: () => string;
  /** Called with every response. The record is made when asked for: redacting takes a third of a millisecond. */
  readonly onResponse?: ((record: () => ResponseRecord) => void) | undefined;
}

/** One call, as the hooks of ky see it. */
interface Call {
  readonly correlationId: string;
  readonly secrets: Secrets;
  readonly startedMs: number;
  signature: string;
  /** Null until the headers arrived. */
  answer: ServiceResponse | null;
}

export function createHttp(connection: Connection, deps: HttpDeps) {
  const { clock } = deps;
  watchConnects();
  const serverClock = createServerClock();
  /** Calls under way. */
  const open = new Set<AbortController>();
  let isClosed = false;
  let isReached: boolean | null = null;
  let parsedKey: { readonly pem: string; readonly key: KeyObject } | null = null;

  const keyOf = (pem: string): KeyObject => {
    if (parsedKey?.pem !== pem) parsedKey = { pem, key: createPrivateKey(pem) };
    return parsedKey.key;
  };

  const signRequest = (headers: Headers, call: Call): void => {
    const { headerPrefix: prefix, consumerId, keyVersion, signatureAlgorithm } = connection;
    const timestamp = timestampText(clock.nowMs() + serverClock.correctionMs(), connection.timestampUnit);
    const values = { consumerId, timestamp, keyVersion };
    call.signature = signValues(values, keyOf(call.secrets.privateKeyPem), signatureAlgorithm);
    headers.set('Authorization', `Bearer ${call.secrets.token}`);
    headers.set(`${prefix}_SEC.AUTH_SIGNATURE`, call.signature);
    headers.set(`${prefix}_SEC.KEY_VERSION`, keyVersion.trim());
    headers.set(`${prefix}_CONSUMER.ID`, consumerId.trim());
    headers.set(`${prefix}_CONSUMER.intimestamp`, timestamp);
    headers.set(`${prefix}_QOS.correlation_id`, call.correlationId);
  };

  /** Read here because the total timeout of ky covers its hooks, and not a body that is read after them. */
  const readResponse = async (response: Response, call: Call): Promise<void> => {
    const skewMs = skewOf(response, call.startedMs, clock.nowMs());
    if (skewMs !== null) serverClock.learn(skewMs);
    const status = response.type === 'opaqueredirect' ? 302 : response.status;
    const retryAfter = response.headers.get('retry-after');
    const perHour = namedLimit(response.headers.get('x-ratelimit-limit'));
    call.answer = {
      kind: 'answer',
      status,
      body: null,
      retryAfter,
      skewMs,
      ...(perHour === undefined ? {} : { perHour }),
    };
    call.answer = { ...call.answer, body: await readCapped(response) };
  };

  const client = ky.create({
    prefix: connection.baseUrl,
    headers: { accept: 'application/json' },
    timeout: HEADERS_MS,
    totalTimeout: TOTAL_MS,
    // Only sync repeats a write. A status is a fact for `classify`, and ky would read up to 10 MB of an error body.
    retry: 0,
    throwHttpErrors: false,
    redirect: 'manual',
    credentials: 'omit',
    fetch: deps.fetch,
    hooks: {
      beforeRequest: [({ request, options }) => signRequest(request.headers, callOf(options.context))],
      afterResponse: [
        async ({ response, options }) => {
          await readResponse(response, callOf(options.context));
          // The hook reads a copy; ky drops the other one for this.
          return new Response(null);
        },
      ],
    },
  });

  const observe = async (request: HttpRequest, call: Call): Promise<RawResult> => {
    const aborted = new AbortController();
    open.add(aborted);
    if (isClosed) aborted.abort();
    const stopWatching = watchForClockJump(clock, () => aborted.abort(CLOCK_JUMP));
    try {
      await client(pathAndQuery(request), {
        method: request.method,
        context: { call },
        signal: aborted.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(typeof request.body === 'string' ? { headers: { 'content-type': 'application/json' } } : {}),
      });
      return call.answer ?? { kind: 'broken', cause: NO_ANSWER };
    } catch (thrown) {
      // Its status is known, and that its body is not is what null says.
      if (call.answer !== null) return call.answer;
      if (aborted.signal.reason === CLOCK_JUMP) return { kind: 'broken', cause: CLOCK_JUMP };
      return aborted.signal.aborted || isTimeoutError(thrown)
        ? { kind: 'broken', cause: NO_ANSWER }
        : observeFailure(thrown);
    } finally {
      stopWatching();
      open.delete(aborted);
    }
  };

  const attempt = async (request: HttpRequest): Promise<RawResult> => {
    const secrets = await deps.secrets();
    if (secrets === null) return { kind: 'no-secrets' };
    const { correlationId } = request;
    const call: Call = { correlationId, secrets, startedMs: clock.nowMs(), signature: '', answer: null };
    const seen = withoutSecrets(await observe(request, call), [secrets.token, call.signature]);
    isReached = reachedBy(seen) ?? isReached;
    // Outside of the hooks, so that a fault in here is never taken for one of the connection.
    if (seen.kind === 'answer') {
      const { method } = request;
      const { status, body } = seen;
      const sent = { at: clock.nowMs(), method, path: pathAndQuery(request), status, body, correlationId };
      const campaignId = (request.query?.['campaignId'] as RemoteId | undefined) ?? null;
      deps.onResponse?.(() => toResponseRecord({ ...sent, campaignId }, [secrets.token, call.signature]));
    }
    return seen;
  };

  return {
    connection,
    serverClock,
    nowMs: () => clock.nowMs(),
    newCorrelationId: deps.newCorrelationId,
    /** Whether the service answered the last request; null before the first. */
    isReached: () => isReached,
    close: () => {
      isClosed = true;
      for (const call of open) call.abort();
    },
    exchange: async (request: HttpRequest): Promise<RawResult> => {
      const correctedBy = serverClock.correctionMs();
      const startedMs = clock.nowMs();
      const seen = await attempt(request);
      if (seen.kind !== 'answer' || !isAuthenticationFailure(seen) || seen.skewMs === null) return seen;
      const isSkewed = Math.abs(seen.skewMs - correctedBy) > SKEW_WORTH_A_SECOND_TRY_MS;
      // A machine that slept in between sends a signature that has grown old.
      const isLate = clock.nowMs() - startedMs > SKEW_WORTH_A_SECOND_TRY_MS;
      if (!isSkewed && !isLate) return seen;
      // The request was turned away at the door, so a second attempt with the right time repeats nothing.
      serverClock.trustOnly(seen.skewMs);
      return attempt(request);
    },
  };
}

/**
 * A gateway may answer with the request that it got. What a service says is shown and kept in many places, so its secrets are
 * taken out here, where they are known. An error is nothing but words; any other answer keeps its addresses.
 */
function withoutSecrets(seen: RawResult, secrets: readonly string[]): RawResult {
  if (seen.kind !== 'answer' || seen.body === null) return seen;
  const redact = seen.status >= 400 ? redactSecrets : redactOwn;
  return { ...seen, body: redact(seen.body, secrets) };
}

/** What one request says of the line to the service; null when it ended for another reason. */
function reachedBy(seen: RawResult): boolean | null {
  switch (seen.kind) {
    case 'answer':
      return true;
    case 'not-sent':
      return seen.security ? null : false;
    case 'broken':
      return seen.cause === CLOCK_JUMP ? null : false;
    case 'no-secrets':
      return null;
  }
}

function isAuthenticationFailure(answer: ServiceResponse): boolean {
  return (
    answer.status === 401 ||
    (answer.status === 403 && answer.body !== null && isNotAuthenticated(serviceMessage(answer.body)))
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

/** ky copies a context, so that what the hooks write to stands one step below. */
const callOf = (context: Record<string, unknown>): Call => context['call'] as Call;

function pathAndQuery({ path, query = {} }: HttpRequest): string {
  const parameters = new URLSearchParams(query).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
}

const NO_ANSWER = 'no response within the time limit';
const CLOCK_JUMP = 'the clock jumped during the request, as after the computer was asleep';
/** How far the two clocks may drift apart during one exchange, and how often that is looked at. */
const JUMP_MS = 30_000;
const JUMP_LOOK_MS = 5000;

/**
 * A machine that slept in between stops the timeouts, so an exchange across a jump of the clock ends as well: nobody
 * knows what became of it.
 *
 * @returns ends the watching
 */
function watchForClockJump(clock: Clock, onJump: () => void): () => void {
  const gap = () => clock.nowMs() - clock.monotonicMs();
  const gapBefore = gap();
  const timer = setInterval(() => {
    if (Math.abs(gap() - gapBefore) > JUMP_MS) onJump();
  }, JUMP_LOOK_MS);
  return () => clearInterval(timer);
}

/**
 * The text of an answer, read piece by piece so that an endless or well-packed body stops at the limit.
 *
 * @returns null when the body is longer than the limit, ends early, or is not UTF-8
 */
async function readCapped(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > RESPONSE_MAX_CHARS) {
        // Not awaited: it ends when ky has dropped its copy, too.
        void reader.cancel();
        return null;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status line came whole, so the answer exists; that its body did not is what null says.
    return null;
  }
}

const SAMPLES = 9;
const TOLERATED_MS = 30_000;

/** How far the service's clock is ahead of ours, learned from the `Date` of its answers. */
function createServerClock() {
  let samples: readonly number[] = [];
  const median = (): number => {
    const ordered = samples.toSorted((a, b) => a - b);
    return ordered[Math.floor(ordered.length / 2)] ?? 0;
  };
  return {
    learn: (skewMs: number) => {
      samples = [...samples, skewMs].slice(-SAMPLES);
    },
    /** Milliseconds to add to our clock when signing; 0 while the difference does not matter. */
    correctionMs: (): number => (Math.abs(median()) > TOLERATED_MS ? median() : 0),
    /** The median as it is, for display. */
    offsetMs: median,
    /** Forgets older answers, after an authentication failure showed that they are no longer true. */
    trustOnly: (skewMs: number) => {
      samples = [skewMs];
    },
  };
}

/** The three header values that are signed. Method, address and body are not (wire shapes, section 1). */
interface SignedValues {
  readonly consumerId: string;
  readonly timestamp: string;
  readonly keyVersion: string;
}

/** The text that is signed: each value trimmed and followed by a newline, also the last. */
export const signedText = (values: SignedValues): string =>
  `${values.consumerId.trim()}\n${values.timestamp.trim()}\n${values.keyVersion.trim()}\n`;

/** RS256 is what services of this family use; the document leaves the computation open, so a deployment may differ. */
const ALGORITHMS = {
  RS256: { hash: 'RSA-SHA256' },
  RS512: { hash: 'RSA-SHA512' },
  PS256: { hash: 'RSA-SHA256', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
} as const satisfies Record<SignatureAlgorithm, object>;

/** The signature as one line of standard Base64. */
export function signValues(values: SignedValues, key: KeyObject, algorithm: SignatureAlgorithm = 'RS256'): string {
  const { hash, ...padding } = ALGORITHMS[algorithm];
  return sign(hash, Buffer.from(signedText(values), 'utf8'), { key, ...padding }).toString('base64');
}

/** The timestamp header's text: the very text that is signed. */
export const timestampText = (nowMs: number, unit: 'ms' | 's'): string =>
  String(unit === 'ms' ? Math.round(nowMs) : Math.floor(nowMs / 1000));

/** Failures that are no failure of a connection: there was none. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  // The proxy opened no tunnel, or there is no way to speak to it.
  'ERR_PROXY_TUNNEL',
  NO_PROXY_FOUND,
]);

/** The calls of the system by which a connection is opened. The others are made on one that a request may have gone through. */
const CONNECTS: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

/**
 * Reads what `fetch` threw. Only a connection that was never ready proves that not one byte of the request reached the
 * service: no address, none of its addresses answers, a TLS handshake that never ended. Everything else may have happened after the
 * request was written, `read EHOSTUNREACH` and a broken TLS record among it.
 */
export function observeFailure(thrown: unknown): RawResult {
  const failures = failuresIn(thrown, 0);
  const cause = failures[0]?.code ?? (thrown instanceof Error ? thrown.name : 'the connection ended');
  if (failures.length === 0 || !failures.every(isUnsent)) return { kind: 'broken', cause };
  const security = failures.every(({ code }) => isCertificateError(code) || code.startsWith('ERR_SSL_'));
  if (!security) return { kind: 'not-sent', cause, security };
  const problem = /WRONG_VERSION/.test(cause)
    ? 'The address does not use https'
    : "The service's certificate is not trusted";
  return { kind: 'not-sent', cause: `${problem} (${cause}).`, security };
}

interface Failure {
  readonly code: string;
  readonly error: Error;
}

/** A certificate is looked at before the request is written. */
const isUnsent = ({ code, error }: Failure): boolean =>
  isConnectFailure(error) ||
  isCertificateError(code) ||
  NEVER_CONNECTED.has(code) ||
  ('syscall' in error && typeof error.syscall === 'string' && CONNECTS.has(error.syscall));

/** What `fetch` itself refuses to open, such as a port on its list of bad ones. It gives no code, only this text. */
const NEVER_OPENED = /^(bad port|unknown scheme|URL scheme must be|Failed to parse URL|Invalid URL)/i;

/** Every code in the chain of causes, with the error that has it; several addresses tried in turn give one each. */
function failuresIn(thrown: unknown, depth: number): readonly Failure[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const inner = thrown instanceof AggregateError ? thrown.errors : [thrown.cause];
  const below = inner.flatMap((cause) => failuresIn(cause, depth + 1));
  if (below.length > 0) return below;
  if ('code' in thrown && typeof thrown.code === 'string') return [{ code: thrown.code, error: thrown }];
  return NEVER_OPENED.test(thrown.message) ? [{ code: 'ERR_INVALID_URL', error: thrown }] : [];
}
