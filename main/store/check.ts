import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { memo } from '../../shared/memo.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { Row } from '../../shared/model/row.ts';
import type { AccountCampaign } from '../../shared/rules/account.ts';
import { checkAccount, checkCampaign, checkMedia } from '../../shared/rules/check.ts';
import {
  type CompiledUserRule,
  checkCustomRules,
  checkUserRulesOnMedia,
  isKnownRule,
  parseUserRule,
  USER_RULE_BIT,
  USER_RULE_PREFIX,
} from '../../shared/rules/custom-rules.ts';
import { RULES, ruleById } from '../../shared/rules/registry.ts';
import type { Issue, RuleEnv, Severity } from '../../shared/rules/rule.ts';
import type { Db } from './db/db.ts';
import { readRejectedCreatives } from './reviews/review-history.ts';
import { catalogOf } from './rows/item-facts.ts';
import { calendarAheadMs, mutedRulesText, readUserRules, userRulesText } from './rows/rule-settings.ts';

/** The rules in the form that the store needs: issues of rows, and the bit of each rule in `issues`. */
export type Checker = ReturnType<typeof createChecker>;

/**
 * @param own the rules that the user wrote
 * @param muted IDs of rules whose issues are omitted
 */
function createChecker(env: RuleEnv, own: readonly CompiledUserRule[], muted: ReadonlySet<string> = new Set()) {
  const told = (issues: readonly Issue[]): readonly Issue[] =>
    muted.size === 0 ? issues : issues.filter(({ rule }) => !muted.has(rule));
  return {
    /** The date for which the rules are checked. */
    today: env.today,
    /** Whether a rule may read remote IDs of keywords: user rules may, built-in rules do not. */
    asksForKeywordIds: own.some(({ kind }) => kind === 'keyword'),
    campaign: (tree: CampaignTree): readonly Issue[] => [
      ...told(checkCampaign(tree, env)),
      ...checkCustomRules(tree, own),
    ],
    /** Issues about several campaigns together, and about the media library. */
    account: (campaigns: readonly AccountCampaign[], media: readonly Row<'media'>[]): readonly Issue[] => [
      ...told([...checkAccount(campaigns, media, env), ...media.flatMap((row) => checkMedia(row, env))]),
      ...checkUserRulesOnMedia(media, own),
    ],
  };
}

/** The value of an issue's bit in `issues`. */
export function issueBit({ rule, severity }: Pick<Issue, 'rule' | 'severity'>): number {
  if (rule.startsWith(USER_RULE_PREFIX)) return 2 ** USER_RULE_BIT[severity];
  const found = ruleById(rule);
  if (found === undefined) throw new Error(`an issue names the rule ${rule}, which is not in the registry`);
  return 2 ** found.bit;
}

/**
 * The bits of a rule in `issues` of a kind, for a search. `user.error`, `user.warning` and so on mean all custom rules
 * of that severity, which share a bit; 0 for an unknown rule or one of another kind.
 */
export function issueBits(kind: Kind, rule: string): number {
  const own = Object.entries(USER_RULE_BIT).find(([severity]) => rule === `${USER_RULE_PREFIX}${severity}`);
  if (own !== undefined) return 2 ** own[1];
  const found = ruleById(rule);
  return found?.kind === kind ? 2 ** found.bit : 0;
}

/** SQL: the row has an error. The first condition uses the index of rows with issues. */
export const hasErrorSql = (kind: Kind): string => `issues <> 0 AND issues & ${issueMask(kind, 'error')}`;

/** The IDs of the rules with a warning in `issues` of a row; custom rules share one, `user.warning`. */
export const warningsIn = (kind: Kind, issues: number): readonly string[] =>
  warningBitsOf(kind).flatMap(([rule, bit]) => (hasBit(issues, bit) ? [rule] : []));

/** Bits above the 32nd are beyond the operators of JavaScript. */
export const hasBit = (issues: number, bit: number): boolean => Math.floor(issues / bit) % 2 === 1;

const warningBitsOf = memo((kind: Kind): readonly (readonly [string, number])[] => [
  ...RULES.flatMap((rule): readonly (readonly [string, number])[] =>
    rule.kind === kind && rule.severity === 'warning' ? [[rule.id, 2 ** rule.bit]] : [],
  ),
  [`${USER_RULE_PREFIX}warning`, 2 ** USER_RULE_BIT.warning],
]);

/** All bits of a kind with this severity, or of the rules that need more than one campaign. */
export const issueMask = (kind: Kind, which: Severity | 'account'): number => masksOf(kind)(which);

const masksOf = memo((kind: Kind) => memo((which: Severity | 'account') => maskOf(kind, which)));

function maskOf(kind: Kind, which: Severity | 'account'): number {
  let mask = 0;
  for (const rule of RULES) {
    if (rule.kind !== kind) continue;
    const isWanted = which === 'account' ? kind === 'media' || rule.scope === 'account' : rule.severity === which;
    if (isWanted) mask += 2 ** rule.bit;
  }
  for (const [severity, bit] of Object.entries(USER_RULE_BIT)) {
    if (which === 'account' ? kind === 'media' : which === severity) mask += 2 ** bit;
  }
  return mask;
}

/** A text that identifies the rules; when it changes, all stored issues are computed again. */
const rulesVersion = (): string => RULES.map((rule) => `${rule.id}:${rule.bit}:${rule.severity[0]}`).join(' ');

/** The checker for a moment, with its inputs; both threads of a workspace use equal ones. */
export interface RuleChecker {
  readonly checker: Checker;
  /** Equal text means equal issues for equal rows and facts. */
  readonly madeWith: string;
}

/**
 * Creates a function that returns the checker for a time: with the date in the business zone on the service's calendar
 * (the computer's, except for a practice account whose clock was moved), and the current user rules and muted rules.
 *
 * @returns the checker at `nowMs`; the same object until one of its inputs changes
 */
export function createRuleChecker(
  db: Db,
  profile: DeploymentSettings,
  migrated: boolean | null,
): (nowMs: number) => RuleChecker {
  const catalog = catalogOf(db);
  const verdicts = readRejectedCreatives(db, profile.business.zone);
  let known: {
    readonly today: string;
    readonly own: string;
    readonly muted: string;
    readonly judgement: RuleChecker;
  } | null = null;
  return (nowMs) => {
    const today = dateInZone(nowMs + calendarAheadMs(db), profile.business.zone);
    const own = userRulesText(db);
    const muted = mutedRulesText(db);
    if (known?.today === today && known.own === own && known.muted === muted) return known.judgement;
    const judgement = {
      checker: createChecker({ profile, today, migrated, catalog, verdicts }, runnable(db), new Set(muted.split(' '))),
      madeWith: JSON.stringify({ day: today, migrated, profile, rules: rulesVersion(), own, muted }),
    };
    known = { today, own, muted, judgement };
    return judgement;
  };
}

/** Stored rules that this version can't run are skipped; whoever lists the rules is told of them. */
const runnable = (db: Db): readonly CompiledUserRule[] =>
  readUserRules(db).flatMap((rule) => {
    const compiled = isKnownRule(rule) ? parseUserRule(rule) : null;
    return compiled?.ok === true ? [compiled.value] : [];
  });
