import type { Failure } from '../../../shared/api/operation.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { asNumber, type Db, type DbValue } from '../db/db.ts';
import { type Table, tableOf } from '../schema/tables.ts';

/**
 * What was there at a moment, from the history: going back from now, the oldest change after the moment says what a
 * cell held at it. A cell without such a change holds what it held. Steps that are undone have no part in this.
 *
 *   moment        now
 *   --|--a->b--b->c--|    at the moment: a
 *
 * Merges with the service are not steps, so a cell that only the service has changed shows what it holds now.
 */

/** No step with this number is kept: it never was, or it has been pruned. */
export type HistoryNotFound = Failure<'NO_MOMENT'>;

/** True for a step that is kept, and for 0, which stands for before all of them. */
export const isKnownStep = (db: Db, step: number): boolean =>
  step === 0 || db.get('SELECT 1 FROM step WHERE id = ?', step) !== undefined;

const AFTER = 'step > ? AND step IN (SELECT id FROM step WHERE state = 0)';

/** SQL, to be bound to a moment: ids with what a field (or mark, by its code) of them held at it, where it was changed since. */
export const cellsAtStepSql = (table: Table, code: number): string =>
  `SELECT id, old AS v, min(step) FROM step_cell
   WHERE ${AFTER} AND kind = ${table.code} AND field = ${code} GROUP BY id`;

/** SQL, to be bound to a moment: ids of rows that came or went since, with `made` 1 for those that were not there at it. */
export const rowsSince = (table: Table): string =>
  `SELECT id, made, min(step) FROM step_row WHERE ${AFTER} AND kind = ${table.code} GROUP BY id`;

/** Kinds with the codes of fields and marks that were changed since the moment. */
export function changedSince(db: Db, moment: number): readonly { readonly table: Table; readonly code: number }[] {
  const rows = db.all(`SELECT DISTINCT kind, field FROM step_cell WHERE ${AFTER} ORDER BY kind, field`, moment);
  return rows.map(([kind, code]) => ({ table: tableNumbered(kind), code: asNumber(code) }));
}

export function tableNumbered(code: DbValue | undefined): Table {
  const kind = KINDS[asNumber(code)];
  if (kind === undefined) throw new Error(`the history names kind ${code}, which does not exist`);
  return tableOf(kind);
}
