import { CHANGE_STATUSES, type ChangeStatus } from '../../../shared/contract/change-lane.ts';
import type { Change } from '../../../shared/contract/workspace.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import {
  type AnyRow,
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
import { rowLabel } from '../../../shared/rules/row-label.ts';
import type { Query } from '../../../shared/search/query.ts';
import { issueMask } from '../check.ts';
import { asNumber, asNumberOrNull, type Db, rowIdOf } from '../db/db.ts';
import { campaignNames } from '../rows/campaign-names.ts';
import { readRows } from '../rows/read-rows.ts';
import { currentRevision } from '../rows/revision.ts';
import { allTables } from '../schema/tables.ts';
import { createChangeStatusReader } from './change-lanes.ts';
import { type Condition, searchSql } from './search-sql.ts';

export interface ChangesPage {
  readonly total: number;
  readonly changes: readonly Change[];
  /** How many changes stand where, of all that have the words. */
  readonly lanes: Readonly<Record<ChangeStatus, number>>;
}

/** Changed rows in the order of the list, with how many entries each makes. */
interface Index {
  readonly revision: number;
  readonly words: string;
  readonly lanes: ChangesPage['lanes'];
  readonly rows: readonly IndexRow[];
}

interface IndexRow {
  readonly kind: Kind;
  readonly id: RowId;
  readonly entries: number;
  readonly lane: ChangeStatus;
}

/**
 * Lists what differs from the service: one entry for a new or deleted row, one per field otherwise, campaign by
 * campaign. The index of the list is kept until something changes, so that paging through it is cheap.
 *
 * `words` narrows it to rows that hold each of them in one of their texts, their id, or the name of their campaign; `lane`
 * to those that stand there. What waits for the end of a review stands last.
 */
export function createChanges(
  db: Db,
): (from: number, count: number, words: string, lane: ChangeStatus | null) => ChangesPage {
  let index: Index | null = null;
  return (from, count, words, lane) => {
    const revision = currentRevision(db);
    if (index === null || index.revision !== revision || index.words !== words) index = readIndex(db, revision, words);
    const { lanes } = index;
    const rows = lane === null ? index.rows : index.rows.filter((row) => row.lane === lane);
    const total = lane === null ? CHANGE_STATUSES.reduce((sum, each) => sum + lanes[each], 0) : lanes[lane];
    return { total, lanes, changes: readPage(db, rows, from, count) };
  };
}

function readIndex(db: Db, revision: number, words: string): Index {
  const query: Query = {
    is: 'and',
    parts: words
      .split(/\s+/u)
      .filter((word) => word !== '')
      .map((text) => ({ is: 'text', text })),
  };
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
      kind: KINDS[asNumber(kind)] ?? 'campaign',
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
  const lanes = { ready: 0, queued: 0, 'after-review': 0, blocked: 0, held: 0 };
  for (const { lane, entries } of rows) lanes[lane] += entries;
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
    const where = 'k.id IN (SELECT value FROM json_each(?))';
    for (const row of readRows(db, kind, where, JSON.stringify(ids))) rows.set(`${kind}:${row.id}`, row as AnyRow);
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
  const values: Readonly<Record<string, Cell>> = row.values;
  const base: Readonly<Record<string, Cell>> = row.base ?? {};
  return changedFields(row.kind, row.dirty).map((field) => ({
    ...head,
    what: 'field',
    field,
    before: base[field] ?? null,
    after: values[field] ?? null,
  }));
}
