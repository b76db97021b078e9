import type { BatchView, PlanView } from '../../../shared/contract/sync.ts';

/**
 * A plan as a file to review: what goes and stays in figures, then every request with its exact body, in order. Bodies stand
 * as they would be sent: read and written again, ids of 17 digits and more would lose their last ones.
 */
export function planFile({ uploads, elements, reviews, leftOut }: PlanView, batches: readonly BatchView[]): string {
  const head = JSON.stringify({ elements, reviews, uploads, leftOut }, null, 2).slice(0, -2);
  const requests = batches.map(({ json, ...batch }) => {
    const facts = JSON.stringify(batch).slice(0, -1);
    return `    ${facts},"body":${json ?? 'null'}}`;
  });
  return `${head},\n  "requests": [\n${requests.join(',\n')}\n  ]\n}\n`;
}
