import type { RemoteId } from '../../shared/model/scalars.ts';
import { endOfString, unescaped } from './lossless-json.ts';

/** A service response as received, with secrets redacted. */
export interface ResponseRecord {
  /** Milliseconds since 1970 by our clock. */
  readonly at: number;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Null if the response was longer than the limit, or ended early. */
  readonly body: string | null;
  readonly correlationId: string;
  /** The campaign in the query of the request. */
  readonly campaignId: RemoteId | null;
}

/** @param secrets texts that were sent in the headers of the request */
export const toResponseRecord = (response: ResponseRecord, secrets: readonly string[]): ResponseRecord => ({
  ...response,
  body: response.body === null ? null : redactSecrets(response.body, secrets),
});

/**
 * Replaces secrets in the text of a response: the request's token and signature, fields with names of secrets, and URLs
 * that work for everyone who has them.
 *
 *   {"uploadUrl":"https://files.example/a/b?sig=x"}    ->  {"uploadUrl":"https://files.example/[removed]"}
 *   {"logoUrl":"https://img.example/l.png?sig=x"}      ->  {"logoUrl":"https://img.example/l.png?[removed]"}
 *   {"clickUrl":"https://shop.example/browse?q=a"}     ->  unchanged: it is public in the ad
 *
 * All other text is unchanged, even in a response that is not JSON.
 */
export const REDACTED = '[removed]';

/** @param secrets texts that were sent with the request */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const unkeyed = redactOwn(text, secrets).replace(PEM, REDACTED);
  if (!WORTH_A_LOOK.test(unkeyed)) return unkeyed;
  const isJson = /^\s*[[{]/u.test(unkeyed);
  return isJson ? membersWithout(unkeyed) : plainAddresses(unkeyed);
}

/**
 * Replaces only the request's token and signature, for a response whose URLs are used.
 *
 * @param secrets short ones are skipped, since they would match everywhere
 */
export function redactOwn(text: string, secrets: readonly string[]): string {
  const own = secrets.filter((secret) => secret.length >= SECRET_MIN).flatMap(formsOf);
  return own.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
}

/**
 * Lists of items and keywords have neither URLs nor such names; scanning all their texts would cost ten times as much.
 */
const WORTH_A_LOOK =
  /:(?:\\?\/|\\u002f){2}|secret|password|passphrase|authorization|signature|(?:private|api|access)[-_]?key|token"/iu;

const SECRET_MIN = 8;
/** The raw, JSON-escaped and URL-encoded forms. */
function formsOf(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, escaped, escaped.replaceAll('/', String.raw`\/`), encodeURIComponent(secret)])];
}
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu;

const SECRET_NAME =
  /secret|password|passphrase|authorization|signature|(?:private|api|access)[-_]?key|^(?:access|refresh|id|bearer|session|auth)?[-_]?token$/iu;
/** Fields with a URL made for one caller (wire shapes, section 4). */
const BEARER_NAME = /^(?:uploadUrl|captionUrl|downloadUrl|url|details)$/iu;
const PUBLIC_NAME = /^clickUrl$/iu;

/**
 * Scans the strings of JSON, keys and values, from quote to quote. Not a regular expression: a response may be broken
 * or hostile, and an expression that searches the end of a string would restart at every quote.
 */
function membersWithout(text: string): string {
  const parts: string[] = [];
  let name = '';
  let done = 0;
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', done)) {
    const close = endOfString(text, open + 1);
    const inner = text.slice(open + 1, close);
    const isName = COLON.test(text.slice(close + 1, close + 1 + COLON_WITHIN));
    if (isName) name = inner;
    parts.push(text.slice(done, open + 1), isName ? inner : valueWithout(name, inner));
    done = Math.min(close + 1, text.length);
    parts.push(text.slice(close, done));
  }
  return parts.join('') + text.slice(done);
}

const COLON = /^\s*:/u;
/** Maximum distance between a key and its colon, in characters. */
const COLON_WITHIN = 16;

/** @param inner a value as written between its quotes */
function valueWithout(name: string, inner: string): string {
  if (SECRET_NAME.test(name)) return inner === '' ? inner : REDACTED;
  if (PUBLIC_NAME.test(name) || !inner.includes(':')) return inner;
  const said = unescaped(inner);
  const kept = BEARER_NAME.test(name) && WHOLE_ADDRESS.test(said) ? originOf(said) : plainAddresses(said);
  return kept === said ? inner : JSON.stringify(kept).slice(1, -1);
}

const WHOLE_ADDRESS = /^\s*https?:\/\/\S+\s*$/iu;
/** Scheme, credentials, host and path, query or fragment. */
const ADDRESS = /(https?:\/\/)([^\s"'<>/?#]*@)?([^\s"'<>?#]*)([?#][^\s"'<>]*)?/giu;

const plainAddresses = (text: string): string =>
  text.replace(
    ADDRESS,
    (_whole, scheme: string, _user: string | undefined, place: string, query: string | undefined) =>
      `${scheme}${place}${query === undefined ? '' : `?${REDACTED}`}`,
  );

function originOf(address: string): string {
  const text = address.trim();
  return URL.canParse(text) ? `${new URL(text).origin}/${REDACTED}` : REDACTED;
}
