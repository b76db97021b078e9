import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { refuse, sendJson } from './respond.ts';
import type { Sessions } from './sessions.ts';

const CODE_BODY_MAX = 1024;
const CodeBody = z.strictObject({ code: z.string().max(200) });

/** `POST /session {code}`: exchanges a one-time code for the cookie and the page's token. */
export async function signIn(request: IncomingMessage, response: ServerResponse, port: number, sessions: Sessions) {
  if (request.headers['content-type'] !== 'application/json') return refuse(response, 415, 'content type');
  const text = await readText(request, CODE_BODY_MAX);
  if (text === null) return refuse(response, 413, 'too large');
  const body = CodeBody.safeParse(jsonOrNull(text));
  if (!body.success) return refuse(response, 400, 'body');
  const made = sessions.redeem(body.data.code);
  if (made === null) return refuse(response, sessions.isLocked() ? 429 : 403, 'code');
  // Cookies know no ports, so the name carries ours and other servers of this machine do not overwrite it.
  const cookie = `${cookieName(port)}=${made.cookie}; HttpOnly; SameSite=Strict; Path=/`;
  return sendJson(response, 200, { token: made.token }, { 'set-cookie': cookie });
}

export const cookieName = (port: number): string => `adslate-${port}`;

/** The session cookie of a request, if it has exactly one. */
export function cookieOf(request: IncomingMessage, port: number): string | undefined {
  const name = `${cookieName(port)}=`;
  const found = (request.headers.cookie ?? '').split(/; */).filter((part) => part.startsWith(name));
  return found.length === 1 ? found[0]?.slice(name.length) : undefined;
}

async function readText(request: IncomingMessage, limitBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > limitBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
