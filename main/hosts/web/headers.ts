import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../app/log.ts';

/**
 * Content security policy of the page, in both hosts: nothing is loaded from elsewhere, no script or style sheet is
 * inline, no text becomes markup, and the only connection is to the host.
 *
 * @param connect sources for `connect-src`
 */
export const pagePolicy = (connect: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Response headers of the window's files on loopback. */
export const pageHeaders = (port: number): Readonly<Record<string, string>> => ({
  'content-security-policy': pagePolicy(`'self' ws://127.0.0.1:${port} ws://localhost:${port}`),
  ...commonHeaders,
});

/** Browser features that our page never uses: all but the clipboard, and full screen for videos. */
const UNUSED = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'captured-surface-control',
  'compute-pressure',
  'digital-credentials-create',
  'digital-credentials-get',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'language-detector',
  'language-model',
  'local-fonts',
  'local-network-access',
  'magnetometer',
  'microphone',
  'midi',
  'on-device-speech-recognition',
  'otp-credentials',
  'payment',
  'private-state-token-issuance',
  'private-state-token-redemption',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'speaker-selection',
  'storage-access',
  'summarizer',
  'sync-xhr',
  'translator',
  'usb',
  'window-management',
  'xr-spatial-tracking',
] as const;

export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', '),
  'cache-control': 'no-store',
};

/** Responds with a small JSON object and ends the response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...commonHeaders, 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Refuses a request. The connection is closed, because an unread body would be parsed as the next request. */
export function refuse(response: ServerResponse, status: number, reason: string): void {
  sendJson(response, status, { error: reason }, { connection: 'close' });
}

/** Error codes of Node's HTTP parser with their own status; all others are 400. */
const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Responds to a stream without a valid request, and closes it. */
export function rejectSocket(stream: Duplex, status: number): void {
  // Node no longer listens to these streams: an unheard error, such as a reset, would end the program.
  stream.on('error', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * Refuses what can't be parsed as a request, as Node would, and logs it like every refusal. A connection with a
 * response in progress is cut off: text would be taken for a part of that response.
 */
export function rejectMalformedRequest(server: Server, log: Log): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const status = STATUS[error.code ?? ''] ?? 400;
    // Browsers open connections ahead and may never use them: there was no request.
    const isUnused = 'bytesRead' in stream && stream.bytesRead === 0;
    if (!stream.writable || isUnused || error.code === 'ECONNRESET') return void stream.destroy();
    log('request refused', { status, reason: error.code ?? 'malformed' });
    if ('bytesWritten' in stream && stream.bytesWritten === 0) rejectSocket(stream, status);
    else stream.destroy();
  });
  // This server is no proxy. By default, Node would close the connection without a response.
  server.on('connect', (_request, stream) => {
    log('request refused', { status: 405, reason: 'method' });
    rejectSocket(stream, 405);
  });
}
