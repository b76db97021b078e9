import { shown } from '../model/cell-problem.ts';
import { formatDecimal } from '../model/decimal.ts';
import type { Finding } from './finding.ts';
import { ruleById } from './registry.ts';

/** The sentence of a finding: what it is about, the rule, and the next step. */
export function findingText(finding: Pick<Finding, 'rule' | 'params'>): string {
  const rule = ruleById(finding.rule);
  // A finding stored by a newer version names a rule this one does not know; its facts are still worth showing.
  if (rule === undefined) return `${finding.rule}: ${JSON.stringify(finding.params)}`;
  return fillIn(rule.text, finding.params);
}

/** Puts facts into a template. `{x:money}` is cents with two decimals, `{x:factor}` hundredths of a percent likewise. */
function fillIn(template: string, params: Finding['params']): string {
  return template.replace(/\{(\w+)(?::(money|factor))?\}/g, (whole, name: string, unit: string | undefined) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return whole;
    if (typeof value === 'number') return unit === undefined ? String(value) : formatDecimal(value, 2);
    return shown(value);
  });
}
