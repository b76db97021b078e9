import type { RestoreScope } from '../../../shared/api/history.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { DELETED, NEW } from '../../../shared/model/row.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Db, rowIdsOf } from '../db/db.ts';
import { exists } from '../rows/read-rows.ts';
import { partAt, type Table, tableOf } from '../schema/tables.ts';
import type { RowNotFound } from '../types.ts';
import { noteSelection, removeRows, returnRows } from '../writer/removal.ts';
import { fillSelectionFrom, fillSelectionWith } from '../writer/selection.ts';
import { beginStep, endStep } from '../writer/steps.ts';
import { writeField, writeMark } from '../writer/write-field.ts';
import type { AffectedRows } from '../writer/writer-store.ts';
import { cellsAtStepSql, changedSince, type HistoryNotFound, isKnownStep, rowsSince } from './read-log.ts';

export interface Restored {
  readonly cells: number;
  readonly created: number;
  readonly removed: number;
}

export type RestoreProblem = RowNotFound | HistoryNotFound;

/**
 * Restores the state of a moment as one new step. Rows removed since get their old IDs, rows created since are removed,
 * cells and marks get their earlier values.
 */
export function restore(
  db: Db,
  moment: number,
  scope: RestoreScope,
  label: string,
  nowMs: number,
  touched: AffectedRows,
): Result<Restored, RestoreProblem> {
  if (!isKnownStep(db, moment)) return fail('NO_MOMENT', { step: moment });
  if ('ref' in scope && !exists(db, scope.ref)) return fail('NO_ROW', scope.ref);
  const step = beginStep(db, label, 'user', nowMs);
  const isOneField = 'ref' in scope;
  const created = isOneField ? 0 : bringBack(db, moment, scope, step, touched);
  const cells = restoreCells(db, moment, scope, step, touched);
  const removed = isOneField ? 0 : takeAway(db, moment, scope, step, touched);
  endStep(db, step, cells + created + removed);
  return ok({ cells, created, removed });
}

/** Rows that existed at the moment and were removed since, parents first. */
function bringBack(db: Db, moment: number, scope: RestoreScope, step: number, touched: AffectedRows): number {
  let created = 0;
  for (const kind of KINDS) {
    const table = tableOf(kind);
    const gone = rowIdsOf(
      db,
      `SELECT r.id FROM (${rowsSince(table)}) r WHERE r.made = 0
       AND NOT EXISTS (SELECT 1 FROM ${table.name} k WHERE k.id = r.id)`,
      moment,
    );
    const ids = returnRows(db, table, gone, step, 'campaignId' in scope ? scope.campaignId : null);
    if (ids.length === 0) continue;
    created += ids.length;
    fillSelectionWith(db, ids, null);
    noteSelection(db, table, touched);
    touched.shuffled.add(kind);
  }
  return created;
}

function restoreCells(db: Db, moment: number, scope: RestoreScope, step: number, touched: AffectedRows): number {
  let cells = 0;
  for (const { table, code } of changedSince(db, moment)) {
    const { mark, column } = partAt(table, code);
    if ('ref' in scope && scope.field !== null && scope.field !== column?.field) continue;
    const { where, bind } = within(table, scope);
    // A field that can't change once the row is on the service keeps its value there.
    const fixed = column?.spec.owner === 'user-until-sent' ? `AND k.dirty & ${NEW}` : '';
    const selected = fillSelectionFrom(
      db,
      `SELECT c.id, c.v FROM (${cellsAtStepSql(table, code)}) c
       CROSS JOIN ${table.name} k ON k.id = c.id WHERE ${where} ${fixed}`,
      moment,
      ...bind,
    );
    if (selected === 0) continue;
    const written = column === null ? writeMark(db, table, mark, step) : writeField(db, table, column, step);
    if (written > 0) noteSelection(db, table, touched);
    cells += written;
  }
  return cells;
}

/** Rows created since the moment. Rows below them are removed too. */
function takeAway(db: Db, moment: number, scope: RestoreScope, step: number, touched: AffectedRows): number {
  const refs = KINDS.flatMap((kind) => {
    const table = tableOf(kind);
    const { where, bind } = within(table, scope);
    const came = `SELECT k.id FROM (${rowsSince(table)}) r CROSS JOIN ${table.name} k ON k.id = r.id
      WHERE r.made = 1 AND k.dirty & ${DELETED} = 0 AND ${where}`;
    return rowIdsOf(db, came, moment, ...bind).map((id) => ({ kind, id }));
  });
  return refs.length === 0 ? 0 : removeRows(db, refs, step, touched).length;
}

function within(table: Table, scope: RestoreScope): { readonly where: string; readonly bind: readonly number[] } {
  if ('all' in scope) return { where: 'true', bind: [] };
  if ('campaignId' in scope) return { where: 'k.campaign_id = ?', bind: [scope.campaignId] };
  return { where: `${scope.ref.kind === table.kind ? 'true' : 'false'} AND k.id = ?`, bind: [scope.ref.id] };
}
