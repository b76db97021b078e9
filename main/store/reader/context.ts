import { type ChangeStatus, QUICK_FILTERS } from '../../../shared/api/choices.ts';
import type { Change, ViewSpec } from '../../../shared/api/workspace.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { isLockedByReview } from '../../../shared/lifecycle/change-impact.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import {
  type AnyRow,
  cellOf,
  changedFields,
  DELETED,
  FIELD_BITS,
  HELD,
  isDeleted,
  isHeld,
  isNew,
  NEW,
} from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { isPending } from '../../../shared/plan/send-decisions.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import type { Query } from '../../../shared/search/query.ts';
import { hasErrorSql, issueMask } from '../check.ts';
import { asNumber, asNumberOrNull, type Db, numberOf, rowIdOf, wordsIn } from '../db/db.ts';
import { openDb } from '../db/open-db.ts';
import { LIVE } from '../outbox/schema.ts';
import { campaignNames } from '../rows/campaign-ids.ts';
import { readRowsWithIds } from '../rows/read-rows.ts';
import { checkedRevision, currentRevision, kindState } from '../rows/revision.ts';
import { allTables, choiceCode, kindAt, tableOf } from '../schema/tables.ts';
import { createAttention } from './attention.ts';
import { createIssuesReader } from './issues.ts';
import { rowMetricsOf } from './row-metrics.ts';
import { type Condition, onlyParts, searchSql } from './search-sql.ts';
import { createSummary } from './summary.ts';
import { createViewSizes } from './view-values.ts';
import { createViews } from './views.ts';

export interface ReaderOptions {
  readonly file: string;
  readonly profile: DeploymentSettings;
  readonly migrated: boolean | null;
}

/** State of the reader thread: its own connection, which never waits for the writer, and its caches. */
export function openReader({ file, profile, migrated }: ReaderOptions) {
  const db = openDb(file, { readOnly: true });
  const issues = createIssuesReader(db, profile, migrated);
  return {
    db,
    profile,
    metrics: rowMetricsOf(db),
    views: createViews(db),
    viewCounts: createViewCounts(db),
    viewSizes: createViewSizes(db),
    issues,
    attention: createAttention(db, issues),
    changes: createChanges(db),
    summary: createSummary(db),
  };
}

/** The context of a reader operation. */
export interface ReaderContext extends Omit<ReturnType<typeof openReader>, 'db'> {
  readonly db: Db;
  /** Time of the call in milliseconds since 1970. It comes from the main thread, whose clock may be a virtual one. */
  readonly nowMs: number;
  /** True once the call was canceled. */
  readonly isCancelled: () => boolean;
}

type ViewCounts = Record<ViewSpec['only'], number>;

type Only = ViewSpec['only'];
/** Filters that depend on checks, which change a few times a second after a large edit. */
const FOUND: readonly Only[] = ['errors', 'warnings', 'attention'];
const OTHERS = QUICK_FILTERS.filter((only) => !FOUND.includes(only));

/**
 * How many rows each quick filter would show. Each count uses an index of the few rows concerned. Counts of a whole
 * kind are cached until the kind changes, those of issues until a check changes some.
 */
function createViewCounts(db: Db): (kind: Kind, campaignId: RowId | null) => ViewCounts {
  const kept = new Map<string, { readonly at: string; readonly counts: Partial<ViewCounts> }>();
  const keptCounts = (kind: Kind, which: readonly Only[], at: string): Partial<ViewCounts> => {
    const key = `${kind} ${which.join()}`;
    const known = kept.get(key);
    if (known?.at === at) return known.counts;
    const counts = countRows(db, kind, null, which);
    kept.set(key, { at, counts });
    return counts;
  };
  return (kind, campaignId) => {
    if (campaignId !== null) return inOrder(countRows(db, kind, campaignId, QUICK_FILTERS));
    const { changed } = kindState(db, tableOf(kind));
    // Sends change unconfirmed and running requests without changing a row.
    const live = db.get(`SELECT count(*), total(id), total(length(state)) FROM outbox_op WHERE ${LIVE}`) ?? [];
    const found = keptCounts(kind, FOUND, [changed, checkedRevision(db), ...live].join('/'));
    return inOrder({ ...keptCounts(kind, OTHERS, [changed, ...live].join('/')), ...found });
  };
}

const inOrder = (counts: Partial<ViewCounts>): ViewCounts =>
  Object.fromEntries(QUICK_FILTERS.map((only) => [only, counts[only] ?? 0])) as ViewCounts;

function countRows(db: Db, kind: Kind, campaignId: RowId | null, which: readonly Only[]): Partial<ViewCounts> {
  const table = tableOf(kind);
  const within = campaignId === null ? 'true' : 'k.campaign_id = ?';
  const bind = campaignId === null ? [] : [campaignId];
  const where = (sql: string): number =>
    numberOf(db, `SELECT count(*) FROM ${table.name} k WHERE ${sql} AND ${within}`, ...bind);
  // Counts each part without the rows of the parts before it: for an OR of all parts SQLite would scan the table.
  const count = (only: Only): number => {
    if (only === 'all') return where('true');
    const parts = onlyParts(table, only);
    return parts.reduce((sum, part, i) => {
      const counted = parts.slice(0, i).map((before) => ` AND (${before}) IS NOT TRUE`);
      return sum + where(part + counted.join(''));
    }, 0);
  };
  return Object.fromEntries(which.map((only) => [only, count(only)]));
}

/** Changed rows in list order, with the number of entries of each. */
interface Index {
  readonly revision: number;
  readonly words: string;
  /** Number of changed rows per status, of those that match the words. */
  readonly lanes: Readonly<Record<ChangeStatus, number>>;
  readonly rows: readonly IndexRow[];
}

interface IndexRow {
  readonly kind: Kind;
  readonly id: RowId;
  readonly entries: number;
  readonly lane: ChangeStatus;
}

/**
 * Lists changes that are not on the service: one entry for a new or deleted row, else one per field, campaign by
 * campaign. The index of the list is cached until something changes, so that reading its pages is fast.
 *
 * `words` selects rows that contain each of them in a text, their ID or their campaign's name; `lane` selects a status.
 * Changes that wait for the end of a review come last.
 */
function createChanges(db: Db) {
  let index: Index | null = null;
  return (from: number, count: number, words: string, lane: ChangeStatus | null) => {
    const revision = currentRevision(db);
    if (index === null || index.revision !== revision || index.words !== words) index = readIndex(db, revision, words);
    const { lanes } = index;
    const rows = lane === null ? index.rows : index.rows.filter((row) => row.lane === lane);
    const total = rows.reduce((sum, { entries }) => sum + entries, 0);
    return { total, lanes, changes: readPage(db, rows, from, count) };
  };
}

function readIndex(db: Db, revision: number, words: string): Index {
  const query: Query = { is: 'and', parts: wordsIn(words).map((text) => ({ is: 'text', text })) };
  const parts = allTables().map((table) => {
    const { sql, bind } = query.parts.length === 0 ? EVERY : searchSql(table, query);
    return {
      sql: `SELECT ${table.code} AS kind, id, campaign_id, ad_group_id, dirty,
          issues & ${issueMask(table.kind, 'error')} <> 0 FROM ${table.name} k
        WHERE dirty <> 0 AND dirty & ${~HELD} AND ${sql}`,
      bind,
    };
  });
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  const changed = db
    .all(
      `SELECT * FROM (${union}) ORDER BY campaign_id IS NULL, campaign_id, kind, id`,
      ...parts.flatMap(({ bind }) => bind),
    )
    .map(([kind, id, campaignId, adGroupId, dirty, hasError]) => ({
      kind: kindAt(kind),
      id: rowIdOf(id),
      campaignId: asNumberOrNull(campaignId),
      adGroupId: asNumberOrNull(adGroupId),
      dirty: asNumber(dirty),
      hasError: hasError === 1,
    }));
  const laneOf = createChangeStatusReader(db, changed);
  const rows = changed.map((row): IndexRow => {
    const { kind, id, dirty } = row;
    return { kind, id, entries: entriesOf(dirty), lane: laneOf(row) };
  });
  const lanes = { ready: 0, queued: 0, 'after-video': 0, 'after-review': 0, blocked: 0, held: 0 };
  // A changed row is one change, however many fields differ; `total` counts the lines of the list. An upload is no
  // change.
  for (const { kind, lane } of rows) if (kind !== 'media') lanes[lane]++;
  const isLater = ({ lane }: IndexRow): boolean => lane === 'after-review';
  return { revision, words, lanes, rows: [...rows.filter((row) => !isLater(row)), ...rows.filter(isLater)] };
}

const EVERY: Condition = { sql: 'true', bind: [] };

function entriesOf(dirty: number): number {
  if ((dirty & (NEW | DELETED)) !== 0) return 1;
  let entries = 0;
  for (let bits = dirty & FIELD_BITS; bits !== 0; bits &= bits - 1) entries++;
  return entries;
}

function readPage(db: Db, index: readonly IndexRow[], from: number, count: number): readonly Change[] {
  const wanted: IndexRow[] = [];
  let at = 0;
  let skip = 0;
  for (const row of index) {
    if (at >= from + count) break;
    if (at + row.entries > from) {
      if (wanted.length === 0) skip = from - at;
      wanted.push(row);
    }
    at += row.entries;
  }
  const rows = new Map<string, AnyRow>();
  for (const kind of KINDS) {
    const ids = wanted.filter((row) => row.kind === kind).map((row) => row.id);
    if (ids.length === 0) continue;
    for (const row of readRowsWithIds(db, kind, ids)) rows.set(`${kind}:${row.id}`, row as AnyRow);
  }
  const names = campaignNames(db, [...rows.values()]);
  const changes = wanted.flatMap(({ kind, id, lane }) => {
    const row = rows.get(`${kind}:${id}`);
    return row === undefined ? [] : changesOf(row, names, lane);
  });
  return changes.slice(skip, skip + count);
}

function changesOf(row: AnyRow, names: ReadonlyMap<number, string>, lane: ChangeStatus): readonly Change[] {
  const head = {
    kind: row.kind,
    id: row.id,
    campaignId: row.campaignId,
    campaignName: row.campaignId === null ? '' : (names.get(row.campaignId) ?? ''),
    label: rowLabel(row),
    held: isHeld(row),
    lane,
  };
  const whole = { field: null, before: null, after: null };
  if (isDeleted(row)) return [{ ...head, what: 'deleted', ...whole }];
  if (isNew(row)) return [{ ...head, what: 'new', ...whole }];
  return changedFields(row.kind, row.dirty).map((field) => ({
    ...head,
    what: 'field',
    field,
    before: cellOf(row.base, field),
    after: cellOf(row.values, field),
  }));
}

/** The fields of a changed row that decide its status. */
interface ChangedRow {
  readonly kind: Kind;
  readonly id: number;
  readonly campaignId: number | null;
  readonly adGroupId: number | null;
  readonly dirty: number;
  readonly hasError: boolean;
}

/**
 * Finds the status of each changed row. The first match counts: a running send, a hold, an error or a conflict, an open
 * review, a video in processing. A hold or an error of a new campaign or ad group also applies to the rows below it.
 */
function createChangeStatusReader(db: Db, rows: readonly ChangedRow[]): (row: ChangedRow) => ChangeStatus {
  const live = pairs(db, `SELECT kind, row_id FROM outbox_op WHERE ${LIVE}`);
  const disputed = pairs(db, 'SELECT kind, id FROM conflict');
  const locked = lockedRows(db, rows);
  const awaiting = rowsWaitingForVideo(db, rows);
  const heldParents = newParents(db, `dirty & ${HELD}`);
  const brokenParents = {
    campaign: newParents(db, hasErrorSql('campaign')).campaign,
    adGroup: newParents(db, hasErrorSql('adGroup')).adGroup,
  };
  const isBelow = (row: ChangedRow, parents: Parents): boolean =>
    (row.campaignId !== null && parents.campaign.has(row.campaignId)) ||
    (row.adGroupId !== null && parents.adGroup.has(row.adGroupId));
  return (row) => {
    const key = keyOf(tableOf(row.kind).code, row.id);
    if (live.has(key)) return 'queued';
    if (isHeld(row) || isBelow(row, heldParents)) return 'held';
    if (row.hasError || disputed.has(key) || isBelow(row, brokenParents)) return 'blocked';
    return locked.has(key) ? 'after-review' : awaiting.has(key) ? 'after-video' : 'ready';
  };
}

interface Parents {
  readonly campaign: ReadonlySet<number>;
  readonly adGroup: ReadonlySet<number>;
}

/** Campaigns and ad groups that are not on the service yet and meet a condition. */
function newParents(db: Db, condition: string): Parents {
  const of = (kind: 'campaign' | 'adGroup'): ReadonlySet<number> =>
    new Set(
      db
        .all(`SELECT id FROM ${tableOf(kind).name} WHERE dirty <> 0 AND remote_id IS NULL AND ${condition}`)
        .map(([id]) => asNumber(id)),
    );
  return { campaign: of('campaign'), adGroup: of('adGroup') };
}

/** Changed rows of campaigns in review whose change is locked by the review. */
function lockedRows(db: Db, rows: readonly ChangedRow[]): ReadonlySet<string> {
  const reviewed = campaignsUnderReview(db);
  const near =
    reviewed.size === 0 ? [] : rows.filter(({ campaignId }) => campaignId !== null && reviewed.has(campaignId));
  const locked = new Set<string>();
  for (const kind of KINDS) {
    const ids = near.filter((row) => row.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const row of readRowsWithIds(db, kind, ids)) {
      if (isLockedByReview(row as AnyRow)) locked.add(keyOf(tableOf(kind).code, row.id));
    }
  }
  return locked;
}

/** Video profiles whose video the service has not processed yet. */
function rowsWaitingForVideo(db: Db, rows: readonly ChangedRow[]): ReadonlySet<string> {
  const ids = rows.filter((row) => row.kind === 'videoProfile' && !isDeleted(row)).map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const profiles = readRowsWithIds(db, 'videoProfile', ids);
  const videos = new Set(profiles.flatMap(({ values }) => values.video ?? []));
  const awaited = new Set(readRowsWithIds(db, 'media', [...videos]).flatMap((row) => (isPending(row) ? row.id : [])));
  const waiting = profiles.filter(({ values }) => values.video !== null && awaited.has(values.video));
  return new Set(waiting.map(({ id }) => keyOf(tableOf('videoProfile').code, id)));
}

export function campaignsUnderReview(db: Db): ReadonlySet<number> {
  const codes = ['pending', 'in-progress'].map((word) => choiceCode('adGroup', 'reviewStatus', word));
  const sql = `SELECT DISTINCT campaign_id FROM ad_group WHERE "reviewStatus" IN (SELECT value FROM json_each(?))`;
  return new Set(db.all(sql, JSON.stringify(codes)).map(([id]) => asNumber(id)));
}

const keyOf = (code: number, id: number): string => `${code}:${id}`;
const pairs = (db: Db, sql: string): ReadonlySet<string> =>
  new Set(db.all(sql).map(([code, id]) => keyOf(asNumber(code), asNumber(id))));
