import type { RefusedConnection } from '../../shared/explain/refused-connection.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connection } from '../api/connection.ts';
import { errorText } from '../api/error-text.ts';
import type { Http, HttpRequest } from '../api/http.ts';
import { parseJson } from '../api/json.ts';
import { isNotAuthenticated } from '../api/known-refusals.ts';

/**
 * Finds out how a deployment wants its requests. The document leaves open the unit of the timestamp, the first part of
 * the header names, the key version and the signature ("Authentication"), and the base address may end in a path. What
 * the user entered is tried first, then the few other forms:
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

export interface FoundConnection {
  readonly form: WireForm;
  /** How far the service's clock is ahead of ours, in seconds; null when it does not say. */
  readonly clockAheadSeconds: number | null;
}

/** One read with a connection; the caller makes a client for it. */
export type TryConnection = (connection: Connection) => Http;

export async function findConnection(
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

  const first = await attempt({});
  let [base, seen] = [entered.baseUrl, first];
  for (const baseUrl of otherBases(entered.baseUrl)) {
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

/** What one read came to. */
interface Attempt {
  readonly is: 'accepted' | 'not-authenticated' | 'no-access' | 'not-the-service' | 'busy' | 'failing' | 'no-response';
  readonly status: number | null;
  /** The service's own words, or the cause of a broken connection. */
  readonly words: string;
  readonly skewSeconds: number | null;
}

/** Documented, needs no id but the advertiser's, and changes nothing. */
const CALL = { method: 'GET', path: '/api/v1/media' } as const;

async function look(http: Http): Promise<Attempt> {
  const { advertiserId } = http.connection;
  const seen = await observe(http, { ...CALL, query: { advertiserId } });
  if (seen.is !== 'not-the-service' || seen.status !== 404) return seen;
  // An advertiser without media may be answered by 404. Another documented read tells that from a wrong address.
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
  const words = isJson ? errorText(body) : '';
  const skewSeconds = seen.skewMs === null ? null : Math.round(seen.skewMs / 1000);
  const is = ((): Attempt['is'] => {
    if (status === 401 || (status === 403 && isNotAuthenticated(body ?? ''))) return 'not-authenticated';
    if (status === 403) return 'no-access';
    if (status === 429) return 'busy';
    if (status >= 500) return 'failing';
    // Every other complaint in JSON is one to a caller whose credentials were checked before.
    return isJson && (status < 300 || status >= 400) && status !== 404 && status !== 405
      ? 'accepted'
      : 'not-the-service';
  })();
  return { is, status, words: status < 300 ? '' : words, skewSeconds };
}

/** Addresses that people copy in place of the base: the address of a call, or one with the version in it. */
function otherBases(entered: string): readonly string[] {
  const base = entered.replace(/\/+$/, '');
  const above = base.replace(/\/(api|v\d+)(\/.*)?$/, '');
  const host = new URL(base).origin;
  return [...new Set([above, host])].filter((other) => other !== base && URL.canParse(other));
}

/** Other forms of the same request: one difference first, the most usual ones ahead; then every two of them. */
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
