import { jsonOrNull } from '../json-or-null.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import { asRowId, type RowId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import type { Added, LeftOut, Plan, PlanBatch, PlanElement, PlanUpload, Verb } from './plan-types.ts';
import { renderBody, unresolved } from './wire.ts';

/** One element of a written plan: `body` is its exact JSON, with rows without a service ID as `"@kind/id"`. */
export interface WrittenElement {
  readonly kind: Kind;
  readonly id: RowId;
  readonly changed: readonly string[];
  /** The library row uploaded as a file with the body: the picture of a logo upload. */
  readonly file: RowId | null;
  readonly body: string;
}

export interface WrittenRequest extends Omit<PlanBatch, 'index' | 'elements'> {
  readonly elements: readonly WrittenElement[];
}

/** The content of a plan's text. A request's index is its position in the list. */
export interface WrittenPlan {
  readonly requests: readonly WrittenRequest[];
  readonly uploads: readonly PlanUpload[];
  readonly added: readonly Added[];
  readonly leftOut: readonly LeftOut[];
  /** Changed elements counted against the hourly limit of the service. */
  readonly elements: number;
}

/**
 * A plan as text that diffs well: one line a request, one line an element with its exact body, in plan order.
 * Two plans are equal exactly when their texts are.
 */
export const planText = (plan: Plan): string => printPlan(writtenPlan(plan));

export const writtenPlan = ({ batches, uploads, added, leftOut, elements }: Plan): WrittenPlan => ({
  requests: batches.map(({ index: _, ...batch }) => ({
    ...batch,
    elements: batch.elements.map((element) => ({
      kind: element.kind,
      id: element.id,
      changed: element.changed,
      file: batch.verb === 'logo' ? logoOf(element) : null,
      body: renderBody(element, unresolved, quoted),
    })),
  })),
  uploads,
  added,
  leftOut,
  elements,
});

function logoOf({ sent }: PlanElement): RowId | null {
  const { logo } = sent;
  return typeof logo === 'number' ? asRowId(logo) : null;
}

export function printPlan(plan: WrittenPlan): string {
  const lines = [
    `plan: ${plan.requests.length} requests, ${plan.elements} elements, ${plan.uploads.length} uploads`,
    ...plan.uploads.map((upload) => {
      const caption = upload.captionId === null ? 'no caption' : `caption @media/${upload.captionId}`;
      return `upload @media/${upload.mediaId} ${quoted(upload.file)} ${upload.bytes} bytes as ${quoted(upload.mediaName)}, ${caption}`;
    }),
    ...plan.requests.flatMap((request, index) => [requestLine(request, index), ...request.elements.map(elementLine)]),
    ...plan.added.map(({ kind, id, why }) => `added ${kind}/${id}: ${why}`),
    ...plan.leftOut.map((row) => `left out ${row.kind}/${row.id}: ${row.reason}`),
  ];
  return `${lines.join('\n')}\n`;
}

function requestLine(request: WrittenRequest, index: number): string {
  const group = request.adGroupId === null ? '' : ` group ${request.adGroupId}`;
  return `${index} ${request.method} ${request.path} ${request.kind} ${request.verb} campaign ${request.campaignId ?? '-'}${group}`;
}

function elementLine({ kind, id, changed, file, body }: WrittenElement): string {
  const fields = changed.length === 0 ? '' : ` (${changed.join(', ')})`;
  const picture = file === null ? '' : ` @media/${file}`;
  return `  ${kind}/${id}${fields}${picture} ${body}`;
}

/** Characters that control a terminal or that text editors treat as line ends; JSON does not escape them. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/gu;

/**
 * A text as JSON that prints unchanged on a terminal. A leading @ is escaped, so that `"@` in a plan is always a row.
 */
export const quoted = (text: string): string =>
  JSON.stringify(text)
    .replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/^"@/u, '"\\u0040');

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
 * Parses the output of `printPlan`, so that `readPlan(printPlan(plan))` is the same plan.
 *
 * @param lines without the first line of a file
 * @returns the index of the first invalid line, or the number of lines when the end is missing
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

/** `"@kind/id"` as a value: no text of a plan begins with `@`. */
const REF = /"@([a-zA-Z]+)\/(\d+)"/gu;
const KEYWORDS = /("keywords":\[)("(?:[^"\\]|\\.)*")\]/u;

/** The rows without an id of the service that a written request refers to. */
export const writtenRefs = ({ elements }: WrittenRequest): readonly string[] => [
  ...new Set(elements.flatMap(({ body }) => [...body.matchAll(REF)].map(([, kind, id]) => `${kind}/${id}`))),
];

/**
 * The body of a written request as sent: equal to `renderBatch` of the plan itself.
 *
 * @param resolve the ID of a row that the plan refers to; null leaves the reference
 */
export function writtenBody(
  { verb, elements }: WrittenRequest,
  resolve: (kind: Kind, id: RowId) => string | null,
): string {
  const bodies = elements.map(({ body }) =>
    body.replace(REF, (ref, kind: Kind, id: string) => resolve(kind, Number(id) as RowId) ?? ref),
  );
  const [first = '{}'] = bodies;
  if (verb === 'logo') return first;
  if (verb !== 'create' || !KEYWORDS.test(first)) return `[${bodies.join(',')}]`;
  // Keywords in seed words are sent as one object with all texts.
  const texts = bodies.map((body) => KEYWORDS.exec(body)?.[2] ?? '""');
  return first.replace(KEYWORDS, (_, before: string) => `${before}${texts.join(',')}]`);
}
