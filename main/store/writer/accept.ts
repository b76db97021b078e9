import type { RowRef } from '../../../shared/api/scalars.ts';
import type { Conflict } from '../../../shared/api/sync.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import { CREATIVE_KINDS } from '../../../shared/model/creative.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, cellOf, differingBits, FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { asNumber, type Db, type DbRow, type DbValue, rowIdOf } from '../db/db.ts';
import { noteCampaignWrite } from '../remote/campaign-status.ts';
import { recordRemoteId } from '../remote/remote-ids.ts';
import { noteShown } from '../reviews/banners-shown.ts';
import { recordReviewResults } from '../reviews/review-history.ts';
import { fromStored, toBound, toStored } from '../rows/codec.ts';
import { readRow } from '../rows/read-rows.ts';
import {
  type Column,
  columnByCode,
  columnNamed,
  columnOf,
  DELETED_CODE,
  kindAt,
  sqlList,
  type Table,
  tableOf,
} from '../schema/tables.ts';
import { keptMineId } from '../team/schema.ts';
import type { CellUpdate, EditBatch, EditProblem } from '../types.ts';
import { noteSelection } from './removal.ts';
import { fillSelection } from './selection.ts';
import { writeField } from './write-field.ts';
import type { AcceptProblem, AffectedRows, Pushed } from './writer-store.ts';

/** Makes the sent values the base of the row. Fields edited since then stay changed, against the new base. */
export function acceptSent(
  db: Db,
  ref: RowRef,
  pushed: Pushed,
  nowMs: number,
  touched: AffectedRows,
): Result<null, AcceptProblem> {
  const row = readRow(db, ref);
  if (row === null) return err({ kind: 'no-row' });
  const table = tableOf(ref.kind);
  if (pushed.remoteId !== null) {
    const holder = db.get(`SELECT id FROM ${table.name} WHERE remote_id = ? AND id <> ?`, pushed.remoteId, ref.id);
    if (holder !== undefined) return err({ kind: 'remote-id-taken', by: rowIdOf(holder[0]) });
  }
  const base: AnyValues = { ...row.values, ...row.base, ...pushed.sent };
  const dirty = (row.dirty & ~(NEW | FIELD_BITS)) | differingBits(ref.kind, row.values, base);
  db.run(
    `UPDATE ${table.name} SET remote_id = coalesce(?, remote_id), dirty = ? WHERE id = ?`,
    pushed.remoteId,
    dirty,
    ref.id,
  );
  if (pushed.remoteId !== null) recordRemoteId(db, ref.kind, pushed.remoteId, 'made', nowMs);
  writeBase(db, table, ref.id, (dirty & FIELD_BITS) === 0 ? null : base);
  writeServiceFields(db, table, ref.id, pushed.serviceFields ?? {});
  dropSettled(db, table, ref.id, dirty);
  if (ref.kind === 'sbaProfile') noteShown(db, [ref.id], nowMs);
  if (ref.kind === 'campaign') noteCampaignWrite(db, ref.id, pushed.sent, nowMs);
  db.run('DELETE FROM refusal WHERE kind = ? AND id = ?', table.code, ref.id);
  touched.kinds.add(ref.kind);
  if (row.campaignId !== null) touched.campaign(row.campaignId);
  if (table.parent === 'account') touched.account = true;
  return ok(null);
}

function writeBase(db: Db, table: Table, id: RowId, base: AnyValues | null): void {
  if (base === null) {
    db.run(`DELETE FROM ${table.base} WHERE id = ?`, id);
    return;
  }
  const stored = table.userColumns.map((column) => toBound(column, base[column.field] ?? null));
  // An existing base is updated, not replaced, because a trigger records that for the team (`team/schema.ts`).
  db.run(
    `INSERT INTO ${table.base}(id, ${sqlList(table.userColumns)}) VALUES (?, ${stored.map(() => '?').join(', ')})
     ON CONFLICT DO UPDATE SET ${table.userColumns.map(({ sql }) => `${sql} = excluded.${sql}`).join(', ')}`,
    id,
    ...stored,
  );
}

/**
 * Writes fields that only the service changes. Values of the wrong type are skipped; words that this version does not
 * know are stored.
 */
function writeServiceFields(db: Db, table: Table, id: RowId, fields: AnyValues): void {
  for (const column of table.columns) {
    const cell = fields[column.field];
    if (column.mask !== 0 || cell === undefined || !isCellOf(column.spec, cell)) continue;
    const key = table.keyColumn === column ? ', sort_key = fold(?1)' : '';
    db.run(`UPDATE ${table.name} SET ${column.sql} = ?1${key} WHERE id = ?2`, toBound(column, cell), id);
  }
}

function dropSettled(db: Db, table: Table, id: RowId, dirty: number): void {
  for (const [field] of db.all(
    'SELECT field FROM conflict WHERE against = 0 AND kind = ? AND id = ?',
    table.code,
    id,
  )) {
    const column = table.columns.find((candidate) => candidate.code === field);
    if (column === undefined || (dirty & column.mask) !== 0) continue;
    db.run('DELETE FROM conflict WHERE against = 0 AND kind = ? AND id = ? AND field = ?', table.code, id, column.code);
  }
}

/** Open conflicts, oldest first. `mine` is the row's current value. */
export const listConflicts = (db: Db): Conflict[] =>
  conflictsOf(
    db,
    db.all('SELECT kind, id, field, base, theirs, at FROM conflict WHERE against = 0 ORDER BY at, kind, id, field'),
  );

function conflictsOf(db: Db, rows: readonly DbRow[]): Conflict[] {
  return rows.flatMap(([code, id, field, base, theirs, at]): readonly Conflict[] => {
    const ref: RowRef = { kind: kindAt(code), id: rowIdOf(id) };
    const row = readRow(db, ref);
    if (row === null) return [];
    const head = { ref, label: rowLabel(row), campaign: campaignNameOf(db, row), at: asNumber(at) };
    if (field === DELETED_CODE) return [{ ...head, field: null, base: null, mine: null, theirs: null }];
    return [{ ...head, ...disputedCell(row, ref.kind, field, base, theirs) }];
  });
}

/** The name of the row's campaign; empty for a campaign and for a file. */
export function campaignNameOf(db: Db, row: AnyRow | null): string {
  if (row?.campaignId == null) return '';
  const campaign = readRow(db, { kind: 'campaign', id: row.campaignId });
  return campaign === null ? '' : rowLabel(campaign);
}

/** A field with its current value, its base, and the other value. */
export function disputedCell(
  row: AnyRow | null,
  kind: Kind,
  code: DbValue | undefined,
  base: DbValue | undefined,
  theirs: DbValue | undefined,
) {
  const { field, spec } = columnByCode(tableOf(kind), asNumber(code));
  return { field, base: fromStored(spec, base), mine: cellOf(row?.values, field), theirs: fromStored(spec, theirs) };
}

interface Settling {
  readonly ref: RowRef;
  readonly field: string;
  readonly take: 'mine' | 'theirs';
  /** The policy rule that decided; null if the user did. */
  readonly by: string | null;
}

/**
 * Resolves a conflict with steps of the history, so that it contains both values: theirs first, and then mine again if
 * mine is kept.
 */
export function resolveConflict(
  db: Db,
  { ref, field, take, by }: Settling,
  apply: (step: EditBatch) => Result<unknown, EditProblem>,
  touched: AffectedRows,
): void {
  const table = tableOf(ref.kind);
  const column = columnNamed(table, field);
  const one = 'against = 0 AND kind = ? AND id = ? AND field = ?';
  const key = [table.code, ref.id, column.code] as const;
  const sql = `SELECT kind, id, field, base, theirs, at FROM conflict WHERE ${one}`;
  const [open] = conflictsOf(db, db.all(sql, ...key));
  if (open === undefined) return;
  const why = by === null ? '' : ` (policy ${by})`;
  const step = (label: string, source: 'user' | 'sync', value: Cell): void => {
    const applied = apply({ label: `${label}${why}`, source, updates: [{ ...ref, field, value }] });
    if (!applied.ok) throw new Error(`the conflict cannot be settled: ${JSON.stringify(applied.error)}`);
  };
  const source = by === null ? 'user' : 'sync';
  if (take === 'mine') step(`Service value of ${column.spec.label}`, 'sync', open.theirs);
  step(
    `${take === 'mine' ? 'Keep my value' : 'Use service value'}: ${column.spec.label}`,
    source,
    take === 'mine' ? open.mine : open.theirs,
  );
  db.run(`DELETE FROM conflict WHERE ${one}`, ...key);
  // The value stays as in the team's log, so only a note can inform colleagues of the decision.
  if (touched.isTeam && take === 'mine')
    db.run(`INSERT OR IGNORE INTO team_note VALUES ('keptMine', ?, NULL)`, keptMineId(ref.id, column.code));
  touched.kinds.add(ref.kind);
}

/**
 * Writes fields that only the service or an upload changes, outside the history. Deleted rows and unknown words are
 * skipped; a field of the user's is an error of the caller.
 *
 * @returns how many cells changed
 */
export function setServiceFields(db: Db, updates: readonly CellUpdate[], nowMs: number, touched: AffectedRows): number {
  const grouped = new Map<Table, Map<Column, Map<RowId, DbValue>>>();
  for (const { kind, id, field, value } of updates) {
    const table = tableOf(kind);
    const column = columnOf(table, field);
    if (column === undefined || column.mask !== 0) throw new Error(`${kind}.${field} is not a field of the service`);
    if (!isCellOf(column.spec, value)) continue;
    const byColumn = grouped.get(table) ?? new Map<Column, Map<RowId, DbValue>>();
    grouped.set(table, byColumn);
    const valueById = byColumn.get(column) ?? new Map<RowId, DbValue>();
    byColumn.set(column, valueById);
    valueById.set(id, toStored(column.spec, value));
  }
  let changed = 0;
  for (const [table, byColumn] of grouped) {
    for (const [column, valueById] of byColumn) {
      fillSelection(db, valueById);
      db.run(`DELETE FROM temp.sel WHERE NOT EXISTS (SELECT 1 FROM ${table.name} k WHERE k.id = sel.id)`);
      const written = writeField(db, table, column, null);
      if (written > 0) noteSelection(db, table, touched);
      changed += written;
    }
  }
  for (const kind of CREATIVE_KINDS) {
    const judged = updates.filter((update) => update.kind === kind && VERDICT_FIELDS.has(update.field));
    recordReviewResults(db, kind, [...new Set(judged.map(({ id }) => id))], nowMs, touched);
  }
  return changed;
}

const VERDICT_FIELDS: ReadonlySet<string> = new Set(['reviewStatus', 'reviewReason']);
