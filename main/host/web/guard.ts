import type { IncomingMessage } from 'node:http';

/**
 * Who may speak to the loopback host. A page of another origin, a name that was rebound to this machine and a
 * proxy all fail here, before anything is routed. Forwarded headers are never read.
 */
export interface Refused {
  readonly status: 400 | 403 | 405 | 411 | 413 | 415 | 421 | 431;
  readonly reason: string;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT']);
const SITES = new Set(['same-origin', 'none']);

/** The exact values of `Host` that mean this server. */
export const allowedHosts = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`];
export const allowedOrigins = (port: number): readonly string[] => allowedHosts(port).map((host) => `http://${host}`);

/** @returns null when the request may go on */
export function checkRequest(request: IncomingMessage, port: number): Refused | null {
  const { method = '', headers, url = '' } = request;
  if (countOf(request, 'host') !== 1 || !allowedHosts(port).includes(headers.host ?? '')) {
    return { status: 421, reason: 'host' };
  }
  if (!METHODS.has(method)) return { status: 405, reason: 'method' };
  if (!url.startsWith('/') || url.startsWith('//')) return { status: 400, reason: 'request form' };
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !SITES.has(String(site)) && !isArrival(request)) {
    return { status: 403, reason: 'cross-site' };
  }
  const origin = headers.origin;
  const changes = method === 'POST' || method === 'PUT';
  if (origin === undefined ? changes : !allowedOrigins(port).includes(origin)) return { status: 403, reason: 'origin' };
  return null;
}

/**
 * A browser that comes to the page from somewhere else, such as the start file. The page is the same for everybody and
 * holds no data; whatever it asks for next comes from its own origin.
 */
function isArrival({ method, url, headers }: IncomingMessage): boolean {
  const isDocument = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && url === '/' && isDocument;
}

/** An upgrade always needs an exact Origin: a missing one passes in other servers and is no proof of anything. */
export function checkUpgrade(request: IncomingMessage, port: number): Refused | null {
  const refused = checkRequest(request, port);
  if (refused !== null) return refused;
  if (request.headers.origin === undefined) return { status: 403, reason: 'origin' };
  return request.url === '/rpc' ? null : { status: 400, reason: 'path' };
}

function countOf(request: IncomingMessage, name: string): number {
  return request.rawHeaders.filter((word, at) => at % 2 === 0 && word.toLowerCase() === name).length;
}
