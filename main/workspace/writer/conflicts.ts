import type { RowRef } from '../../../shared/contract/scalars.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import type { Result } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/row-label.ts';
import { asNumber, type Db, type DbRow, rowIdOf } from '../db/db.ts';
import { fromStored } from '../rows/codec.ts';
import { readRow } from '../rows/read-rows.ts';
import { columnByCode, columnOf, DELETED_CODE, tableOf } from '../schema/tables.ts';
import type { EditBatch, EditProblem } from '../types.ts';
import type { ConflictRow } from './store.ts';
import type { AffectedRows } from './touched.ts';

/** Open disagreements, oldest first. `mine` is what the row holds now. */
export const listConflicts = (db: Db): readonly ConflictRow[] =>
  conflictsOf(db, db.all('SELECT kind, id, field, base, theirs, at FROM conflict ORDER BY at, kind, id, field'));

function conflictsOf(db: Db, rows: readonly DbRow[]): readonly ConflictRow[] {
  const found: ConflictRow[] = [];
  for (const [kindNumber, id, field, base, theirs, at] of rows) {
    const kind = KINDS[asNumber(kindNumber)];
    if (kind === undefined) throw new Error(`a conflict names kind ${kindNumber}, which does not exist`);
    const ref: RowRef = { kind, id: rowIdOf(id) };
    const row = readRow(db, ref);
    if (row === null) continue;
    if (field === DELETED_CODE) {
      found.push({ ref, label: rowLabel(row), field: null, base: null, mine: null, theirs: null, at: asNumber(at) });
      continue;
    }
    const column = columnByCode(tableOf(kind), asNumber(field));
    const values: Readonly<Record<string, string | number | null>> = row.values;
    found.push({
      ref,
      label: rowLabel(row),
      field: column.field,
      base: fromStored(column.spec, base),
      mine: values[column.field] ?? null,
      theirs: fromStored(column.spec, theirs),
      at: asNumber(at),
    });
  }
  return found;
}

export interface Settling {
  readonly ref: RowRef;
  readonly field: string;
  readonly take: 'mine' | 'theirs';
  /** The rule of a policy that decided; null when the user did. */
  readonly by: string | null;
}

/** Ends a conflict by steps of the history, so that both values stay in it: theirs, and where mine counts, mine after it. */
export function resolveConflict(
  db: Db,
  { ref, field, take, by }: Settling,
  apply: (step: EditBatch) => Result<unknown, EditProblem>,
  touched: AffectedRows,
): void {
  const table = tableOf(ref.kind);
  const column = columnOf(table, field);
  if (column === undefined) throw new Error(`${ref.kind} has no field ${field}`);
  const one = 'kind = ? AND id = ? AND field = ?';
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
  if (take === 'mine') step(`What the service has of ${field}`, 'sync', open.theirs);
  step(`${take === 'mine' ? 'Keep mine' : 'Take theirs'}: ${field}`, source, take === 'mine' ? open.mine : open.theirs);
  db.run(`DELETE FROM conflict WHERE ${one}`, ...key);
  touched.kinds.add(ref.kind);
}
