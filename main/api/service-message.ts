import { isJsonList, type JsonValue, parseJson } from './lossless-json.ts';
import { recordFieldsOf, textOf } from './parse-record.ts';

const RAW_MAX = 500;

/**
 * The message of an error response in any of its shapes (wire shapes, section 2, "error body"): `error` as text,
 * `error[0].description`, `message`, `details`, `errors[0].message`, `title` and `detail`, else the raw text,
 * truncated.
 */
export function serviceMessage(body: string): string {
  const parsed = parseJson(body);
  const found = parsed.ok ? messageIn(parsed.value) : null;
  return (found ?? body).trim().slice(0, RAW_MAX);
}

/** The message in a parsed body, or null if it has none of the known shapes. */
export function messageIn(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  const members = recordFieldsOf(value);
  if (members === null) return null;
  const error = members.get('error');
  const candidates = [
    textOf(error),
    memberOfFirst(error, 'description'),
    textOf(recordFieldsOf(error)?.get('message', 'description')),
    textOf(members.get('message')),
    textOf(members.get('details')),
    memberOfFirst(members.get('errors'), 'message'),
    titleAndDetail(textOf(members.get('title')), textOf(members.get('detail'))),
  ];
  return candidates.find((text) => text !== null && text.trim() !== '') ?? null;
}

/**
 * The form in which messages are compared (wire shapes, section 6): without differences in case, spaces and a final
 * period.
 */
export const normalizeMessage = (text: string): string =>
  text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '');

function memberOfFirst(list: JsonValue | undefined, name: string): string | null {
  return isJsonList(list) ? textOf(recordFieldsOf(list[0])?.get(name)) : null;
}

function titleAndDetail(title: string | null, detail: string | null): string | null {
  if (title === null) return detail;
  return detail === null ? title : `${title}: ${detail}`;
}

/**
 * Messages with status 200 and without results that prove that nothing was written (document, "SBA logo upload" and
 * "Multipliers: create and update"). Any other response with status 200 and without results proves nothing: `Exception
 * in creating SBA Profile` may follow the write.
 */
const EXACT: ReadonlySet<string> = new Set(
  [
    'Invalid Upload Request',
    'Missing FILE',
    'Unable to upload the image',
    'You cannot define bid multipliers for this campaign',
    'Invalid Placement Type found',
    'Invalid Platform Type found',
  ].map(normalizeMessage),
);

const BEGINNINGS = [
  'Missing form param',
  'The placement bid% cannot be less than 0 for',
  'The placement bid% out of range for',
  'The platform bid% cannot be less than 0 for',
  'The platform bid% out of range for',
].map(normalizeMessage);

export function isKnownError(message: string): boolean {
  const folded = normalizeMessage(message);
  return EXACT.has(folded) || BEGINNINGS.some((beginning) => folded.startsWith(beginning));
}

/**
 * Refusals of a list that mean an empty list (document, "SBA update (V2)" and "Multipliers: list"). The document has no
 * text for an ad group without a review; that call reads only reviews, so "review not found" means none.
 */
const NONE: ReadonlySet<string> = new Set(
  [
    'No bid multipliers for this campaign type',
    'AdGroup Media not found for AdGroup',
    'SBA Profile details not found for AdGroup',
  ].map(normalizeMessage),
);

export function saysNone(message: string): boolean {
  const folded = normalizeMessage(message);
  return NONE.has(folded) || /^(no reviews?\b|reviews?( details)? not found\b)/.test(folded);
}

/** Whether the response asks for the other spelling of the logo's form field. */
export const isMissingFormParam = (message: string): boolean =>
  normalizeMessage(message).startsWith('missing form param');

/** The text with status 403 for an unknown caller (document, "Authentication"). */
export const isNotAuthenticated = (message: string): boolean =>
  normalizeMessage(message).includes(normalizeMessage('User not Authenticated'));
