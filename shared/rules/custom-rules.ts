import { type CampaignTree, rowsIn } from '../model/campaign-tree.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import { type AnyRow, isDeleted, type Row } from '../model/row.ts';
import { err, ok, type Result } from '../result.ts';
import { parseSearch } from '../search/parse-search.ts';
import { compilePredicate, type Predicate } from '../search/predicate.ts';
import { asksForMetrics, type Mark, type NoteKind, periodNamedIn, type Query } from '../search/query.ts';
import type { Issue, Severity } from './rule.ts';
import { rowLabel } from './rule.ts';

/** A rule of the user: rows of a kind that match a search are reported. */
export interface CustomRule {
  /** Stable and short; the issues have `user.<id>`. */
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly severity: Severity;
  /** In the search syntax, such as `bid>5 matchType:broad`. */
  readonly query: string;
  readonly enabled: boolean;
  readonly samples?: readonly RuleSample[] | undefined;
}

/** A row that a rule must match or not match: `text="garden hose" bid=6.00`. */
export interface RuleSample {
  readonly finds: boolean;
  readonly row: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const PARTS: Readonly<Record<keyof CustomRule, (value: unknown) => boolean>> = {
  id: isText,
  name: isText,
  kind: (value) => KINDS.includes(value as Kind),
  severity: (value) => Object.hasOwn(USER_RULE_BIT, String(value)),
  query: isText,
  enabled: (value) => typeof value === 'boolean',
  samples: (value) => value === undefined || Array.isArray(value),
};

/** Whether this version knows all of a stored rule: without a part that a newer one wrote, it would match other rows. */
export const isKnownRule = (rule: unknown): rule is CustomRule =>
  typeof rule === 'object' &&
  rule !== null &&
  Object.keys(rule).every((part) => Object.hasOwn(PARTS, part)) &&
  Object.entries(PARTS).every(([part, isKnown]) => isKnown((rule as Readonly<Record<string, unknown>>)[part]));

/** A valid rule. */
export interface CompiledUserRule extends CustomRule {
  readonly matches: Predicate;
  /** Drafts have no metrics: a rule with metrics is evaluated where the metrics are, and its result is not stored. */
  readonly usesMetrics: boolean;
}

export interface UserRuleProblem {
  readonly field: 'id' | 'name' | 'query';
  /** Position in the query, from 0; null for the whole field. */
  readonly at: number | null;
  readonly problem: string;
}

/** Prefix of the ids of all user rules, so that none can pass for a rule of the service. */
export const USER_RULE_PREFIX = 'user.';
/** Bits in the mask of a row, above those of every built-in rule: one for each severity, for any number of matching rules. */
export const USER_RULE_BIT: Readonly<Record<Severity, number>> = { advice: 47, warning: 48, error: 49 };

/** Limits the number of rules; each is run over every row of its kind. */
export const USER_RULES_MAX = 300;

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Marks available to a rule besides the cells: those of the draft. The others are results of checks and syncs. */
const DRAFT_MARKS: ReadonlySet<Mark> = new Set(['changed', 'new', 'deleted', 'held']);

export function parseUserRule(rule: CustomRule): Result<CompiledUserRule, UserRuleProblem> {
  const refuse = (field: UserRuleProblem['field'], problem: string, at: number | null = null) =>
    err({ field, at, problem });
  if (!ID.test(rule.id)) {
    return refuse('id', `The ID "${rule.id}" can't be used. Use 1 to 64 lowercase letters, digits and hyphens.`);
  }
  const name = rule.name.trim();
  if (name === '') return refuse('name', 'The rule has no name. Enter what it finds, such as "Bids above $5".');
  const query = parseSearch(rule.query, rule.kind);
  if (!query.ok) return refuse('query', `Rule "${name}": ${query.error.problem}`, query.error.at);
  if (query.value.is === 'all' || query.value.is === 'period') {
    return refuse('query', `Rule "${name}" has no condition, so it would match every row. Enter a condition.`);
  }
  const [word] = unseenWords(query.value);
  if (word !== undefined) {
    const why = isNote(word) ? "which rules can't use" : 'which is known only after the rules run';
    const problem = `Rule "${name}" uses "${word}", ${why}. Remove that condition.`;
    return refuse('query', problem, Math.max(0, rule.query.toLowerCase().indexOf(word)));
  }
  const usesMetrics = asksForMetrics(query.value);
  if (usesMetrics && rule.severity !== 'advice') {
    const problem = `Rule "${name}" uses metrics, which say nothing about what can be sent. Set its severity to Suggestion.`;
    return refuse('query', problem);
  }
  return ok({ ...rule, name, matches: compilePredicate(query.value, rule.kind), usesMetrics });
}

/** The default days for a rule about metrics that names none. */
const RULE_PERIOD = 'period:28d';

/** The condition of a rule as a filter of rows. A rule about metrics includes its days, independent of those in the window. */
export function ruleQuery({ kind, query }: Pick<CustomRule, 'kind' | 'query'>): string {
  const parsed = parseSearch(query, kind);
  const isComplete = !parsed.ok || !asksForMetrics(parsed.value) || periodNamedIn(parsed.value) !== null;
  if (isComplete) return query;
  return parsed.value.is === 'or' ? `(${query}) ${RULE_PERIOD}` : `${query} ${RULE_PERIOD}`;
}

/** The filter for the rows of a rule: deleted rows only if it asks for them. */
export const ruleFilter = (rule: Pick<CustomRule, 'kind' | 'query'>): string =>
  asksForDeleted(rule) ? ruleQuery(rule) : `(${ruleQuery(rule)}) deleted:no`;

const asksForDeleted = ({ query }: Pick<CustomRule, 'query'>): boolean => /\bdeleted\b/i.test(query);

/** Conditions on results of rules, of the service and of reports. */
type Outcome = Extract<Query['is'], 'issue' | 'failed' | 'metrics'>;

const isNote = (word: Mark | NoteKind | Outcome): boolean => word === 'label' || word === 'comment';

/** The parts of a search that no rule can evaluate: results of checks and syncs, and the users' notes. */
function unseenWords(query: Query): readonly (Mark | NoteKind | Outcome)[] {
  switch (query.is) {
    case 'issue':
    case 'failed':
    case 'metrics':
      return [query.is];
    case 'mark':
      return DRAFT_MARKS.has(query.mark) ? [] : [query.mark];
    case 'note':
      return [query.what];
    case 'not':
      return unseenWords(query.part);
    case 'and':
    case 'or':
      return query.parts.flatMap(unseenWords);
    default:
      return [];
  }
}

/**
 * Issues of the custom rules in a campaign. A deleted row is reported only by a rule that asks for it. Files belong to
 * no campaign: see `checkUserRulesOnMedia`. Rules with metrics are skipped.
 */
export const checkCustomRules = (tree: CampaignTree, rules: readonly CompiledUserRule[]): readonly Issue[] =>
  rules.flatMap((rule) =>
    rule.kind === 'media' ? [] : foundBy(rule, rowsIn(tree, rule.kind), tree.campaign.values.name),
  );

/** Issues of the custom rules in the files of the library. */
export const checkUserRulesOnMedia = (
  media: readonly Row<'media'>[],
  rules: readonly CompiledUserRule[],
): readonly Issue[] => rules.flatMap((rule) => (rule.kind === 'media' ? foundBy(rule, media, null) : []));

function foundBy(rule: CompiledUserRule, rows: readonly AnyRow[], campaignName: string | null): readonly Issue[] {
  if (!rule.enabled || rule.usesMetrics) return [];
  return rows
    .filter((row) => asksForDeleted(rule) || !isDeleted(row))
    .filter((row) => rule.matches({ row, campaignName, severity: null, outbox: null }))
    .map((row) => userRuleIssue(rule, row));
}

/** The issue of a custom rule for a matching row. */
export const userRuleIssue = (rule: CustomRule, row: AnyRow): Issue => ({
  rule: USER_RULE_PREFIX + rule.id,
  severity: rule.severity,
  kind: row.kind,
  id: row.id,
  campaignId: row.campaignId,
  field: null,
  params: { label: rowLabel(row), name: rule.name, query: rule.query },
  fix: null,
});
