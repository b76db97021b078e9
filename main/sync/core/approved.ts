import type { Plan } from '../../../shared/plan/plan-types.ts';
import type { RoundContext } from './context.ts';

/**
 * A reviewed plan that was sent in part. Its rest can't be compared by text: requests are numbered again, and created rows
 * have IDs now. So each element that is still to be sent has to say what it said in the plan that was approved.
 */
const contentsOf = (plan: Plan): ReadonlySet<string> =>
  new Set([
    ...plan.uploads.map(({ mediaId, bytes }) => `upload media/${mediaId} ${bytes}`),
    ...plan.batches.flatMap(({ verb, elements }) =>
      elements.map(({ kind, id, sent }) => `${verb} ${kind}/${id} ${JSON.stringify(sent)}`),
    ),
  ]);

/**
 * Remembers what a reviewed plan holds once it has been compared, and stops a later part of that sync when its plan has
 * something that was not approved. What is planned again after an unresolved request is part of it.
 */
export function checkApproved(ctx: RoundContext, plan: Plan): void {
  if (ctx.stop !== null) return;
  if ((ctx.reviewedPlan ?? null) !== null) ctx.approved = contentsOf(plan);
  const { approved } = ctx;
  if (approved === null) return;
  const others = [...contentsOf(plan)].filter((content) => !approved.has(content));
  const [first] = others;
  if (first === undefined) return;
  const more = others.length === 1 ? '' : `, and ${others.length - 1} more`;
  ctx.stop ??= { cause: 'plan-changed', detail: `not in the reviewed plan: ${first.slice(0, 500)}${more}` };
}
