import type { RowRef } from '../../../shared/api/scalars.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import type { Db, DbValue } from '../db/db.ts';
import { toStored } from '../rows/codec.ts';
import { type Column, columnOf, type Table, tableOf } from '../schema/tables.ts';
import type { CellUpdate, EditBatch, EditProblem } from '../types.ts';
import { createRows, withFreeNames } from './create-rows.ts';
import { noteCells, removeRows } from './removal.ts';
import { fillSelection, missingInSelection } from './selection.ts';
import { beginStep, endStep } from './steps.ts';
import type { AffectedRows } from './store.ts';
import { badValue, problemOfCell, writeField } from './write-field.ts';

/**
 * Carries out an edit as one step of the history: creates, then updates, then deletes. Belongs in a transaction
 * that is rolled back when this answers with a problem.
 *
 * @returns the rows concerned: created ones in the order of the list, then updated and deleted ones
 */
export function applyEdit(
  db: Db,
  edit: EditBatch,
  nowMs: number,
  touched: AffectedRows,
): Result<readonly RowRef[], EditProblem> {
  const step = beginStep(db, edit.label, edit.source, nowMs);
  const creates = edit.creates ?? [];
  const named = edit.keepNamesApart === true ? withFreeNames(db, creates) : creates;
  const created = createRows(db, named, edit.source, step, touched);
  if (!created.ok) return created;
  const updated = updateCells(db, edit.updates ?? [], edit.source, step, touched);
  if (!updated.ok) return updated;
  const deletes = edit.deletes ?? [];
  const missing = deletes.find((ref) => !exists(db, ref));
  if (missing !== undefined) return fail('NO_ROW', missing);
  const deleted = deletes.length === 0 ? [] : removeRows(db, deletes, step, touched);
  endStep(db, step, created.value.length + updated.value.changed + deleted.length);
  return ok([...created.value, ...updated.value.refs, ...deleted]);
}

type ByField = Map<string, Map<RowId, DbValue>>;

function updateCells(
  db: Db,
  updates: readonly CellUpdate[],
  source: EditBatch['source'],
  step: number,
  touched: AffectedRows,
): Result<{ readonly refs: readonly RowRef[]; readonly changed: number }, EditProblem> {
  const grouped = groupUpdates(db, updates, source);
  if (!grouped.ok) return grouped;
  const refs: RowRef[] = [];
  let changed = 0;
  for (const [kind, byField] of grouped.value) {
    const table = tableOf(kind);
    const ids = new Set<RowId>();
    for (const [field, valueById] of byField) {
      const column = columnOf(table, field);
      if (column === undefined) return badValue(kind, field, 'unknown-field');
      const written = updateField(db, table, column, valueById, step, touched);
      if (!written.ok) return written;
      changed += written.value;
      for (const id of valueById.keys()) ids.add(id);
    }
    for (const id of ids) refs.push({ kind, id });
  }
  return ok({ refs, changed });
}

function groupUpdates(
  db: Db,
  updates: readonly CellUpdate[],
  source: EditBatch['source'],
): Result<ReadonlyMap<Kind, ByField>, EditProblem> {
  const byKind = new Map<Kind, ByField>();
  for (const { kind, id, field, value } of updates) {
    const spec = fieldSpec(kind, field);
    const problem = problemOfCell(db, kind, field, spec, value, source);
    if (problem !== null) return err(problem);
    if (spec === undefined) continue;
    const byField = byKind.get(kind) ?? new Map<string, Map<RowId, DbValue>>();
    byKind.set(kind, byField);
    const valueById = byField.get(field) ?? new Map<RowId, DbValue>();
    byField.set(field, valueById);
    valueById.set(id, toStored(spec, value));
  }
  return ok(byKind);
}

/** Writes one field of many rows. A field that is fixed by now may still be "set" to what it is. */
function updateField(
  db: Db,
  table: Table,
  column: Column,
  valueById: ReadonlyMap<RowId, DbValue>,
  step: number,
  touched: AffectedRows,
): Result<number, EditProblem> {
  fillSelection(db, valueById);
  const missing = missingInSelection(db, table);
  if (missing !== null) return fail('NO_ROW', { kind: table.kind, id: missing });
  if (column.spec.owner === 'user-until-sent') {
    const fixed = db.get(
      `SELECT 1 FROM temp.sel s CROSS JOIN ${table.name} k ON k.id = s.id
       WHERE k.dirty & ${NEW} = 0 AND k.${column.sql} IS NOT s.v LIMIT 1`,
    );
    if (fixed !== undefined) return badValue(table.kind, column.field, 'owner');
  }
  const changed = writeField(db, table, column, step);
  // Only rows that changed are still selected, so an edit without effect touches nothing.
  if (changed > 0) noteCells(db, table, touched);
  return ok(changed);
}

const exists = (db: Db, ref: RowRef): boolean =>
  db.get(`SELECT 1 FROM ${tableOf(ref.kind).name} WHERE id = ?`, ref.id) !== undefined;
