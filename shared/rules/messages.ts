import { shown } from '../model/cell-text.ts';
import { formatDecimal } from '../model/decimal.ts';
import { ruleById } from './registry.ts';
import type { Issue } from './rule.ts';

/** The sentence of an issue: the subject, the rule, and the next step. */
export const issueText = (issue: Pick<Issue, 'rule' | 'params'>): string => issueTextBy(PLAIN, issue);

/** `issueText` with amounts, their currency and days in the user's format. */
export function issueTextBy(by: FactTexts, issue: Pick<Issue, 'rule' | 'params'>): string {
  if (issue.rule.startsWith('user.')) return fillIn(USER_RULE, issue.params, by);
  const rule = ruleById(issue.rule);
  // An issue stored by a newer version has a rule that this one does not know; its facts are still shown.
  if (rule === undefined) return `${issue.rule}: ${JSON.stringify(issue.params)}`;
  return fillIn(rule.text, issue.params, by);
}

/** The kind of issue of a rule, in a few words; null for custom rules. */
export const ruleShortName = (rule: string): string | null => ruleById(rule)?.name ?? null;

/** One sentence about all issues of a rule, mostly the next step; empty where that depends on the row. */
export function ruleNextStep(rule: string): string {
  const [, ...rest] = ruleById(rule)?.text.split(/(?<=[.?!])\s/) ?? [];
  return rest.find((sentence) => !sentence.includes('{')) ?? '';
}

/** Formats of facts in an issue. */
interface FactTexts {
  /** Hundredths of a percent. */
  readonly amount: (hundredths: number) => string;
  /** A number of things, or of a line. */
  readonly count: (value: number) => string;
  /** Cents. */
  readonly money: (cents: number) => string;
  /** A calendar date, given as year-month-day. */
  readonly day: (day: string) => string;
}

const twoDecimals = (hundredths: number): string => formatDecimal(hundredths, 2);
const PLAIN: FactTexts = {
  amount: twoDecimals,
  count: (value) => value.toLocaleString('en-US'),
  money: twoDecimals,
  day: (day) => day,
};

/** The text of every custom rule (`custom-rules.ts`). */
const USER_RULE = '"{label}" matches your custom rule "{name}" ({query}). Change the row or the rule.';

/** Facts that are words of the service, and how a sentence writes them. */
const WORD_FACTS: ReadonlySet<string> = new Set(['type', 'status', 'targeting']);
const WORDS: Readonly<Record<string, string>> = {
  sponsoredProducts: 'sponsored products',
  sba: 'SBA',
  auto: 'automatic',
  completed: 'ended',
};

/**
 * Inserts facts into a template. `{x:money}` is an amount in cents, `{x:factor}` hundredths of a percent, `{x:day}` a
 * date.
 */
function fillIn(template: string, params: Issue['params'], by: FactTexts): string {
  return template.replace(/\{(\w+)(?::(money|factor|day))?\}/g, (whole, name: string, unit: string | undefined) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return whole;
    if (typeof value === 'number') {
      return unit === undefined ? by.count(value) : unit === 'money' ? by.money(value) : by.amount(value);
    }
    if (unit === 'day') return by.day(shown(value));
    return WORD_FACTS.has(name) ? (WORDS[value] ?? shown(value)) : shown(value);
  });
}
