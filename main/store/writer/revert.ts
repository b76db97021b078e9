import type { RowRef } from '../../../shared/api/scalars.ts';
import type { ChosenRows } from '../../../shared/api/sync.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { DELETED, HELD, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Db, rowIdsOf } from '../db/db.ts';
import { withDescendants } from '../rows/read-trees.ts';
import { tableOf } from '../schema/tables.ts';
import type { EditProblem } from '../types.ts';
import { noteSelection } from './removal.ts';
import { fillSelectionFrom, fillSelectionWith, missingInSelection } from './selection.ts';
import { beginStep, endStep } from './steps.ts';
import { writeField, writeMark } from './write-field.ts';
import type { AffectedRows } from './writer-store.ts';

/**
 * Reverts rows, or one field of them, to the last service values, as one step. New rows have no service values and are
 * not changed; rows marked as deleted lose the mark.
 */
export function revertRows(
  db: Db,
  refs: readonly RowRef[],
  field: string | null,
  nowMs: number,
  touched: AffectedRows,
): Result<readonly RowRef[], EditProblem> {
  const step = beginStep(db, field === null ? 'Revert rows' : `Revert ${field}`, 'user', nowMs);
  const changed = revertIn(db, refs, field, step, touched);
  if (!changed.ok) return changed;
  endStep(db, step, changed.value);
  return ok(refs);
}

/** Reverts as part of a step. Returns how many cells and marks changed. */
export function revertIn(
  db: Db,
  refs: readonly RowRef[],
  field: string | null,
  step: number,
  touched: AffectedRows,
): Result<number, EditProblem> {
  let changed = 0;
  for (const [kind, ids] of groupByKind(refs)) {
    const table = tableOf(kind);
    fillSelectionWith(db, ids, 0);
    const missing = missingInSelection(db, table);
    if (missing !== null) return fail('NO_ROW', { kind, id: missing });
    if (field === null) {
      db.run(`DELETE FROM temp.sel WHERE id IN (SELECT k.id FROM ${table.name} k WHERE k.dirty & ${NEW})`);
      changed += marked(db, kind, DELETED, step, touched);
    }
    for (const column of table.userColumns) {
      if (field !== null && column.field !== field) continue;
      fillSelectionFrom(
        db,
        `SELECT b.id, b.${column.sql} FROM json_each(?) j CROSS JOIN ${table.base} b
         ON b.id = j.value CROSS JOIN ${table.name} k ON k.id = b.id WHERE k.dirty & ${column.mask} GROUP BY b.id`,
        JSON.stringify(ids),
      );
      const written = writeField(db, table, column, step);
      if (written > 0) noteSelection(db, table, touched, column);
      changed += written;
    }
  }
  return ok(changed);
}

/** Puts rows on hold, which no sync sends, or releases them, as one step. */
export function holdRows(
  db: Db,
  refs: readonly RowRef[],
  held: boolean,
  nowMs: number,
  touched: AffectedRows,
): Result<readonly RowRef[], EditProblem> {
  const step = beginStep(db, held ? 'Put on hold' : 'Release', 'user', nowMs);
  const changed = holdIn(db, refs, held, step, touched);
  if (!changed.ok) return changed;
  endStep(db, step, changed.value);
  return ok(refs);
}

/** The changed rows of a sync selection that are on hold. */
export function heldRowsOf(db: Db, { rows, below }: ChosenRows): readonly RowRef[] {
  const chosen = rows.flatMap(({ kind, ids }) => ids.map((id) => ({ kind, id })));
  const among = below ? withDescendants(db, chosen) : groupByKind(chosen);
  return KINDS.flatMap((kind) => {
    const held = rowIdsOf(
      db,
      `SELECT id FROM ${tableOf(kind).name} WHERE dirty <> 0 AND dirty & ${HELD} AND dirty & ${~HELD}`,
    );
    const ids = new Set(among.get(kind));
    return held.filter((id) => rows.length === 0 || ids.has(id)).map((id) => ({ kind, id }));
  });
}

/** Same as part of a step. Returns how many rows changed. */
export function holdIn(
  db: Db,
  refs: readonly RowRef[],
  held: boolean,
  step: number,
  touched: AffectedRows,
): Result<number, EditProblem> {
  let changed = 0;
  for (const [kind, ids] of groupByKind(refs)) {
    fillSelectionWith(db, ids, held ? 1 : 0);
    const missing = missingInSelection(db, tableOf(kind));
    if (missing !== null) return fail('NO_ROW', { kind, id: missing });
    changed += marked(db, kind, HELD, step, touched);
  }
  return ok(changed);
}

function marked(db: Db, kind: Kind, mark: number, step: number, touched: AffectedRows): number {
  const changed = writeMark(db, tableOf(kind), mark, step);
  if (changed > 0) noteSelection(db, tableOf(kind), touched);
  return changed;
}

function groupByKind(refs: readonly RowRef[]): ReadonlyMap<Kind, readonly RowId[]> {
  const grouped = new Map<Kind, RowId[]>();
  for (const kind of KINDS) {
    const ids = refs.filter((ref) => ref.kind === kind).map((ref) => ref.id);
    if (ids.length > 0) grouped.set(kind, ids);
  }
  return grouped;
}
