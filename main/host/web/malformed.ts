import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../log.ts';

/** What Node's reader of HTTP calls the failures that have a status of their own; all others are 400. */
const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers a stream that no request came out of, and closes it. */
export function refuseStream(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * What cannot be read as a request never reaches the routes. It is refused as Node would refuse it, and has its line in
 * the log like every other refusal. A stream that an answer is under way on is cut off: words in the midst of it would be
 * taken for the answer.
 */
export function refuseMalformed(server: Server, log: Log): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const status = STATUS[error.code ?? ''] ?? 400;
    // Browsers open a connection ahead and may never use it: nobody asked for anything.
    const isUnused = 'bytesRead' in stream && stream.bytesRead === 0;
    if (!stream.writable || isUnused || error.code === 'ECONNRESET') return void stream.destroy();
    log('request refused', { status, reason: error.code ?? 'malformed' });
    if ('bytesWritten' in stream && stream.bytesWritten === 0) refuseStream(stream, status);
    else stream.destroy();
  });
  // It is no proxy. Node would hang up without a word.
  server.on('connect', (_request, stream) => {
    log('request refused', { status: 405, reason: 'method' });
    refuseStream(stream, 405);
  });
}
