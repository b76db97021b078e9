import type { RowRef } from '../../../shared/api/scalars.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { memo } from '../../../shared/memo.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { Row } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import type { Issue, IssueCounts } from '../../../shared/rules/rule.ts';
import { type Checker, createRuleChecker, issueBit, issueMask } from '../check.ts';
import { asNumber, type Db, type DbValue, idList, numberOf, rowIdOf } from '../db/db.ts';
import { deriveStates } from '../remote/campaign-status.ts';
import { ACCOUNT, readAccountCampaigns } from '../rows/campaign-ids.ts';
import { commonBits, countIssues, formatCounts, withBit, withoutBits } from '../rows/issue-counts.ts';
import { readRows } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import { tableOf } from '../schema/tables.ts';
import type { AffectedRows } from './writer-store.ts';

/**
 * Decides when changed campaigns are checked: at once if they are few, else in slices after the edit. `check_pending`
 * is written in the edit's transaction, so a crash does not lose it.
 *
 *   edit --few rows--> checked in the same transaction
 *     \--many rows or a new day--> pending --slice by slice--> checked
 */
const ROWS_AT_ONCE = 4000;
const CAMPAIGNS_AT_ONCE = 400;
/** About 10 ms of work, which a concurrent edit waits for; larger slices are not faster in total. */
const ROWS_A_SLICE = 5000;
const CAMPAIGNS_A_SLICE = 100;
const DAY_RECHECK_MS = 30_000;
const CHECKED_AS = 'checked-as';

export function createCheckQueue(db: Db, profile: DeploymentSettings, migrated: boolean | null) {
  const cache = createTreeCache(db);
  const told = createToldIssues();
  const judge = createRuleChecker(db, profile, migrated);
  let dayReadAtMs: number | null = null;
  let seenMs = 0;
  let checker: Checker | null = null;
  const current = (): Checker => {
    if (checker === null) throw new Error('a check was asked for before the day was known');
    return checker;
  };
  const recheckAll = (nowMs: number): void => {
    dayReadAtMs = nowMs;
    seenMs = nowMs;
    const judgement = judge(nowMs);
    if (judgement.checker === checker) return;
    checker = judgement.checker;
    queueUnlessCheckedAs(db, judgement.madeWith);
  };
  return {
    /** Checks everything again at once, after the calendar or the user's rules were written. */
    recheckAll,
    /** Clears the cache of campaigns: its transaction has failed. */
    forget: () => {
      cache.forget();
      told.clear();
      dayReadAtMs = null;
    },
    /** Checks or queues the campaigns that an edit changed. Returns the kinds whose issues changed. */
    settle: (touched: AffectedRows): ReadonlySet<Kind> => {
      const { campaigns, account } = touched;
      const changed = new Set<Kind>();
      if (campaigns.size > 0) {
        const ids = [...campaigns.keys()];
        const isFew = cache.holds(campaigns) || (ids.length <= CAMPAIGNS_AT_ONCE && rowsIn(db, ids) <= ROWS_AT_ONCE);
        if (isFew) {
          const { kinds, moved } = recheckCampaigns(db, current(), ids, cache.read(campaigns), seenMs, touched);
          for (const kind of kinds) changed.add(kind);
          if (moved) changed.add('campaign');
        } else {
          cache.forget();
          told.clear();
          queue(db, ids);
        }
      }
      if (account) {
        if (numberOf(db, 'SELECT count(*) FROM campaign') > CAMPAIGNS_AT_ONCE) {
          told.forget([ACCOUNT]);
          queue(db, [asRowId(ACCOUNT)]);
        } else for (const kind of recheckAccount(db, current(), touched)) changed.add(kind);
      }
      for (const [id, issues] of touched.issues) told.compare(id, issues, touched);
      return changed;
    },
    /** Checks one slice of the queue. Null if the queue is empty. */
    slice: (): Rechecked | null => {
      const [first] = db.get('SELECT min(campaign_id) FROM check_pending') ?? [];
      if (first === null || first === undefined) return null;
      told.clear();
      return asNumber(first) === ACCOUNT
        ? { kinds: sliceAccount(db, current()), moved: false }
        : sliceCampaigns(db, current(), seenMs);
    },
    /** Queues everything if the day, the profile or the rules changed since the last check. Checked at intervals. */
    noticeDay: (nowMs: number) => {
      seenMs = nowMs;
      if (dayReadAtMs === null || Math.abs(nowMs - dayReadAtMs) >= DAY_RECHECK_MS) recheckAll(nowMs);
    },
  };
}

function queue(db: Db, ids: readonly RowId[]): void {
  db.run('INSERT OR IGNORE INTO check_pending SELECT value FROM json_each(?)', JSON.stringify(ids));
}

/** The number of rows to read for these campaigns; keywords and items are nearly all of them. */
function rowsIn(db: Db, ids: readonly RowId[]): number {
  const list = idList(ids);
  return numberOf(db, rowsInSql(list.sql), list.bind);
}

const rowsInSql = memo((which: string) => {
  const count = (table: string) => `SELECT count(*) FROM ${table} WHERE campaign_id ${which}`;
  return `SELECT (${count('keyword')}) + (${count('ad_item')})`;
});

function sliceAccount(db: Db, checker: Checker): ReadonlySet<Kind> {
  const changed = recheckAccount(db, checker);
  db.run('DELETE FROM check_pending WHERE campaign_id = ?', ACCOUNT);
  return changed;
}

/** The next pending campaign and its number of rows; keywords and items are nearly all of them. */
const NEXT_WAITING = `SELECT w.campaign_id, (SELECT count(*) FROM keyword k WHERE k.campaign_id = w.campaign_id) +
    (SELECT count(*) FROM ad_item k WHERE k.campaign_id = w.campaign_id)
  FROM check_pending w WHERE w.campaign_id > ? ORDER BY w.campaign_id LIMIT 1`;

function sliceCampaigns(db: Db, checker: Checker, nowMs: number): Rechecked {
  const ids: RowId[] = [];
  // One by one: counting a whole list would count campaigns beyond this slice again for each later slice.
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

/** Kinds that the check of a campaign covers: files belong to the account. */
const CHECKED_KINDS = KINDS.filter((kind) => kind !== 'media');
const ACCOUNT_KINDS = ['campaign', 'media'] as const satisfies readonly Kind[];
const NOTHING: ReadonlyMap<number, number> = new Map();

interface Rechecked {
  readonly kinds: ReadonlySet<Kind>;
  readonly moved: boolean;
}

/** Masks by row ID, for each kind with any. */
type Masks = Map<Kind, Map<number, number>>;

/**
 * Derives the states of these campaigns, checks them and writes the results: a bit per rule in `issues` of each row,
 * and the number of issues per campaign and rule. Bits of account rules are not changed.
 *
 * @param trees the existing campaigns of these IDs
 * @returns whether a state changed, and the kinds with changed issues; campaigns if only counts changed, as when a
 * second rule finds the same rows
 */
function recheckCampaigns(
  db: Db,
  checker: Checker,
  campaignIds: readonly RowId[],
  trees: readonly CampaignTree[],
  nowMs: number,
  touched: AffectedRows | null = null,
): Rechecked {
  const masks: Masks = new Map();
  const counts = new Map<number, Counted>(campaignIds.map((id) => [id, NONE]));
  const states = deriveStates(db, trees, checker.today, nowMs);
  for (const id of states.written) touched?.row('campaign', id);
  for (const tree of states.trees) {
    const issues = checker.campaign(tree);
    touched?.issues.set(tree.campaign.id, issues);
    if (issues.length === 0) continue;
    addToMasks(masks, issues);
    counts.set(tree.campaign.id, storedCounts(issues));
  }
  const list = idList(campaignIds);
  const before = readMasks(db, CHECKED_KINDS, `campaign_id ${list.sql}`, list.bind);
  const changed = new Set<Kind>();
  for (const kind of CHECKED_KINDS) {
    const kept = (mask: number) => commonBits(mask, issueMask(kind, 'account'));
    if (writeMasks(db, kind, before.get(kind), masks.get(kind), kept, touched)) changed.add(kind);
  }
  const recounted = [...counts].filter(([id, count]) => writeCount(db, id, count));
  return { kinds: orCampaign(changed, recounted.length > 0), moved: states.moved };
}

/** Checks rules across campaigns and the media library; does not change the bits of campaign rules. */
function recheckAccount(db: Db, checker: Checker, touched: AffectedRows | null = null): ReadonlySet<Kind> {
  const issues = checker.account(readAccountCampaigns(db), readRows(db, 'media', 'true'));
  touched?.issues.set(ACCOUNT, issues);
  const masks: Masks = new Map();
  addToMasks(masks, issues);
  const before = readMasks(db, ACCOUNT_KINDS, 'true');
  const changed = new Set<Kind>();
  for (const kind of ACCOUNT_KINDS) {
    const kept = (mask: number) => withoutBits(mask, issueMask(kind, 'account'));
    if (writeMasks(db, kind, before.get(kind), masks.get(kind), kept, touched)) changed.add(kind);
  }
  return orCampaign(changed, writeCount(db, ACCOUNT, storedCounts(issues)));
}

/** If only counts changed, campaigns are named, because listeners ignore a change without a kind. */
const orCampaign = (changed: ReadonlySet<Kind>, isRecounted: boolean): ReadonlySet<Kind> =>
  changed.size === 0 && isRecounted ? new Set<Kind>(['campaign']) : changed;

/** The nonzero `issues` by kind and row; one statement, because an edit waits for it. */
function readMasks(db: Db, kinds: readonly Kind[], where: string, ...bind: readonly DbValue[]): Masks {
  const masks: Masks = new Map();
  for (const [at, id, mask] of db.all(masksSql(kinds)(where), ...bind)) {
    const kind = kinds[asNumber(at)];
    if (kind !== undefined) ofKind(masks, kind).set(asNumber(id), asNumber(mask));
  }
  return masks;
}

const masksSql = memo((kinds: readonly Kind[]) =>
  memo((where: string) =>
    kinds
      .map((kind, at) => `SELECT ${at}, id, issues FROM ${tableOf(kind).name} WHERE issues <> 0 AND ${where}`)
      .join(' UNION ALL '),
  ),
);

interface Counted extends IssueCounts {
  /** Counts per rule, in the format of `finding_count`. */
  readonly rules: string;
}

const NONE: Counted = { error: 0, warning: 0, advice: 0, rules: formatCounts([]) };

function storedCounts(issues: readonly Issue[]): Counted {
  const counts = { error: 0, warning: 0, advice: 0 };
  const tallies = countIssues(issues);
  for (const { severity, found } of tallies) counts[severity] += found;
  return { ...counts, rules: formatCounts(tallies) };
}

function ofKind(masks: Masks, kind: Kind): Map<number, number> {
  const byId = masks.get(kind) ?? new Map<number, number>();
  masks.set(kind, byId);
  return byId;
}

function addToMasks(masks: Masks, issues: readonly Issue[]): void {
  for (const issue of issues) {
    const byId = ofKind(masks, issue.kind);
    byId.set(issue.id, withBit(byId.get(issue.id) ?? 0, issueBit(issue)));
  }
}

/** Writes the masks that changed; `kept` selects the bits that this check must not change. */
function writeMasks(
  db: Db,
  kind: Kind,
  before: ReadonlyMap<number, number> = NOTHING,
  found: ReadonlyMap<number, number> = NOTHING,
  kept: (mask: number) => number,
  touched: AffectedRows | null,
): boolean {
  const idsByMask = new Map<number, number[]>();
  const note = (id: number, mask: number): void => {
    const ids = idsByMask.get(mask);
    if (ids === undefined) idsByMask.set(mask, [id]);
    else ids.push(id);
  };
  for (const [id, old] of before) {
    const mask = kept(old) + (found.get(id) ?? 0);
    if (mask !== old) note(id, mask);
  }
  for (const [id, mask] of found) if (!before.has(id)) note(id, mask);
  // One statement per mask instead of per row saves a third: many rows share few masks.
  for (const [mask, ids] of idsByMask) {
    for (const id of ids) touched?.row(kind, asRowId(id));
    const list = idList(ids);
    db.run(`UPDATE ${tableOf(kind).name} SET issues = ?2 WHERE id ${list.sql}`, list.bind, mask);
  }
  return idsByMask.size > 0;
}

/** @returns true if the number changed */
function writeCount(db: Db, campaignId: number, { error, warning, advice, rules }: Counted): boolean {
  if (error + warning + advice === 0) {
    return db.run('DELETE FROM finding_count WHERE campaign_id = ?', campaignId) > 0;
  }
  const written = db.run(
    `INSERT INTO finding_count(campaign_id, error, warning, advice, rules) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET error = ?2, warning = ?3, advice = ?4, rules = ?5 WHERE rules <> ?5`,
    campaignId,
    error,
    warning,
    advice,
    rules,
  );
  return written > 0;
}

const TOLD_KEPT = 8;

/** A rule about a single row gives another issue only if that row was edited; then it is touched anyway. */
function mayTellOfOthers({ rule }: Issue): boolean {
  const known = ruleById(rule);
  return known === undefined || known.scope !== 'row' || known.needs === 'media facts';
}

function isSameIssue(a: Issue, b: Issue): boolean {
  const isSame = a.id === b.id && a.rule === b.rule && a.severity === b.severity && a.field === b.field;
  if (!isSame || a.fix?.field !== b.fix?.field || a.fix?.value !== b.fix?.value) return false;
  const names = Object.keys(a.params);
  return names.length === Object.keys(b.params).length && names.every((name) => a.params[name] === b.params[name]);
}

/**
 * The last issues of campaigns and of the account, to detect rows whose issues change. An issue may name other
 * rows than its own, so an edit can change its text while the mask stays the same.
 */
function createToldIssues() {
  const told = new Map<number, readonly Issue[]>();
  return {
    /** Marks rows whose issues changed; without earlier issues, all rows that may have changed. */
    compare: (id: number, now: readonly Issue[], touched: AffectedRows) => {
      const before = told.get(id);
      told.delete(id);
      told.set(id, now);
      for (const oldest of told.keys()) if (told.size > TOLD_KEPT) told.delete(oldest);
      if (!touched.wantsRows) return;
      if (before === undefined) {
        for (const issue of now) if (mayTellOfOthers(issue)) touched.row(issue.kind, issue.id);
        return;
      }
      const length = Math.min(before.length, now.length);
      const isSame = (a: number, b: number): boolean => {
        const [one, other] = [before[a], now[b]];
        return one !== undefined && other !== undefined && isSameIssue(one, other);
      };
      let start = 0;
      while (start < length && isSame(start, start)) start += 1;
      let end = 0;
      while (end < length - start && isSame(before.length - 1 - end, now.length - 1 - end)) end += 1;
      for (const list of [before, now]) {
        for (const issue of list.slice(start, list.length - end)) touched.row(issue.kind, issue.id);
      }
    },
    forget: (ids: readonly number[]) => {
      for (const id of ids) told.delete(id);
    },
    clear: () => told.clear(),
  };
}

const TREES_KEPT = 4;

/**
 * Caches the campaigns that were checked last. Users often edit one row after another of the same campaign; then only
 * the edited rows are read again instead of hundreds.
 *
 * Only edits of cells use the cache. Any other change removes its campaign from the cache, and a failed transaction
 * clears it.
 */
function createTreeCache(db: Db) {
  const trees = new Map<RowId, CampaignTree>();
  const readOne = (id: RowId, rows: readonly RowRef[] | null): CampaignTree | undefined => {
    const known = trees.get(id);
    trees.delete(id);
    const fresh = known === undefined || rows === null ? null : withRows(db, known, rows);
    const tree = fresh ?? readTrees(db, [id])[0];
    if (tree !== undefined) trees.set(id, tree);
    for (const oldest of trees.keys()) if (trees.size > TREES_KEPT) trees.delete(oldest);
    return tree;
  };
  return {
    /** Whether these campaigns are cached and only their cells changed, so that they have the same rows. */
    holds: (campaigns: ReadonlyMap<RowId, readonly RowRef[] | null>): boolean =>
      [...campaigns].every(([id, rows]) => rows !== null && trees.has(id)),
    /** The current trees of these campaigns; `rows` are the changed ones, null for possibly any. */
    read: (campaigns: ReadonlyMap<RowId, readonly RowRef[] | null>): readonly CampaignTree[] => {
      if (campaigns.size <= TREES_KEPT) {
        return [...campaigns].flatMap(([id, rows]) => readOne(id, rows) ?? []);
      }
      for (const id of campaigns.keys()) trees.delete(id);
      return readTrees(db, [...campaigns.keys()]);
    },
    forget: () => trees.clear(),
  };
}

/** The tree with these rows read again; null if one of them affects rows of other kinds. */
function withRows(db: Db, tree: CampaignTree, refs: readonly RowRef[]): CampaignTree | null {
  let { campaign, adGroups, adItems, keywords, placementMultipliers, platformMultipliers } = tree;
  for (const kind of new Set(refs.map((ref) => ref.kind))) {
    const ids = refs.filter((ref) => ref.kind === kind).map((ref) => ref.id);
    switch (kind) {
      case 'campaign':
        campaign = refreshed(db, kind, [campaign], ids)[0] ?? campaign;
        break;
      case 'adGroup':
        adGroups = refreshed(db, kind, adGroups, ids);
        break;
      case 'adItem':
        adItems = refreshed(db, kind, adItems, ids);
        break;
      case 'keyword':
        keywords = refreshed(db, kind, keywords, ids);
        break;
      case 'placementMultiplier':
        placementMultipliers = refreshed(db, kind, placementMultipliers, ids);
        break;
      case 'platformMultiplier':
        platformMultipliers = refreshed(db, kind, platformMultipliers, ids);
        break;
      // A profile may refer to another file now, and a file belongs to several campaigns.
      case 'sbaProfile':
      case 'videoProfile':
      case 'media':
        return null;
    }
  }
  return { ...tree, campaign, adGroups, adItems, keywords, placementMultipliers, platformMultipliers };
}

function refreshed<K extends Kind>(db: Db, kind: K, rows: readonly Row<K>[], ids: readonly RowId[]): readonly Row<K>[] {
  const list = idList(ids);
  const fresh = readRows(db, kind, `k.id ${list.sql}`, list.bind);
  const byId = new Map(fresh.map((row) => [row.id, row]));
  return rows.map((row) => byId.get(row.id) ?? row);
}
