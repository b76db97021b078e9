import type { UploadForm } from './multipart.ts';

/**
 * A test mode for clients: ids on the wire lie beyond 2^53, where a float holds every second integer only, while the
 * store keeps its small ones. A client that reads ids as floats then names things that do not exist.
 */
const OFFSET = 9_007_199_254_000_000n;
const idMember = /("\w*Ids?":\s*)(\[[\d,\s]*\]|\d+)/g;
const shownId = /("id":\s*)(\d+)/g;
const idName = /^(?:id|\w*Ids?)$/i;

/** The caller knows its advertiser id from elsewhere; item and snapshot ids are text and do not match. */
const notOurs = '"advertiserId"';

/** JSON text as it leaves: every id but 0 and the advertiser's is moved up. */
export function raiseIds(json: string): string {
  const raise = (whole: string, head: string, digits: string) =>
    head.startsWith(notOurs) ? whole : head + digits.replaceAll(/[1-9]\d*/g, (id) => String(BigInt(id) + OFFSET));
  return json.replaceAll(idMember, raise).replaceAll(shownId, raise);
}

/** No call of the API nests deeper; a hostile body may, until the stack ends. */
const DEPTH_MAX = 8;

/** A parsed body as it arrives: ids moved down again, wherever they stand. */
export function lowerIds(value: unknown, name = '', depth = 0): unknown {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => lowerIds(element, name, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, lowerIds(entry, key, depth + 1)]));
  }
  return idName.test(name) ? lowerId(value) : value;
}

export function lowerQuery(query: URLSearchParams): URLSearchParams {
  const entries = [...query].map(([name, value]): [string, string] => [
    name,
    idName.test(name) ? String(lowerId(value)) : value,
  ]);
  return new URLSearchParams(entries);
}

/** The JSON part of a form, still as text: its long numbers are ids. */
export function lowerForm(form: UploadForm): UploadForm {
  const texts = [...form.texts].map(([name, text]): [string, string] => [
    name,
    text.replaceAll(/\d{16,20}/g, (digits) => String(lowerId(digits))),
  ]);
  return { ...form, texts: new Map(texts) };
}

/** An id that was not moved up stays what it is, and so is found: only a damaged one is lost. */
function lowerId(value: unknown): unknown {
  const digits = typeof value === 'number' ? String(value) : value;
  if (typeof digits !== 'string' || !/^\d{16,20}$/.test(digits)) return value;
  const id = BigInt(digits) - OFFSET;
  return id > 0n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : value;
}
