import '../no-eval.ts';
import { type UserRule, UserRuleSchema } from '../../shared/contract/rules.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';

const RulesFile = UserRuleSchema.array();

/** The rules in the text of a saved file; null when it holds something else. */
export const readRulesFile = (text: string): readonly UserRule[] | null =>
  RulesFile.safeParse(jsonOrNull(text)).data ?? null;
