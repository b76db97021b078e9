import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Failure } from '../../shared/api/operation.ts';
import type { RefusedConnection } from '../../shared/error-help/connection-errors.ts';
import { remoteId } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { baseUrlProblem, type Connection } from '../api/connection.ts';
import { createHttp, type Http, type HttpRequest } from '../api/http.ts';
import { parseJson } from '../api/lossless-json.ts';
import { keyProblemText, readPrivateKey } from '../api/private-key.ts';
import { isNotAuthenticated, serviceMessage } from '../api/service-message.ts';
import type { Clock } from '../app/clock.ts';
import type { AccountSecret, GrantedFile } from '../app/host-ports.ts';

/**
 * Tests a connection before anything of it is stored: the addresses, the key (a signature made and verified),
 * the token's form, and a read of the service with all of them together, in the form that this deployment accepts.
 */
export interface ConnectionDraft {
  readonly baseUrl: string;
  readonly advertiserId: string;
  readonly consumerId: string;
  readonly keyVersion: string;
  readonly headerPrefix: string;
  readonly retailHost: string;
  readonly keyFile: GrantedFile;
  readonly keyPassphrase: string | null;
  /** A file with the passphrase of the key on one line, when it was not typed. */
  readonly keyPassphraseFile: GrantedFile | null;
  readonly tokenFile: GrantedFile;
}

interface ReadSecrets {
  readonly secret: AccountSecret;
  readonly keyFingerprint: string;
}
type ProvenConnection = ReadSecrets & FoundConnection;

export type BadCredentials = Failure<'BAD_CREDENTIALS'>;

const SECRET_FILE_MAX_BYTES = 64 * 1024;
/** Printable ASCII without spaces: nothing else is allowed in a header. Refuses JSON around a token. */
const TOKEN = /^(?![{["])[\x21-\x7e]+$/;

/** @param known the signature form used so far, when the account is connected again */
export async function testConnection(
  draft: ConnectionDraft,
  known: Pick<Connection, 'timestampUnit' | 'signatureAlgorithm'>,
  deps: { readonly clock: Clock; readonly fetch?: typeof fetch },
): Promise<Result<ProvenConnection, BadCredentials>> {
  const advertiserId = remoteId(draft.advertiserId);
  if (advertiserId === null) return bad('advertiser-id', 'It must be a number above 0.');
  const addressProblem = baseUrlProblem(draft.baseUrl);
  if (addressProblem !== null) return bad('base-url', ADDRESS_PROBLEMS[addressProblem]);
  const retailProblem = retailHostProblem(draft.retailHost);
  if (retailProblem !== null) return bad('retail-host', retailProblem);
  const secret = await readSecretFiles(
    draft.keyFile,
    draft.tokenFile,
    draft.keyPassphrase === null ? draft.keyPassphraseFile : { typed: draft.keyPassphrase },
  );
  if (!secret.ok) return secret;
  const entered: Connection = {
    baseUrl: draft.baseUrl,
    advertiserId,
    consumerId: draft.consumerId,
    keyVersion: draft.keyVersion,
    headerPrefix: prefixIn(draft.headerPrefix),
    ...known,
  };
  const found = await findConnection(entered, (connection) =>
    createHttp(connection, {
      secrets: async () => secret.value.secret,
      clock: deps.clock,
      fetch: deps.fetch ?? fetch,
      newCorrelationId: randomUUID,
    }),
  );
  if (found.ok) return ok({ ...secret.value, ...found.value });
  const refused = found.error;
  // A wrong clock is the one cause that the user can see on this computer.
  const isClock = refused.step === 'access' && Math.abs(refused.skewSeconds ?? 0) > SKEW_MAX_SECONDS;
  return fail('BAD_CREDENTIALS', { step: isClock ? 'clock' : refused.step, detail: refused.words, refused });
}

/** Above this a signature is refused for its time alone (wire shapes, section 1). */
const SKEW_MAX_SECONDS = 300;

/** The prefix in copied text: a full header name, or the prefix with its separator. */
const prefixIn = (text: string): string =>
  text
    .trim()
    .replace(/_((SEC|CONSUMER|QOS)(\..*)?)?$/i, '')
    .toUpperCase();

/** The passphrase of a key: typed, or the file that contains it; null for a key without one. */
type KeyPassphrase = { readonly typed: string } | string | GrantedFile | null;

/** Reads key and token from the user's files, by path or granted; the key is verified by a signature. */
export async function readSecretFiles(
  keyFile: string | GrantedFile,
  tokenFile: string | GrantedFile,
  lock: KeyPassphrase,
): Promise<Result<ReadSecrets, BadCredentials>> {
  const keyText = await readSecretText(keyFile);
  if (keyText === null) return bad('key', "Can't read the key file. Choose it again.");
  const passphrase = await passphraseOf(lock);
  if (passphrase === undefined) {
    return bad('key-locked', "Can't read the passphrase file of the key. It must contain the passphrase on one line.");
  }
  const key = readPrivateKey(keyText, passphrase);
  if (!key.ok) {
    const locked = key.error.kind === 'needs-passphrase' || key.error.kind === 'wrong-passphrase';
    return bad(locked ? 'key-locked' : 'key', keyProblemText(key.error));
  }
  const token = (await readSecretText(tokenFile))?.trim() ?? null;
  if (token === null) return bad('token', "Can't read the token file. Choose it again.");
  if (!TOKEN.test(token)) {
    return bad('token', 'The token file must contain only the access token, on one line without spaces.');
  }
  return ok({
    secret: { token, privateKeyPem: key.value.privateKeyPem },
    keyFingerprint: key.value.fingerprint,
  });
}

/** Without a line break at the end of the file; undefined when the file can't be read. */
async function passphraseOf(lock: KeyPassphrase): Promise<string | null | undefined> {
  if (lock === null) return null;
  if (typeof lock === 'object' && 'typed' in lock) return lock.typed;
  return (await readSecretText(lock))?.replace(/\r?\n$/, '');
}

async function readSecretText(file: string | GrantedFile): Promise<string | null> {
  try {
    const bytes = typeof file === 'string' ? await readFile(file) : (file.held ?? (await readFile(file.path)));
    return bytes.length > SECRET_FILE_MAX_BYTES ? null : bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    // Missing, moved or not permitted: one failure, because the user can only select the file again.
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

const ADDRESS_PROBLEMS = {
  'not-an-address': 'The base URL is not a web address. Example: https://api.example.com/partner.',
  'not-https': 'The base URL must begin with https://, because requests contain your token.',
  'has-credentials': 'The base URL must not contain a user name or password.',
  'has-query': 'The base URL must not contain "?" or "#".',
} as const;

/** The retail host is the target of click URLs: https and a host name, without a path. */
function retailHostProblem(text: string): string | null {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return 'The retail site host is not a host name. Example: https://www.example.com.';
  const url = new URL(address);
  if (url.protocol !== 'https:') return 'The retail site host must use https.';
  if (url.port !== '' || url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    return 'The retail site host must be a host name only. Example: https://www.example.com.';
  }
  return null;
}

const bad = (step: BadCredentials['data']['step'], detail: string) => fail('BAD_CREDENTIALS', { step, detail });

/**
 * Finds the request form that a deployment accepts. The document leaves open the unit of the timestamp, the first part
 * of the header names, the key version and the signature ("Authentication"), and the base URL may end in a path. The
 * form the user entered is tried first, then the few other forms:
 *
 *   entered address ── not the service ──> the address without "/api...", then its host alone
 *        │ the service
 *   entered form ──── not authenticated ──> one difference, then two (20 reads at most)
 *        │ any other response
 *   accepted, or refused with the reason
 *
 * Only documented reads are sent, so nothing can change on the service.
 */
export type WireForm = Pick<
  Connection,
  'baseUrl' | 'headerPrefix' | 'keyVersion' | 'timestampUnit' | 'signatureAlgorithm'
>;

interface FoundConnection {
  readonly form: WireForm;
  /** How far the service's clock is ahead of ours, in seconds; null without a date in the response. */
  readonly clockAheadSeconds: number | null;
}

/** Sends one read over a connection; the caller makes a client for it. */
type TryConnection = (connection: Connection) => Http;

async function findConnection(
  entered: Connection,
  open: TryConnection,
): Promise<Result<FoundConnection, RefusedConnection>> {
  let tried = 0;
  const attempt = async (form: Partial<WireForm>): Promise<Attempt> => {
    tried++;
    const http = open({ ...entered, ...form });
    try {
      return await look(http);
    } finally {
      http.close();
    }
  };
  const done = ({ baseUrl, headerPrefix, keyVersion, timestampUnit, signatureAlgorithm }: WireForm, seen: Attempt) =>
    seen.is === 'accepted'
      ? ok({
          form: { baseUrl, headerPrefix, keyVersion, timestampUnit, signatureAlgorithm },
          clockAheadSeconds: seen.skewSeconds,
        })
      : err(refusalOf(seen, `${CALL.method} ${baseUrl.replace(/\/+$/, '')}${CALL.path}`, tried));

  // With a version or `/api` at its end, the path of a call would have it twice.
  const [above = entered.baseUrl, ...higher] = otherBases(entered.baseUrl);
  const isDoubled = /\/api(\/v\d+)?\/*$/.test(entered.baseUrl);
  const [start, next] = isDoubled ? [above, entered.baseUrl] : [entered.baseUrl, above];
  const first = await attempt({ baseUrl: start });
  let [base, seen] = [start, first];
  for (const baseUrl of start === next ? higher : [next, ...higher]) {
    if (seen.is !== 'not-the-service') break;
    const other = await attempt({ baseUrl });
    if (other.is !== 'not-the-service' && other.is !== 'no-response') [base, seen] = [baseUrl, other];
  }
  if (seen.is !== 'not-authenticated') return done({ ...entered, baseUrl: base }, seen);
  for (const form of otherForms(entered)) {
    const other = await attempt({ ...form, baseUrl: base });
    if (other.is !== 'not-authenticated') return done({ ...entered, ...form, baseUrl: base }, other);
  }
  return done({ ...entered, baseUrl: base }, seen);
}

/** The result of one read. */
interface Attempt {
  readonly is: 'accepted' | 'not-authenticated' | 'no-access' | 'not-the-service' | 'busy' | 'failing' | 'no-response';
  readonly status: number | null;
  /** The service's message, or the cause of a broken connection. */
  readonly words: string;
  readonly skewSeconds: number | null;
}

/** Documented, needs no id but the advertiser's, and changes nothing. */
const CALL = { method: 'GET', path: '/api/v1/media' } as const;

async function look(http: Http): Promise<Attempt> {
  const { advertiserId } = http.connection;
  const seen = await observe(http, { ...CALL, query: { advertiserId } });
  if (seen.is !== 'not-the-service' || seen.status !== 404) return seen;
  // The service may respond 404 for an advertiser without media. Another documented read rules out a wrong address.
  const body = `{"advertiserId":${advertiserId},"searchText":"a"}`;
  const second = await observe(http, { method: 'POST', path: '/api/v1/itemSearch', body });
  return second.is === 'accepted' || second.is === 'not-authenticated' ? second : seen;
}

async function observe(http: Http, request: Omit<HttpRequest, 'correlationId'>): Promise<Attempt> {
  const seen = await http.exchange({ ...request, correlationId: http.newCorrelationId() });
  if (seen.kind !== 'answer') {
    const words = seen.kind === 'no-secrets' ? '' : seen.cause;
    return { is: 'no-response', status: null, words, skewSeconds: null };
  }
  const { status, body } = seen;
  // A page is no words of the service: it would fill the message with markup.
  const isJson = body !== null && parseJson(body).ok;
  const words = isJson ? serviceMessage(body) : '';
  const skewSeconds = seen.skewMs === null ? null : Math.round(seen.skewMs / 1000);
  const is = ((): Attempt['is'] => {
    if (status === 401 || (status === 403 && isNotAuthenticated(body ?? ''))) return 'not-authenticated';
    if (status === 403) return 'no-access';
    if (status === 429) return 'busy';
    if (status >= 500) return 'failing';
    // Any other JSON error comes after the credentials were checked.
    return isJson && (status < 300 || status >= 400) && status !== 404 && status !== 405
      ? 'accepted'
      : 'not-the-service';
  })();
  return { is, status, words: status < 300 ? '' : words, skewSeconds };
}

/** Shorter bases when the user copied the URL of a call, or one with the version in it. */
function otherBases(entered: string): readonly string[] {
  const base = entered.replace(/\/+$/, '');
  const above = base.replace(/\/(api|v\d+)(\/.*)?$/, '');
  const host = new URL(base).origin;
  return [...new Set([above, host])].filter((other) => other !== base && URL.canParse(other));
}

/** Other forms of the same request: one difference first, the most common ones ahead; then every two of them. */
function otherForms(entered: WireForm): readonly Partial<WireForm>[] {
  const units = [{ timestampUnit: entered.timestampUnit === 'ms' ? 's' : 'ms' }] as const;
  const prefixes = ['SVC'].filter((p) => p !== entered.headerPrefix).map((headerPrefix) => ({ headerPrefix }));
  const versions = ['1', '2'].filter((v) => v !== entered.keyVersion).map((keyVersion) => ({ keyVersion }));
  const algorithms = (['RS256', 'RS512', 'PS256'] as const)
    .filter((algorithm) => algorithm !== entered.signatureAlgorithm)
    .map((signatureAlgorithm) => ({ signatureAlgorithm }));
  const sets: readonly (readonly Partial<WireForm>[])[] = [units, prefixes, versions, algorithms];
  const pairs = sets.flatMap((left, at) =>
    sets.slice(at + 1).flatMap((right) => left.flatMap((one) => right.map((two) => ({ ...one, ...two })))),
  );
  return [...sets.flat(), ...pairs];
}

function refusalOf(seen: Attempt, call: string, tried: number): RefusedConnection {
  const steps = {
    accepted: 'access',
    'not-authenticated': 'access',
    'no-access': 'access',
    'not-the-service': 'base-url',
    busy: 'unreachable',
    failing: 'unreachable',
    'no-response': 'unreachable',
  } as const;
  const { status, words, skewSeconds } = seen;
  return { step: steps[seen.is], call, status, words, tried, skewSeconds };
}
