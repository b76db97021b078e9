import '../../no-eval.ts';
import { type UserRule, UserRuleSchema } from '../../../shared/api/rules.ts';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { type ActionContext, inWords, runAction } from '../../app/actions.ts';
import { plural } from '../../app/locale/numbers.ts';

const texts = {
  notRules: 'This is not a rules file. Copy all of the text of an exported rules file.',
  takenIn: (n: number) => `${plural(n, 'rule')} imported.`,
} as const;

/** Rules of the user's own. What cannot be used is answered in words, for the form that shows it. */
export function ruleActions(doing: ActionContext) {
  const { client } = doing.connection;
  const { notes, store } = doing;
  const save = async (rule: UserRule): Promise<string | null> => {
    const { workspaceId } = store.getState();
    if (workspaceId === null) return null;
    const saved = await inWords(() => client.rules.save({ workspaceId, rule }));
    return saved.ok ? null : saved.error;
  };
  return {
    /** @returns why the rule cannot be used, or null when it is checked from now on */
    saveRule: save,
    removeRule: async (id: string) => {
      const removed = await runAction(doing, (workspaceId) => client.rules.remove({ workspaceId, id }));
      return removed !== null;
    },
    /** Takes in rules as the text of a saved file, up to the first that cannot be used. @returns why not all, or null */
    takeInRules: async (text: string) => {
      const rules = readRulesFile(text);
      if (rules === null) return texts.notRules;
      let problem: string | null = null;
      let taken = 0;
      for (const rule of rules) {
        problem = await save(rule);
        if (problem !== null) break;
        taken += 1;
      }
      notes.tell(texts.takenIn(taken));
      return problem;
    },
  };
}

const RulesFile = UserRuleSchema.array();

/** The rules in the text of a saved file; null when it holds something else. */
export const readRulesFile = (text: string): readonly UserRule[] | null =>
  RulesFile.safeParse(jsonOrNull(text)).data ?? null;
