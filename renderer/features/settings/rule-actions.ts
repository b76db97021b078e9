import '../../no-eval.ts';
import { type UserRule, UserRuleSchema } from '../../../shared/api/rules.ts';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { packOfRejections, parsePack, printPack, type RejectedWording } from '../../../shared/rules/rule-pack.ts';
import { type ActionContext, inWords, runAction } from '../../app/actions.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { saveText } from '../../app/save-text.ts';

const texts = {
  atLine: (line: number, problem: string) => `Line ${countText(line)}: ${problem}`,
  rejections: 'Rejected wording',
  noRejections: 'No review has rejected a headline in this account.',
  takenIn: (n: number) => `${plural(n, 'rule')} imported.`,
} as const;

/** Actions for custom rules. A rule that can't be used gives the reason as text, for the form. */
export function ruleActions(context: ActionContext) {
  const { client } = context.connection;
  const { toasts, store } = context;
  const save = async (rule: UserRule): Promise<string | null> => {
    const { workspaceId } = store.getState();
    if (workspaceId === null) return null;
    const saved = await inWords(() => client.rules.save({ workspaceId, rule }));
    return saved.ok ? null : saved.error;
  };
  return {
    /** @returns why the rule can't be used, or null when it was saved */
    saveRule: save,
    removeRule: (id: string) => runAction(context, (workspaceId) => client.rules.remove({ workspaceId, id })),
    /** Imports the rules of a pack, all or none. @returns why not, or null */
    takeInRules: async (text: string) => {
      const rules = readRulesFile(text);
      if (!rules.ok) return rules.error;
      const { workspaceId } = store.getState();
      if (workspaceId === null) return null;
      const saved = await inWords(() => client.rules.savePack({ workspaceId, rules: [...rules.value] }));
      if (saved.ok) toasts.tell(texts.takenIn(rules.value.length));
      return saved.ok ? null : saved.error;
    },
    /** Saves the wording that reviews rejected as a pack of rules, which warn when it is used again. */
    saveRejections: async (fileName: string) => {
      const read = await runAction(context, async (workspaceId) => {
        const all: RejectedWording[] = [];
        for (;;) {
          const page = await client.rejections.list({ workspaceId, from: all.length, count: REJECTIONS_PAGE });
          all.push(...page.rejections);
          if (page.rejections.length === 0 || all.length >= page.total) return all;
        }
      });
      if (read === null) return;
      const pack = packOfRejections(read, texts.rejections);
      if (pack.rules.length === 0) toasts.tell(texts.noRejections);
      else saveText(fileName, printPack(pack), 'text/plain');
    },
  };
}

const REJECTIONS_PAGE = 500;
const RulesFile = UserRuleSchema.array();

/** The rules of a pack, or of a JSON file of an earlier version; the error is a sentence. */
export function readRulesFile(text: string): Result<readonly UserRule[], string> {
  const json = RulesFile.safeParse(jsonOrNull(text)).data;
  if (json !== undefined) return ok(json);
  const pack = parsePack(text);
  if (!pack.ok) return err(pack.error.map(({ line, problem }) => texts.atLine(line, problem)).join(' '));
  return ok(pack.value.rules.map((rule) => ({ ...rule, samples: [...(rule.samples ?? [])] })));
}
