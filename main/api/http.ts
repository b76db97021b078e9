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

/** Sends one request and returns the raw result; it only repeats a request whose signature had a wrong time. */
export type Http = ReturnType<typeof createHttp>;

export interface HttpDeps {
  readonly secrets: SecretProvider;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly newCorrelationId: () => string;
  /** Called with every response. The record is made on demand: redacting takes a third of a millisecond. */
  readonly onResponse?: ((record: () => ResponseRecord) => void) | undefined;
}

/** One call, as passed to the hooks of ky. */
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
  /** Calls in progress. */
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

  /** Read here because the total timeout of ky covers its hooks, but not a body that is read after them. */
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
    // Only sync repeats a write. `classify-response.ts` interprets a status, and ky would read up to 10 MB of an error
    // body.
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
          // The hook reads a copy of the response; returning another one makes ky drop the original.
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
      // The status is known; `body: null` means that the body is not.
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
    // Outside of the hooks, so that a defect here is not taken for a connection error.
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
    /** Whether the service responded to the last request; null before the first. */
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
      // After a sleep of the computer, the signature may have been too old when it was sent.
      const isLate = clock.nowMs() - startedMs > SKEW_WORTH_A_SECOND_TRY_MS;
      if (!isSkewed && !isLate) return seen;
      // Authentication failed, so nothing was executed: a second attempt with the right time repeats nothing.
      serverClock.trustOnly(seen.skewMs);
      return attempt(request);
    },
  };
}

/**
 * Removes token and signature from a body: a gateway may return the request that it received, and bodies are displayed
 * and stored in many places. In errors all secrets are redacted; in other responses URLs stay, since they are needed.
 */
function withoutSecrets(seen: RawResult, secrets: readonly string[]): RawResult {
  if (seen.kind !== 'answer' || seen.body === null) return seen;
  const redact = seen.status >= 400 ? redactSecrets : redactOwn;
  return { ...seen, body: redact(seen.body, secrets) };
}

/** True if the result proves that the service is reachable, false if unreachable; null if it proves neither. */
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
 * The certain part of the difference between the service's clock and ours, in milliseconds: a response may be dated at
 * any moment of its exchange, which may have been long or contained a jump of our clock.
 */
function skewOf(response: Response, startedMs: number, endedMs: number): number | null {
  const serverMs = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isFinite(serverMs)) return null;
  return Math.round(serverMs - Math.min(Math.max(serverMs, startedMs), endedMs));
}

/** ky copies the context object, so the mutable call is one level below. */
const callOf = (context: Record<string, unknown>): Call => context['call'] as Call;

function pathAndQuery({ path, query = {} }: HttpRequest): string {
  const parameters = new URLSearchParams(query).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
}

const NO_ANSWER = 'no response within the time limit';
const CLOCK_JUMP = 'the clock jumped during the request, as after the computer was asleep';
/** Maximum change of the difference between the two clocks during one exchange, and the interval of the check. */
const JUMP_MS = 30_000;
const JUMP_LOOK_MS = 5000;

/**
 * Aborts an exchange during which a clock jumped: while the computer sleeps, timeouts stop, and the outcome of the
 * request is unknown.
 *
 * @returns a function that stops the check
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
 * Reads the text of a response in chunks, so that an endless or highly compressed body stops at the limit.
 *
 * @returns null if the body is longer than the limit, ends early, or is not UTF-8
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
        // Not awaited: it resolves only after ky has dropped its copy.
        void reader.cancel();
        return null;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status line arrived, so there is a response; null means that its body is incomplete.
    return null;
  }
}

const SAMPLES = 9;
const TOLERATED_MS = 30_000;

/** The lead of the service's clock over ours, measured by the `Date` headers of its responses. */
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
    /** Milliseconds to add to our clock when signing; 0 for a tolerable difference. */
    correctionMs: (): number => (Math.abs(median()) > TOLERATED_MS ? median() : 0),
    /** The uncorrected median, for display. */
    offsetMs: median,
    /** Drops older samples after an authentication failure showed that they are outdated. */
    trustOnly: (skewMs: number) => {
      samples = [skewMs];
    },
  };
}

/** The three header values that are signed. Method, URL and body are not (wire shapes, section 1). */
interface SignedValues {
  readonly consumerId: string;
  readonly timestamp: string;
  readonly keyVersion: string;
}

/** The text to sign: each value trimmed and followed by a newline, including the last. */
export const signedText = (values: SignedValues): string =>
  `${values.consumerId.trim()}\n${values.timestamp.trim()}\n${values.keyVersion.trim()}\n`;

/** Services of this kind use RS256; the document does not specify the computation, so a deployment may differ. */
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

/** The timestamp header, in the exact text that is signed. */
export const timestampText = (nowMs: number, unit: 'ms' | 's'): string =>
  String(unit === 'ms' ? Math.round(nowMs) : Math.floor(nowMs / 1000));

/** Failures before a connection existed. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  // The proxy opened no tunnel, or its type is not supported.
  'ERR_PROXY_TUNNEL',
  NO_PROXY_FOUND,
]);

/** System calls that open a connection. Other calls use a connection on which a request may have been written. */
const CONNECTS: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

/**
 * Interprets an error of `fetch`. Only a connection that was never ready proves that no byte of the request reached the
 * service: no address, no response of any address, or an incomplete TLS handshake. All other errors, such as `read
 * EHOSTUNREACH` and a broken TLS record, may have occurred after the request was written.
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

/** Certificates are checked before the request is written. */
const isUnsent = ({ code, error }: Failure): boolean =>
  isConnectFailure(error) ||
  isCertificateError(code) ||
  NEVER_CONNECTED.has(code) ||
  ('syscall' in error && typeof error.syscall === 'string' && CONNECTS.has(error.syscall));

/** Addresses that `fetch` refuses to open, such as blocked ports. These errors have no code, only this text. */
const NEVER_OPENED = /^(bad port|unknown scheme|URL scheme must be|Failed to parse URL|Invalid URL)/i;

/** All codes in the chain of causes, with their errors; several addresses tried in order give one each. */
function failuresIn(thrown: unknown, depth: number): readonly Failure[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const inner = thrown instanceof AggregateError ? thrown.errors : [thrown.cause];
  const below = inner.flatMap((cause) => failuresIn(cause, depth + 1));
  if (below.length > 0) return below;
  if ('code' in thrown && typeof thrown.code === 'string') return [{ code: thrown.code, error: thrown }];
  return NEVER_OPENED.test(thrown.message) ? [{ code: 'ERR_INVALID_URL', error: thrown }] : [];
}
