import type { RemoteId } from '../../shared/model/scalars.ts';
import { endOfString, unescaped } from './lossless-json.ts';

/** A response of the service as it came, with its secrets redacted. */
export interface ResponseRecord {
  /** Milliseconds since 1970 by our clock. */
  readonly at: number;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Null when the response was longer than is read, or ended early. */
  readonly body: string | null;
  readonly correlationId: string;
  /** The campaign the request named in its query. */
  readonly campaignId: RemoteId | null;
}

/** @param secrets texts that went out with the request, in its headers */
export const toResponseRecord = (response: ResponseRecord, secrets: readonly string[]): ResponseRecord => ({
  ...response,
  body: response.body === null ? null : redactSecrets(response.body, secrets),
});

/**
 * The text of an answer without what must not be kept: what this request was signed with, members whose name says
 * that they hold a secret, and addresses that work for everybody who has them.
 *
 *   {"uploadUrl":"https://files.example/a/b?sig=x"}    ->  {"uploadUrl":"https://files.example/[removed]"}
 *   {"logoUrl":"https://img.example/l.png?sig=x"}      ->  {"logoUrl":"https://img.example/l.png?[removed]"}
 *   {"clickUrl":"https://shop.example/browse?q=a"}     ->  as it is: everybody who sees the ad has it
 *
 * Everything else stays letter by letter, also in an answer that is no JSON.
 */
export const REDACTED = '[removed]';

/** @param secrets texts that went out with the request */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const unkeyed = redactOwn(text, secrets).replace(PEM, REDACTED);
  if (!WORTH_A_LOOK.test(unkeyed)) return unkeyed;
  const isJson = /^\s*[[{]/u.test(unkeyed);
  return isJson ? membersWithout(unkeyed) : plainAddresses(unkeyed);
}

/**
 * The same for an answer that is read on, whose addresses are needed: only what the request was signed with is taken out.
 *
 * @param secrets short ones would be found everywhere and are passed over
 */
export function redactOwn(text: string, secrets: readonly string[]): string {
  const own = secrets.filter((secret) => secret.length >= SECRET_MIN).flatMap(formsOf);
  return own.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
}

/** Lists of items and keywords have neither an address nor such a name; going through all their texts would cost ten times as much. */
const WORTH_A_LOOK =
  /:(?:\\?\/|\\u002f){2}|secret|password|passphrase|authorization|signature|(?:private|api|access)[-_]?key|token"/iu;

const SECRET_MIN = 8;
/** As it is, as JSON may write it, and within an address. */
function formsOf(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, escaped, escaped.replaceAll('/', String.raw`\/`), encodeURIComponent(secret)])];
}
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu;

const SECRET_NAME =
  /secret|password|passphrase|authorization|signature|(?:private|api|access)[-_]?key|^(?:access|refresh|id|bearer|session|auth)?[-_]?token$/iu;
/** Members of the document and its answers that hold an address made for one caller (wire shapes, section 4). */
const BEARER_NAME = /^(?:uploadUrl|captionUrl|downloadUrl|url|details)$/iu;
const PUBLIC_NAME = /^clickUrl$/iu;

/**
 * Goes through the texts of JSON from quote to quote, names and values alike. Written out because an answer may be
 * broken or hostile, and an expression that looks for the end of a text would begin again at every quote.
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
/** How far behind a name its colon is looked for, in characters. */
const COLON_WITHIN = 16;

/** @param inner a value as it stands between its quotes */
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
