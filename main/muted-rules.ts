import { err, ok, type Result } from '../shared/result.ts';
import { ruleById } from '../shared/rules/registry.ts';
import type { UserRuleProblem } from '../shared/rules/user-rules.ts';
import { createPersistedList } from './kept-list.ts';
import { MUTED_RULES_KEY } from './workspace/rows/standards.ts';
import type { Workspace } from './workspace/store.ts';

/** The rules that one workspace does not want to hear of. A change is checked against everything in the background. */
export interface MutedRules {
  list(): Promise<readonly string[]>;
  /** Errors cannot be silenced, because the service would refuse the row. */
  set(rule: string, muted: boolean): Promise<Result<readonly string[], UserRuleProblem>>;
}

export function createMutedRules(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): MutedRules {
  const kept = createPersistedList(
    workspace,
    MUTED_RULES_KEY,
    (text) => (text ?? '').split(' ').filter((id) => id !== ''),
    (rules) => rules.join(' '),
  );
  return {
    list: kept.read,
    set: async (rule, muted) => {
      const known = ruleById(rule);
      if (known === undefined) return err({ field: 'id', at: null, problem: 'There is no such rule.' });
      if (known.severity === 'error') {
        return err({ field: 'id', at: null, problem: 'An error cannot be silenced: the service refuses the row.' });
      }
      const others = (rules: readonly string[]) => rules.filter((id) => id !== rule);
      return ok(await kept.change((rules) => (muted ? [...others(rules), rule].toSorted() : others(rules))));
    },
  };
}
