import { planDifference } from '../../../shared/plan/plan-difference.ts';
import { planText } from '../../../shared/plan/plan-text.ts';
import type { Plan } from '../../../shared/plan/plan-types.ts';
import { afterCancelling, withReviewsCancelled } from '../../../shared/plan/review-restart.ts';
import type { RoundContext } from './context.ts';
import type { Work } from './effects.ts';
import { gatherAndPlan, gatherDue } from './gather.ts';

/** A run of a reviewed plan sends that plan or nothing. What is planned later, when doubt has cleared, is part of it. */
export function refuseOther(ctx: RoundContext, plan: Plan): void {
  const reviewed = ctx.reviewedPlan ?? null;
  if (reviewed === null) return;
  const changed = planDifference(linesOf(reviewed), linesOf(planText(plan)));
  if (changed.length === 0) return;
  const first = changed.slice(0, 2).map(({ sign, line }) => `${sign} ${line}`);
  ctx.stop = { cause: 'plan-changed', detail: first.join(' ').slice(0, DETAIL_MAX), otherPlan: changed };
}

const DETAIL_MAX = 600;

/**
 * The same for a run that cancels reviews first, before any is cancelled. What is left of the reviewed plan is what has to
 * be sent after that.
 */
export function* refuseOtherRestart(ctx: RoundContext): Work<void> {
  if ((ctx.reviewedPlan ?? null) === null) return;
  const due = yield* gatherDue(ctx, null);
  const rest = yield* gatherAndPlan(ctx, { ...due, trees: due.trees.map(withReviewsCancelled) });
  refuseOther(ctx, afterCancelling(due.trees, rest));
  ctx.reviewedPlan = planText(rest);
}

const linesOf = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);
