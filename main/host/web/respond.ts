import type { ServerResponse } from 'node:http';
import { commonHeaders } from './headers.ts';

/** Answers with a small JSON object and ends the response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...commonHeaders, 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Refuses a request. The connection is closed, because an unread body would otherwise be taken for a next request. */
export function refuse(response: ServerResponse, status: number, reason: string): void {
  sendJson(response, status, { error: reason }, { connection: 'close' });
}
