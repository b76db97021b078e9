import type { UserRule } from '../../shared/api/rules.ts';
import { findingTextBy, ruleTitle } from '../../shared/rules/messages.ts';
import type { Finding } from '../../shared/rules/rule.ts';
import { locale } from './locale/current.ts';

/** The sentence of a finding, with its amounts and days in the locale of the window. */
export const findingText = (finding: Pick<Finding, 'rule' | 'params'>): string => findingTextBy(locale(), finding);

/** What all findings of a rule say; of a rule of the user's own its name, and where nobody knows it its id. */
export const ruleName = (rule: string, own: readonly Pick<UserRule, 'id' | 'name'>[]): string =>
  ruleTitle(rule) ?? own.find(({ id }) => rule === `user.${id}`)?.name ?? rule;
