import { Agent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { memo } from '../../shared/memo.ts';
import { noteConnectFailure } from './connect-failure.ts';

/** The system's proxies for a URL, in Chromium's notation: `PROXY host:port; DIRECT`. */
export type ResolveProxy = (url: string) => Promise<string>;

export interface ProxiedFetchDeps {
  readonly resolveProxy: ResolveProxy;
  /** For addresses without a proxy. */
  readonly direct: typeof fetch;
  /** Certificates trusted in addition to those of the runtime, as PEM. */
  readonly ca?: string;
}

/** Nothing was sent: the system lists only unsupported types of proxies (`http.ts`). */
export const NO_PROXY_FOUND = 'ERR_ADSLATE_UNKNOWN_PROXY';

/**
 * A `fetch` for the signed client that uses the system's proxy. The proxy opens a tunnel (CONNECT) and gets only host
 * and port; TLS is between client and service, whose certificate is verified as without a proxy, and no redirect is
 * followed.
 *
 *   loopback, http ------------------------------> direct
 *   https --resolve--> DIRECT -------------------> direct
 *                  \-> PROXY or HTTPS host:port -> tunnel, with TLS to the service inside
 *                  \-> SOCKS and others ---------> fails before anything is sent
 */
export function createProxiedFetch({ resolveProxy, direct, ca }: ProxiedFetchDeps): typeof fetch {
  const agentOf = memo(
    (proxy: string) => new Agent({ proxyEnv: { HTTPS_PROXY: proxy }, ...(ca === undefined ? {} : { ca }) }),
  );
  return async (input, init) => {
    const request = new Request(input, init);
    // Only loopback uses http, without a proxy.
    if (new URL(request.url).protocol !== 'https:') return direct(request);
    const way = proxyFor(await resolveProxy(request.url));
    return way === 'direct' ? direct(request) : tunnelled(request, agentOf(way));
  };
}

const SCHEMES: Readonly<Record<string, string>> = { PROXY: 'http', HTTPS: 'https' };

/** The first supported entry of the system's list: the address of a proxy, or `direct`. */
export function proxyFor(list: string): string {
  const ways = list.split(';').map((way) => way.trim().split(/\s+/));
  for (const [kind = '', host] of ways) {
    if (kind.toUpperCase() === 'DIRECT') return 'direct';
    const scheme = SCHEMES[kind.toUpperCase()];
    if (scheme !== undefined && host !== undefined) return `${scheme}://${host}`;
  }
  throw Object.assign(new Error('no proxy of the system can be used'), { code: NO_PROXY_FOUND });
}

/**
 * Sends a request with Node's https client, since `fetch` has no proxy option; it follows no redirect and verifies
 * certificates.
 */
async function tunnelled(request: Request, agent: Agent): Promise<Response> {
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const { signal } = request;
  const sent = httpsRequest(request.url, {
    method: request.method,
    agent,
    signal,
    headers: { ...Object.fromEntries(request.headers), ...(body === null ? {} : { 'content-length': body.length }) },
  });
  let isReady = false;
  sent.on('socket', (socket) => {
    isReady = !('secureConnecting' in socket && socket.secureConnecting === true);
    socket.once('secureConnect', () => {
      isReady = true;
    });
  });
  sent.on('error', (error) => {
    if (!isReady) noteConnectFailure(error);
    reject(new TypeError('fetch failed', { cause: error }));
  });
  sent.on('response', (answer) => {
    const status = answer.statusCode ?? 0;
    // `Response` accepts no other status, and its error would end the program.
    if (status < 200 || status > 599) {
      sent.destroy(Object.assign(new Error('an unknown status'), { code: `ERR_HTTP_STATUS_${status}` }));
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    // Node and the web have different types for the same streams.
    const stream = Readable.toWeb(answer) as NonNullable<ConstructorParameters<typeof Response>[0]>;
    resolve(new Response(EMPTY.has(status) ? null : stream, { status, headers }));
  });
  sent.end(body ?? undefined);
  return promise;
}

/** Statuses of responses without a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);
