import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import { type CompiledUserRule, parseUserRule } from '../../shared/rules/custom-rules.ts';
import { type Checker, createChecker, rulesVersion } from './check.ts';
import type { Db } from './db/db.ts';
import { catalogueOf } from './rows/item-facts.ts';
import { calendarAheadMs, mutedRulesText, readUserRules, userRulesText } from './rows/rule-settings.ts';
import { readRejectedCreatives } from './verdicts/review-history.ts';

/** The checker that holds at a moment, and what it was made with; both threads of a workspace judge alike. */
export interface RuleChecker {
  readonly checker: Checker;
  /** Equal text means equal findings for equal rows and facts. */
  readonly madeWith: string;
}

/**
 * Judges by the date in the business zone on the service's calendar (the machine's, but for a practice account whose
 * clock was moved), and by the user's own rules and silenced ones as they are stored now.
 *
 * @returns what holds at `nowMs`; the same object while nothing of it has changed
 */
export function createRuleChecker(
  db: Db,
  profile: DeploymentSettings,
  migrated: boolean | null,
): (nowMs: number) => RuleChecker {
  const catalogue = catalogueOf(db);
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
      checker: createChecker(
        { profile, today, migrated, catalogue, verdicts },
        runnable(db),
        new Set(muted.split(' ')),
      ),
      madeWith: JSON.stringify({ day: today, migrated, profile, rules: rulesVersion(), own, muted }),
    };
    known = { today, own, muted, judgement };
    return judgement;
  };
}

/** A stored rule that this version cannot read is not run; the list of rules says so. */
const runnable = (db: Db): readonly CompiledUserRule[] =>
  readUserRules(db).flatMap((rule) => {
    const compiled = parseUserRule(rule);
    return compiled.ok ? [compiled.value] : [];
  });
