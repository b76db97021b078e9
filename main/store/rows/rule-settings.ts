import { jsonOrNull } from '../../../shared/json-or-null.ts';
import type { Db } from '../db/db.ts';
import { readMeta } from './revision.ts';

/**
 * Settings of the checks besides the deployment profile: the user's custom rules, muted rules, and how far the
 * service's calendar is ahead of the computer's. They are stored among the workspace's small settings; writing one
 * checks everything again.
 */
export const USER_RULES_KEY = 'user-rules';
export const CALENDAR_AHEAD_KEY = 'calendar-ahead-ms';

export const MUTED_RULES_KEY = 'muted-rules';
/** Does not affect checks; shared with a team like the rules. */
export const TEMPLATES_KEY = 'campaign-templates';

const STANDARDS: readonly string[] = [USER_RULES_KEY, CALENDAR_AHEAD_KEY, MUTED_RULES_KEY];
export const isRuleSetting = (key: string): boolean => STANDARDS.includes(key);

/** IDs of the muted rules, separated by spaces. */
export const mutedRulesText = (db: Db): string => readMeta(db, MUTED_RULES_KEY) ?? '';

/** The rules as stored; equal text means equal rules. */
export const userRulesText = (db: Db): string => readMeta(db, USER_RULES_KEY) ?? '[]';

/** Not validated here, because loading the schemas would make a thread start half again as slowly: see `isKnownRule`. */
export function readUserRules(db: Db): readonly unknown[] {
  const found = jsonOrNull(userRulesText(db));
  return Array.isArray(found) ? found : [];
}

/** Milliseconds by which the service's clock is ahead; 0 except for a practice account whose clock was moved. */
export const calendarAheadMs = (db: Db): number => Number(readMeta(db, CALENDAR_AHEAD_KEY) ?? '0');
