import type { Kind } from '../model/kinds.ts';
import { asRowId, type RowId } from '../model/scalars.ts';
import type { Added, LeftOut, Plan, PlanBatch, PlanElement, PlanUpload } from './plan-types.ts';
import { renderBody, unresolved } from './wire-json.ts';

/** One element of a written plan: `body` is its exact JSON, rows without an id of the service as `"@kind/id"`. */
export interface WrittenElement {
  readonly kind: Kind;
  readonly id: RowId;
  readonly changed: readonly string[];
  /** The row of the library that travels as a file beside the body: the picture of a logo upload. */
  readonly file: RowId | null;
  readonly body: string;
}

export interface WrittenRequest extends Omit<PlanBatch, 'index' | 'elements'> {
  readonly elements: readonly WrittenElement[];
}

/** All that the text of a plan says. A request's index is its place in the list. */
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

/** Characters that a terminal obeys or a text editor takes for the end of a line; JSON leaves them as they are. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/gu;

/**
 * A text as JSON that comes through a terminal unchanged. One that begins with @ is written with an escape, so that
 * `"@` in a plan is always a row.
 */
export const quoted = (text: string): string =>
  JSON.stringify(text)
    .replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/^"@/u, '"\\u0040');
