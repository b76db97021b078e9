import type { Kind } from '../../../shared/model/kinds.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import type { DeploymentSettings } from '../../../shared/profile/profile.ts';
import type { Checker } from '../check.ts';
import { asNumber, type Db, numberOf, rowIdOf } from '../db/db.ts';
import { idList } from '../db/id-list.ts';
import { createRuleChecker } from '../judge.ts';
import { ACCOUNT } from '../rows/account-campaigns.ts';
import { readMeta, writeMeta } from '../rows/meta.ts';
import { readTrees } from '../rows/read-trees.ts';
import { type Rechecked, recheckAccount, recheckCampaigns } from './recheck.ts';
import type { AffectedRows } from './touched.ts';
import { createTreeCache } from './tree-cache.ts';

/**
 * Decides when touched campaigns are checked: at once while they are few, else in slices after the edit. What
 * waits stands in `check_pending` in the transaction of the edit, so a crash does not lose it.
 *
 *   edit --few rows--> checked with it
 *     \--many rows or a new day--> pending --slice by slice--> checked
 */
const ROWS_AT_ONCE = 4000;
const CAMPAIGNS_AT_ONCE = 400;
/** Some 10 ms of work, which an edit that comes meanwhile waits for; larger slices cost no less in all. */
const ROWS_A_SLICE = 5000;
const CAMPAIGNS_A_SLICE = 100;
const DAY_RECHECK_MS = 30_000;
const CHECKED_AS = 'checked-as';

export interface CheckQueue {
  /** Checks or queues what an edit has touched. Answers the kinds of which issues changed. */
  settle(touched: AffectedRows): ReadonlySet<Kind>;
  /** Forgets what it remembers of campaigns: the transaction it belongs to has failed. */
  forget(): void;
  /** Works on what waits, for one slice. Null when nothing waits. */
  slice(): Rechecked | null;
  /** Queues everything when the day, the profile or the rules are not those of the last check. Looks now and then. */
  noticeDay(nowMs: number): void;
  /** The same, at once: the calendar or the user's rules have just been written. */
  judgeAnew(nowMs: number): void;
}

export function createCheckQueue(db: Db, profile: DeploymentSettings, migrated: boolean | null): CheckQueue {
  const cache = createTreeCache(db);
  const judge = createRuleChecker(db, profile, migrated);
  let dayReadAtMs: number | null = null;
  let seenMs = 0;
  let checker: Checker | null = null;
  const current = (): Checker => {
    if (checker === null) throw new Error('a check was asked for before the day was known');
    return checker;
  };
  const judgeAnew = (nowMs: number): void => {
    dayReadAtMs = nowMs;
    seenMs = nowMs;
    const judgement = judge(nowMs);
    if (judgement.checker === checker) return;
    checker = judgement.checker;
    queueUnlessCheckedAs(db, judgement.madeWith);
  };
  return {
    judgeAnew,
    forget: () => {
      cache.forget();
      dayReadAtMs = null;
    },
    settle: ({ campaigns, account }) => {
      const changed = new Set<Kind>();
      if (campaigns.size > 0) {
        const ids = [...campaigns.keys()];
        if (ids.length <= CAMPAIGNS_AT_ONCE && rowsIn(db, ids) <= ROWS_AT_ONCE) {
          const { kinds, moved } = recheckCampaigns(db, current(), ids, cache.read(campaigns), seenMs);
          for (const kind of kinds) changed.add(kind);
          if (moved) changed.add('campaign');
        } else {
          cache.forget();
          queue(db, ids);
        }
      }
      if (!account) return changed;
      if (numberOf(db, 'SELECT count(*) FROM campaign') > CAMPAIGNS_AT_ONCE) queue(db, [asRowId(ACCOUNT)]);
      else for (const kind of recheckAccount(db, current())) changed.add(kind);
      return changed;
    },
    slice: () => {
      const [first] = db.get('SELECT min(campaign_id) FROM check_pending') ?? [];
      if (first === null || first === undefined) return null;
      return asNumber(first) === ACCOUNT
        ? { kinds: sliceAccount(db, current()), moved: false }
        : sliceCampaigns(db, current(), seenMs);
    },
    noticeDay: (nowMs) => {
      seenMs = nowMs;
      if (dayReadAtMs === null || Math.abs(nowMs - dayReadAtMs) >= DAY_RECHECK_MS) judgeAnew(nowMs);
    },
  };
}

function queue(db: Db, ids: readonly RowId[]): void {
  db.run('INSERT OR IGNORE INTO check_pending SELECT value FROM json_each(?)', JSON.stringify(ids));
}

/** How much would have to be read to check these campaigns; keywords and items make up nearly all of it. */
function rowsIn(db: Db, ids: readonly RowId[]): number {
  const list = idList(ids);
  const count = (table: string) => `SELECT count(*) FROM ${table} WHERE campaign_id ${list.sql}`;
  return numberOf(db, `SELECT (${count('keyword')}) + (${count('ad_item')})`, list.bind);
}

function sliceAccount(db: Db, checker: Checker): ReadonlySet<Kind> {
  const changed = recheckAccount(db, checker);
  db.run('DELETE FROM check_pending WHERE campaign_id = ?', ACCOUNT);
  return changed;
}

/** The campaign that waits behind this one, and how many rows it has, keywords and items making up nearly all. */
const NEXT_WAITING = `SELECT w.campaign_id, (SELECT count(*) FROM keyword k WHERE k.campaign_id = w.campaign_id) +
    (SELECT count(*) FROM ad_item k WHERE k.campaign_id = w.campaign_id)
  FROM check_pending w WHERE w.campaign_id > ? ORDER BY w.campaign_id LIMIT 1`;

function sliceCampaigns(db: Db, checker: Checker, nowMs: number): Rechecked {
  const ids: RowId[] = [];
  // One by one: those of a list that do not come into this slice would be counted again for each that follows.
  for (let rows = 0, after = ACCOUNT; rows < ROWS_A_SLICE && ids.length < CAMPAIGNS_A_SLICE; ) {
    const next = db.get(NEXT_WAITING, after);
    if (next === undefined) break;
    const id = rowIdOf(next[0]);
    ids.push(id);
    rows += asNumber(next[1]);
    after = id;
  }
  const trees = readTrees(db, ids, [], checker.asksForKeywordIds ? [] : ['keyword']);
  const changed = recheckCampaigns(db, checker, ids, trees, nowMs);
  db.run('DELETE FROM check_pending WHERE campaign_id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  return changed;
}

function queueUnlessCheckedAs(db: Db, checkedAs: string): void {
  const work = () => {
    if (readMeta(db, CHECKED_AS) === checkedAs) return;
    db.run(`INSERT OR IGNORE INTO check_pending SELECT id FROM campaign UNION SELECT ${ACCOUNT}`);
    writeMeta(db, CHECKED_AS, checkedAs);
  };
  if (db.inTransaction) work();
  else db.tx(work);
}
