import type { UserRule } from '../../../shared/contract/rules.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ListedRule } from '../../data/account-questions.ts';
import { plainSearch } from '../../locale/plain-search.ts';

const ID_MAX = 40;

/** A rule nobody has typed anything for yet; without an id until it is saved. */
export const newRule = (): ListedRule => ({
  id: '',
  name: '',
  kind: 'keyword',
  severity: 'warning',
  query: '',
  enabled: true,
  problem: null,
});

/**
 * An id for a new rule: its name in small letters, digits and hyphens, with a number behind it where that is taken.
 *
 * @param taken ids of the other rules
 */
export function idFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, ID_MAX);
  const base = plain === '' ? 'rule' : plain;
  let id = base;
  for (let i = 2; taken.has(id); i += 1) id = `${base}-${i}`;
  return id;
}

/** What is stored of a rule, without what main says about it. */
export const ruleOf = ({ problem: _, ...rule }: ListedRule): UserRule => rule;

/** A rule as it is tried and stored: its amounts with points, whatever the locale. @returns or why they cannot be read */
export function plainRule(rule: UserRule): Result<UserRule, string> {
  const query = plainSearch(rule.query, rule.kind);
  return query.ok ? ok({ ...rule, query: query.value }) : query;
}

/** Rules as a text that can be taken in elsewhere. */
export const asFileText = (rules: readonly ListedRule[]): string => `${JSON.stringify(rules.map(ruleOf), null, 2)}\n`;
