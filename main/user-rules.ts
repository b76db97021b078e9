import { USER_RULES_MAX, type UserRule, UserRulesText } from '../shared/contract/rules.ts';
import { createTurns } from '../shared/in-turn.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { parseUserRule, type UserRuleProblem } from '../shared/rules/user-rules.ts';
import type { Workspace } from './workspace/port.ts';
import { USER_RULES_KEY } from './workspace/rows/standards.ts';

/** The rules that the user of one workspace wrote. A change is checked against everything in the background. */
export interface UserRules {
  list(): Promise<readonly ListedRule[]>;
  /** Adds the rule or replaces the one with its id. */
  save(rule: UserRule): Promise<Result<readonly ListedRule[], UserRuleProblem>>;
  /** Takes a rule away; one that is not there is gone already. */
  remove(id: string): Promise<readonly ListedRule[]>;
}

/** A rule with the reason why it cannot be run, if there is one: a newer Adslate may have known a field that this one does not. */
export type ListedRule = UserRule & { readonly problem: string | null };

export function createUserRules(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): UserRules {
  const read = async (): Promise<readonly UserRule[]> =>
    UserRulesText.parse((await workspace.getMeta(USER_RULES_KEY)) ?? '[]');
  const write = async (rules: readonly UserRule[]): Promise<readonly ListedRule[]> => {
    await workspace.setMeta(USER_RULES_KEY, JSON.stringify(rules));
    return rules.map(listed);
  };
  /** One after the other: each change starts from what the one before has written. */
  const inTurn = createTurns();
  return {
    list: async () => (await read()).map(listed),
    save: (rule) =>
      inTurn(async () => {
        const parsed = parseUserRule(rule);
        if (!parsed.ok) return parsed;
        const rules = await read();
        const at = rules.findIndex((known) => known.id === rule.id);
        if (at < 0 && rules.length >= USER_RULES_MAX) {
          const problem = `There are ${USER_RULES_MAX} rules already. Remove one first.`;
          return err({ field: 'id', at: null, problem });
        }
        const { matches: _, ...kept } = parsed.value;
        return ok(await write(at < 0 ? [...rules, kept] : rules.with(at, kept)));
      }),
    remove: (id) => inTurn(async () => write((await read()).filter((rule) => rule.id !== id))),
  };
}

function listed(rule: UserRule): ListedRule {
  const parsed = parseUserRule(rule);
  return { ...rule, problem: parsed.ok ? null : parsed.error.problem };
}
