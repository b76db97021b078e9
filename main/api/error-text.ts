import { isJsonList, type JsonValue, parseJson } from './json.ts';
import { membersOf, textOf } from './reading.ts';

const RAW_MAX = 500;

/**
 * The service's own words in an error answer, whichever shape it has (wire shapes, section 2, "error body"):
 * `error` as text, `error[0].description`, `message`, `details`, `errors[0].message`, `title` and `detail`, else
 * the raw text, cut.
 */
export function errorText(body: string): string {
  const parsed = parseJson(body);
  const found = parsed.ok ? textIn(parsed.value) : null;
  return (found ?? body).trim().slice(0, RAW_MAX);
}

/** The words in an already parsed body, or null when it holds none of the known shapes. */
export function textIn(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  const members = membersOf(value);
  if (members === null) return null;
  const error = members.get('error');
  const candidates = [
    textOf(error),
    memberOfFirst(error, 'description'),
    textOf(membersOf(error)?.get('message', 'description')),
    textOf(members.get('message')),
    textOf(members.get('details')),
    memberOfFirst(members.get('errors'), 'message'),
    titleAndDetail(textOf(members.get('title')), textOf(members.get('detail'))),
  ];
  return candidates.find((text) => text !== null && text.trim() !== '') ?? null;
}

/** Same message in the sense of wire shapes, section 6: case, blanks and a final stop do not count. */
export const foldMessage = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '');

function memberOfFirst(list: JsonValue | undefined, name: string): string | null {
  return isJsonList(list) ? textOf(membersOf(list[0])?.get(name)) : null;
}

function titleAndDetail(title: string | null, detail: string | null): string | null {
  if (title === null) return detail;
  return detail === null ? title : `${title}: ${detail}`;
}
