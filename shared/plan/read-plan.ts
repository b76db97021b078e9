import { jsonOrNull } from '../json-or-null.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import { asRowId, type RowId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import type { WrittenElement, WrittenPlan, WrittenRequest } from './plan-text.ts';
import type { Added, LeftOut, PlanUpload, Verb } from './plan-types.ts';

const KIND = `(${KINDS.join('|')})`;
const TEXT = String.raw`("(?:[^"\\]|\\.)*")`;
const VERBS = ['create', 'update', 'logo', 'upload', 'submit', 'cancel'] satisfies readonly Verb[];

const LINES = {
  plan: /^plan: (\d{1,9}) requests, (\d{1,9}) elements, (\d{1,9}) uploads$/u,
  upload: new RegExp(
    `^upload @media/(\\d{1,10}) ${TEXT} (\\d{1,15}) bytes as ${TEXT}, (?:no caption|caption @media/(\\d{1,10}))$`,
    'u',
  ),
  request: new RegExp(
    `^(\\d{1,9}) (POST|PUT) (/\\S*) (${KINDS.join('|')}|review) (${VERBS.join('|')}) campaign (-|\\d{1,10})(?: group (\\d{1,10}))?$`,
    'u',
  ),
  element: new RegExp(`^ {2}${KIND}/(\\d{1,10})(?: \\(([^()]*)\\))?(?: @media/(\\d{1,10}))? (\\{.*\\})$`, 'u'),
  added: new RegExp(`^added ${KIND}/(\\d{1,10}): (parent|carries|file)$`, 'u'),
  leftOut: new RegExp(`^left out ${KIND}/(\\d{1,10}): ([a-z-]+)$`, 'u'),
} as const;

/**
 * Reads what `printPlan` wrote, so that `readPlan(printPlan(plan))` is the plan again.
 *
 * @param lines without the first line of a file
 * @returns the index of the first line that belongs to no plan, or the number of lines when the end is missing
 */
export function readPlan(lines: readonly string[]): Result<WrittenPlan, number> {
  const head = LINES.plan.exec(lines[0] ?? '');
  if (head === null) return err(0);
  const requests: (WrittenRequest & { readonly elements: WrittenElement[] })[] = [];
  const uploads: PlanUpload[] = [];
  const added: Added[] = [];
  const leftOut: LeftOut[] = [];
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const element = LINES.element.exec(line);
    const request = element === null ? requestOf(line, requests.length) : null;
    const upload = (element ?? request) ? null : uploadOf(line);
    const along = LINES.added.exec(line);
    const left = LINES.leftOut.exec(line);
    if (element !== null) {
      const open = requests.at(-1);
      if (open === undefined || added.length + leftOut.length > 0 || !isJson(element[5])) return err(at);
      open.elements.push(elementOf(element));
    } else if (request !== null) requests.push(request);
    else if (upload !== null && requests.length === 0) uploads.push(upload);
    else if (along !== null) added.push({ ...rowOf(along), why: along[3] as Added['why'] });
    else if (left !== null) leftOut.push({ ...rowOf(left), reason: left[3] as LeftOut['reason'] });
    else return err(at);
  }
  const isWhole = requests.length === Number(head[1]) && uploads.length === Number(head[3]);
  return isWhole ? ok({ requests, uploads, added, leftOut, elements: Number(head[2]) }) : err(lines.length);
}

function requestOf(line: string, index: number): (WrittenRequest & { readonly elements: WrittenElement[] }) | null {
  const found = LINES.request.exec(line);
  if (found === null || Number(found[1]) !== index) return null;
  const [, , method = '', path = '', kind = '', verb = '', campaign = '-', group] = found;
  return {
    method: method === 'POST' ? 'POST' : 'PUT',
    path,
    kind: kind as WrittenRequest['kind'],
    verb: verb as Verb,
    campaignId: campaign === '-' ? null : idOf(campaign),
    adGroupId: group === undefined ? null : idOf(group),
    elements: [],
  };
}

function elementOf(found: RegExpExecArray): WrittenElement {
  const [, , , fields, file, body = ''] = found;
  const changed = fields === undefined ? [] : fields.split(', ');
  return { ...rowOf(found), changed, file: file === undefined ? null : idOf(file), body };
}

function uploadOf(line: string): PlanUpload | null {
  const found = LINES.upload.exec(line);
  if (found === null) return null;
  const [, media = '', file = '', bytes = '', name = '', caption] = found;
  if (!isJson(file) || !isJson(name)) return null;
  return {
    mediaId: idOf(media),
    captionId: caption === undefined ? null : idOf(caption),
    file: JSON.parse(file) as string,
    bytes: Number(bytes),
    mediaName: JSON.parse(name) as string,
  };
}

const rowOf = ([, kind = '', id = '']: RegExpExecArray): { readonly kind: Kind; readonly id: RowId } => ({
  kind: kind as Kind,
  id: idOf(id),
});

const idOf = (digits: string): RowId => asRowId(Number(digits));

const isJson = (text: string | undefined): boolean => jsonOrNull(text ?? '') !== null;
