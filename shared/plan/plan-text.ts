import type { Plan, PlanBatch, PlanElement } from './plan-types.ts';
import { renderBody, unresolved } from './wire-json.ts';

/**
 * A plan as text that diffs well: one line a request, one line an element with its exact body, in plan order.
 * Two plans are equal exactly when their texts are.
 */
export function planText(plan: Plan): string {
  const lines = [
    `plan: ${plan.batches.length} requests, ${plan.elements} elements, ${plan.uploads.length} uploads`,
    ...plan.uploads.map((upload) => {
      const caption = upload.captionId === null ? 'no caption' : `caption @media/${upload.captionId}`;
      const name = JSON.stringify(upload.mediaName);
      return `upload @media/${upload.mediaId} ${JSON.stringify(upload.file)} ${upload.bytes} bytes as ${name}, ${caption}`;
    }),
    ...plan.batches.flatMap((batch) => [requestLine(batch), ...batch.elements.map(elementLine)]),
    ...plan.added.map(({ kind, id, why }) => `added ${kind}/${id}: ${why}`),
    ...plan.leftOut.map((row) => `left out ${row.kind}/${row.id}: ${row.reason}`),
  ];
  return `${lines.join('\n')}\n`;
}

function requestLine(batch: PlanBatch): string {
  const group = batch.adGroupId === null ? '' : ` group ${batch.adGroupId}`;
  return `${batch.index} ${batch.method} ${batch.path} ${batch.kind} ${batch.verb} campaign ${batch.campaignId ?? '-'}${group}`;
}

function elementLine(element: PlanElement): string {
  const changed = element.changed.length === 0 ? '' : ` (${element.changed.join(', ')})`;
  return `  ${element.kind}/${element.id}${changed} ${renderBody(element, unresolved)}`;
}
