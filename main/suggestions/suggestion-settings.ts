import { z } from 'zod';
import { DISMISSALS_MAX } from '../../shared/api/limits.ts';
import type { Failure } from '../../shared/api/operation.ts';
import { MonthPlanSchema, ScopedGoalSchema } from '../../shared/api/suggestions.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { GoalScope, ScopedGoal } from '../../shared/suggestions/goals.ts';
import type { Dismissal } from '../../shared/suggestions/suggestion.ts';
import { createPersistedList } from '../store/account-settings.ts';
import type { Workspace } from '../store/workspace.ts';
import type { SuggestionSetup } from './load-facts.ts';

const GOALS_MAX = 2000;
/** Older dismissals hide nothing. */
const DISMISSED_DAYS = 30;
/** Accepted changes of spend count towards the cap for so many days. */
const ACCEPTED_DAYS = 7;

const Dismissals = z.array(z.strictObject({ key: z.string(), day: z.int(), weight: z.number() }));
const Accepted = z.array(z.strictObject({ day: z.int(), move: z.number() }));

/** The user's settings for suggestions. They are stored in the account's file, so that backups include them. */
export function createSuggestionSettings(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>) {
  const list = <T>(key: string, schema: z.ZodType<T[]>) =>
    createPersistedList<T>(workspace, key, (text) => schema.parse(JSON.parse(text ?? '[]')));
  const goals = list<ScopedGoal>('suggestion-goals', z.array(ScopedGoalSchema));
  const plans = list<SuggestionSetup['plans'][number]>('month-plans', z.array(MonthPlanSchema));
  const dismissals = list<Dismissal>('dismissed-suggestions', Dismissals);
  const accepted = list<{ day: number; move: number }>('accepted-spend', Accepted);
  return {
    goals: goals.read,
    plans: plans.read,
    dismissals: dismissals.read,
    setGoal: (scope: GoalScope, goal: ScopedGoal['goal'] | null) =>
      goals.tryChange((known) => replaced(known, scope, goal && { scope, goal }, 'goals')),
    /** Sets these amounts for goals without one: otherwise the recent mean would follow the accepted changes. */
    holdAt: (held: readonly ScopedGoal[]) =>
      goals.change((known) => {
        const byName = new Map(held.map((one) => [nameOf(one.scope), one]));
        return known.map((one) =>
          one.goal.is === 'hold' && one.goal.perDay === null ? (byName.get(nameOf(one.scope)) ?? one) : one,
        );
      }),
    setPlan: (scope: GoalScope, plan: number | null) =>
      plans.tryChange((known) => replaced(known, scope, plan === null ? null : { scope, plan }, 'monthly plans')),
    /** @returns how many of the oldest dismissals no longer hide a suggestion, because there are too many */
    dismiss: async (added: readonly Dismissal[], today: number): Promise<number> => {
      let forgotten = 0;
      await dismissals.change((known) => {
        const keys = new Set(added.map(({ key }) => key));
        const current = known.filter(({ key, day }) => !keys.has(key) && today - day < DISMISSED_DAYS);
        forgotten = Math.max(0, current.length + added.length - DISMISSALS_MAX);
        return [...current, ...added].slice(-DISMISSALS_MAX);
      });
      return forgotten;
    },
    undoDismiss: (keys: readonly string[]) =>
      dismissals.change((known) => known.filter(({ key }) => !keys.includes(key))),
    /** The expected change of weekly spend by recently accepted suggestions, in cents. */
    movedLately: async (today: number): Promise<number> =>
      (await accepted.read()).reduce((sum, { day, move }) => (today - day < ACCEPTED_DAYS ? sum + move : sum), 0),
    noteAccepted: (move: number, today: number) =>
      accepted.change((known) => [...known.filter(({ day }) => today - day < ACCEPTED_DAYS), { day: today, move }]),
  };
}

const nameOf = (scope: GoalScope): string =>
  scope.of === 'account' ? 'account' : scope.of === 'label' ? `label ${scope.label}` : `campaign ${scope.campaignId}`;

/** The list with another entry for a scope, or without one. A list at its limit gets no further scopes. */
function replaced<T extends { readonly scope: GoalScope }>(
  known: readonly T[],
  scope: GoalScope,
  entry: T | null,
  what: string,
): Result<readonly T[], Failure<'BAD_TOOL'>> {
  const others = known.filter((one) => nameOf(one.scope) !== nameOf(scope));
  if (entry === null) return ok(others);
  if (others.length < GOALS_MAX) return ok([...others, entry]);
  const problem = `There are ${GOALS_MAX.toLocaleString('en-US')} ${what} already. Remove one first.`;
  return fail('BAD_TOOL', { at: 0, problem });
}
