import { shown } from '../model/cell-problem.ts';
import { formatDecimal } from '../model/decimal.ts';
import type { Finding } from './finding.ts';
import { ruleById } from './registry.ts';

/** The sentence of a finding: what it is about, the rule, and the next step. */
export const findingText = (finding: Pick<Finding, 'rule' | 'params'>): string => findingTextBy(plainAmount, finding);

/** The same with amounts, in hundredths, as `amount` writes them. */
export function findingTextBy(amount: AmountText, finding: Pick<Finding, 'rule' | 'params'>): string {
  if (finding.rule.startsWith('user.')) return fillIn(USER_RULE, finding.params, amount);
  const rule = ruleById(finding.rule);
  // A finding stored by a newer version names a rule this one does not know; its facts are still worth showing.
  if (rule === undefined) return `${finding.rule}: ${JSON.stringify(finding.params)}`;
  return fillIn(rule.text, finding.params, amount);
}

type AmountText = (hundredths: number) => string;
const plainAmount: AmountText = (hundredths) => formatDecimal(hundredths, 2);

/** Of every rule that a user wrote (`user-rules.ts`). */
const USER_RULE = '"{label}" is found by your rule "{name}" ({query}). Change the row, or the rule.';

/** Puts facts into a template. `{x:money}` is cents with two decimals, `{x:factor}` hundredths of a percent likewise. */
function fillIn(template: string, params: Finding['params'], amount: AmountText): string {
  return template.replace(/\{(\w+)(?::(money|factor))?\}/g, (whole, name: string, unit: string | undefined) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return whole;
    if (typeof value === 'number') return unit === undefined ? String(value) : amount(value);
    return shown(value);
  });
}
