import { USER_RULES_MAX, type UserRule, UserRulesText } from '../shared/contract/rules.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { parseUserRule, type UserRuleProblem } from '../shared/rules/user-rules.ts';
import { createPersistedList } from './kept-list.ts';
import { USER_RULES_KEY } from './workspace/rows/standards.ts';
import type { Workspace } from './workspace/store.ts';

/** The rules that the user of one workspace wrote. A change is checked against everything in the background. */
export interface CustomRules {
  list(): Promise<readonly ListedRule[]>;
  /** Adds the rule or replaces the one with its id. */
  save(rule: UserRule): Promise<Result<readonly ListedRule[], UserRuleProblem>>;
  /** Takes a rule away; one that is not there is gone already. */
  remove(id: string): Promise<readonly ListedRule[]>;
}

/** A rule with the reason why it cannot be run, if there is one: a newer Adslate may have known a field that this one does not. */
export type ListedRule = UserRule & { readonly problem: string | null };

export function createCustomRules(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): CustomRules {
  const kept = createPersistedList(workspace, USER_RULES_KEY, (text) => UserRulesText.parse(text ?? '[]'));
  return {
    list: async () => (await kept.read()).map(listed),
    save: async (rule) => {
      const parsed = parseUserRule(rule);
      if (!parsed.ok) return parsed;
      const { matches: _, ...own } = parsed.value;
      const saved = await kept.tryChange((known) => withRule(known, own));
      return saved.ok ? ok(saved.value.map(listed)) : saved;
    },
    remove: async (id) => (await kept.change((known) => known.filter((rule) => rule.id !== id))).map(listed),
  };
}

function withRule(known: readonly UserRule[], rule: UserRule): Result<readonly UserRule[], UserRuleProblem> {
  const at = known.findIndex(({ id }) => id === rule.id);
  if (at >= 0) return ok(known.with(at, rule));
  if (known.length < USER_RULES_MAX) return ok([...known, rule]);
  return err({ field: 'id', at: null, problem: `There are ${USER_RULES_MAX} rules already. Remove one first.` });
}

function listed(rule: UserRule): ListedRule {
  const parsed = parseUserRule(rule);
  return { ...rule, problem: parsed.ok ? null : parsed.error.problem };
}
