import type { UserRule } from '../../../shared/api/rules.ts';
import type { Db } from '../db/db.ts';
import { readMeta } from './revision.ts';

/**
 * What a workspace's rows are judged by beside the deployment's profile: the rules that the user wrote, those that the
 * user has silenced, and how far the service's calendar is ahead of the machine's. They are kept among the workspace's small settings; writing one
 * of them has everything checked again.
 */
export const USER_RULES_KEY = 'user-rules';
export const CALENDAR_AHEAD_KEY = 'calendar-ahead-ms';

export const MUTED_RULES_KEY = 'muted-rules';
/** Judges nothing, and is shared with a team as the rules are. */
export const TEMPLATES_KEY = 'campaign-templates';

const STANDARDS: readonly string[] = [USER_RULES_KEY, CALENDAR_AHEAD_KEY, MUTED_RULES_KEY];
export const isRuleSetting = (key: string): boolean => STANDARDS.includes(key);

/** Ids of the rules that are silent here, with blanks between them. */
export const mutedRulesText = (db: Db): string => readMeta(db, MUTED_RULES_KEY) ?? '';

/** The rules as stored; equal text means equal rules. */
export const userRulesText = (db: Db): string => readMeta(db, USER_RULES_KEY) ?? '[]';

/**
 * Taken as they were written: the main thread, which writes them, has checked them (`main/app/active-account.ts`), and a thread
 * that loaded the schemas for this alone would open half again as late.
 */
export const readUserRules = (db: Db): readonly UserRule[] => JSON.parse(userRulesText(db)) as readonly UserRule[];

/** Milliseconds by which the service's clock is ahead; 0 but for a practice account whose clock was moved. */
export const calendarAheadMs = (db: Db): number => Number(readMeta(db, CALENDAR_AHEAD_KEY) ?? '0');
