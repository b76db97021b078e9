import type { Rule } from './rule.ts';

/**
 * The stages of a check: what a row says by itself, what rows say beside each other, and what only the service knows.
 *
 *   row (as it is typed) --> across (with the edit, or soon after it) --> service (as fresh as the last refresh)
 */
export const CHECK_STAGES = ['row', 'across', 'service'] as const;
export type CheckStage = (typeof CHECK_STAGES)[number];

/** The latest stage that a rule needs. */
export function stageOf({ needs, scope }: Pick<Rule, 'needs' | 'scope'>): CheckStage {
  if (needs === 'service state' || needs === 'catalogue' || needs === 'migration status') return 'service';
  return scope === 'row' ? 'row' : 'across';
}
