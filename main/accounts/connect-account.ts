import { readFile } from 'node:fs/promises';
import { type RemoteId, remoteId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { baseUrlProblem } from '../api/connection.ts';
import { importKey, keyProblemText } from '../api/keys.ts';
import type { ReadFailure } from '../api/outcome.ts';
import { createPartnerApi } from '../api/partner-api.ts';
import type { Clock } from '../clock.ts';
import type { AccountSecret, GrantedFile } from '../core-types.ts';

/**
 * Proves a connection before anything of it is stored: the addresses, the key (a signature made and verified),
 * the token's form, and one read of the service with all of them together.
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
  readonly tokenFile: GrantedFile;
}

export interface ProvenConnection {
  readonly secret: AccountSecret;
  readonly keyFingerprint: string;
}

export interface BadCredentials {
  readonly kind: 'bad-credentials';
  readonly step:
    | 'key'
    | 'key-locked'
    | 'token'
    | 'base-url'
    | 'retail-host'
    | 'clock'
    | 'access'
    | 'unreachable'
    | 'secrets';
  readonly detail: string;
}

const SECRET_FILE_MAX_BYTES = 64 * 1024;
/** Printable ASCII without blanks: anything else cannot stand in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

export async function proveConnection(
  draft: ConnectionDraft,
  deps: { readonly clock: Clock; readonly fetch?: typeof fetch },
): Promise<Result<ProvenConnection, BadCredentials>> {
  const advertiserId = remoteId(draft.advertiserId);
  if (advertiserId === null) return bad('access', 'The advertiser id must be a number above 0.');
  const addressProblem = baseUrlProblem(draft.baseUrl);
  if (addressProblem !== null) return bad('base-url', ADDRESS_PROBLEMS[addressProblem]);
  const retailProblem = retailHostProblem(draft.retailHost);
  if (retailProblem !== null) return bad('retail-host', retailProblem);
  const secret = await readSecretFiles(draft.keyFile, draft.tokenFile, draft.keyPassphrase);
  if (!secret.ok) return secret;
  const access = await tryAccess(draft, advertiserId, secret.value.secret, deps);
  return access === null ? secret : err(access);
}

/** Reads key and token from the user's files, by path or as they were handed over; the key is proven by a signature. */
export async function readSecretFiles(
  keyFile: string | GrantedFile,
  tokenFile: string | GrantedFile,
  passphrase: string | null,
): Promise<Result<ProvenConnection, BadCredentials>> {
  const keyText = await readSecretText(keyFile);
  if (keyText === null) return bad('key', 'The key file cannot be read. Choose it again.');
  const key = importKey(keyText, passphrase);
  if (!key.ok) {
    const locked = key.error.kind === 'needs-passphrase' || key.error.kind === 'wrong-passphrase';
    return bad(locked ? 'key-locked' : 'key', keyProblemText(key.error));
  }
  const token = (await readSecretText(tokenFile))?.trim() ?? null;
  if (token === null) return bad('token', 'The token file cannot be read. Choose it again.');
  if (!TOKEN.test(token)) {
    return bad('token', 'The token file must hold the access token alone, on one line without blanks.');
  }
  return ok({
    secret: { token, privateKeyPem: key.value.privateKeyPem },
    keyFingerprint: key.value.fingerprint,
  });
}

async function readSecretText(file: string | GrantedFile): Promise<string | null> {
  try {
    const bytes = typeof file === 'string' ? await readFile(file) : (file.held ?? (await readFile(file.path)));
    return bytes.length > SECRET_FILE_MAX_BYTES ? null : bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    // Missing, moved or not permitted: one answer for the user, who can only choose it again.
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

async function tryAccess(
  draft: ConnectionDraft,
  advertiserId: RemoteId,
  secret: AccountSecret,
  deps: { readonly clock: Clock; readonly fetch?: typeof fetch },
): Promise<BadCredentials | null> {
  const api = createPartnerApi(
    {
      baseUrl: draft.baseUrl,
      advertiserId,
      consumerId: draft.consumerId,
      keyVersion: draft.keyVersion,
      headerPrefix: draft.headerPrefix,
      timestampUnit: 'ms',
    },
    { secrets: async () => secret, clock: deps.clock, ...(deps.fetch === undefined ? {} : { fetch: deps.fetch }) },
  );
  try {
    const read = await api.media(null);
    return read.ok ? null : accessProblem(read.error);
  } finally {
    api.close();
  }
}

function accessProblem(failure: ReadFailure): BadCredentials | null {
  const problem = (step: BadCredentials['step'], detail: string): BadCredentials => ({
    kind: 'bad-credentials',
    step,
    detail,
  });
  switch (failure.kind) {
    case 'unreachable':
      return problem('unreachable', failure.cause);
    case 'credentials':
      return problem(/clock|time/i.test(failure.message) ? 'clock' : 'access', failure.message);
    case 'refused':
      return failure.status === 403 ? problem('access', failure.message) : null;
    case 'later':
      // Busy is an answer to an authenticated caller.
      return null;
    case 'service':
      return problem('base-url', `It answered ${failure.status}: ${failure.message}`);
    case 'security':
      return problem('base-url', failure.message);
  }
}

const ADDRESS_PROBLEMS = {
  'not-an-address': 'The base address is not a web address, such as https://api.example.com/partner.',
  'not-https': 'The base address must begin with https://, because requests carry your token.',
  'has-credentials': 'The base address must not hold a user name or password.',
  'has-query': 'The base address must not hold a "?" or "#" part.',
} as const;

/** The retail host is where click addresses lead: https, a name, and nothing behind it. */
function retailHostProblem(text: string): string | null {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return 'The retail host is not a host name, such as https://www.example.com.';
  const url = new URL(address);
  if (url.protocol !== 'https:') return 'The retail host must be reached by https.';
  if (url.port !== '' || url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    return 'The retail host is a host name alone, such as https://www.example.com.';
  }
  return null;
}

const bad = (step: BadCredentials['step'], detail: string): { ok: false; error: BadCredentials } =>
  err({ kind: 'bad-credentials', step, detail });
