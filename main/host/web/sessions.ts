import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import type { Clock } from '../../clock.ts';
import { refuse, sendJson } from './headers.ts';

/**
 * Signing in. A one-time code is exchanged for two secrets that only work together: a cookie,
 * which every server of this machine gets to see because cookies know no ports, and a page token, which stays in
 * the tab. Only hashes are compared, in constant time.
 *
 *   start --code--> page --POST /session--> cookie + token
 *   ten wrong secrets within a minute --> locked until a new code is made (pages that are in stay in)
 */
export interface Sessions {
  /** A new code that works once, for so many milliseconds; also ends a lock. */
  newCode(validMs: number): string;
  /** @returns the two secrets, or null for a wrong, used or old code */
  redeem(code: string): { readonly cookie: string; readonly token: string } | null;
  /** True when cookie and token belong to the same session that has not ended. */
  accepts(cookie: string | undefined, token: string | undefined): boolean;
  acceptsCookie(cookie: string | undefined): boolean;
  /** Notes that a page that has signed in is still there, so that its session does not end under it. */
  touch(cookie: string | undefined): void;
  isLocked(): boolean;
  endAll(): void;
}

const FAILURES_MAX = 10;
const FAILURES_MS = 60_000;
const IDLE_MS = 12 * 3_600_000;

interface Session {
  readonly cookieHash: Buffer;
  readonly tokenHash: Buffer;
  usedAt: number;
}

/** @param onLock called when signing in has just been locked */
export function createSessions(clock: Clock, onLock: () => void): Sessions {
  let codes: { hash: Buffer; until: number }[] = [];
  let sessions: Session[] = [];
  let failures: number[] = [];
  let locked = false;

  const now = () => clock.monotonicMs();
  const fail = (): void => {
    failures = [...failures.filter((at) => at > now() - FAILURES_MS), now()];
    if (locked || failures.length < FAILURES_MAX) return;
    locked = true;
    onLock();
  };
  const living = (): Session[] => {
    sessions = sessions.filter((session) => session.usedAt > now() - IDLE_MS);
    return sessions;
  };
  return {
    newCode: (validMs) => {
      const code = secret();
      codes = [...codes.filter(({ until }) => until > now()), { hash: hashOf(code), until: now() + validMs }];
      locked = false;
      failures = [];
      return code;
    },
    redeem: (code) => {
      if (locked) return null;
      const hash = hashOf(code);
      const found = codes.find((entry) => entry.until > now() && timingSafeEqual(entry.hash, hash));
      if (found === undefined) {
        fail();
        return null;
      }
      codes = codes.filter((entry) => entry !== found);
      const made = { cookie: secret(), token: secret() };
      sessions.push({ cookieHash: hashOf(made.cookie), tokenHash: hashOf(made.token), usedAt: now() });
      return made;
    },
    accepts: (cookie, token) => {
      if (cookie === undefined || token === undefined) return false;
      const [cookieHash, tokenHash] = [hashOf(cookie), hashOf(token)];
      const session = living().find((entry) => timingSafeEqual(entry.tokenHash, tokenHash));
      if (session === undefined || !timingSafeEqual(session.cookieHash, cookieHash)) {
        fail();
        return false;
      }
      session.usedAt = now();
      return true;
    },
    acceptsCookie: (cookie) => {
      if (cookie === undefined) return false;
      const hash = hashOf(cookie);
      return living().some((entry) => timingSafeEqual(entry.cookieHash, hash));
    },
    touch: (cookie) => {
      if (cookie === undefined) return;
      const hash = hashOf(cookie);
      const session = living().find((entry) => timingSafeEqual(entry.cookieHash, hash));
      if (session !== undefined) session.usedAt = now();
    },
    isLocked: () => locked,
    endAll: () => {
      sessions = [];
      codes = [];
    },
  };
}

const secret = (): string => randomBytes(32).toString('hex');
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const CODE_BODY_MAX = 1024;
const CodeBody = z.strictObject({ code: z.string().max(200) });

/** `POST /session {code}`: exchanges a one-time code for the cookie and the page's token. */
export async function handleLogin(request: IncomingMessage, response: ServerResponse, port: number, sessions: Sessions) {
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

const cookieName = (port: number): string => `adslate-${port}`;

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
