import { memo } from '../../../shared/memo.ts';
import { kindCode } from '../../../shared/model/kinds.ts';
import { asNumber, asText, type Db, numberOf } from '../db/db.ts';
import type { EditBatch } from '../types.ts';

/**
 * The history: one step for each edit, with the cells and rows it changed.
 *
 *     edit            undo              redo
 *   -------> done ----------> undone ----------> done
 *              \                 |
 *               \   a new edit   v
 *                `--------> deleted
 *
 * As many steps are kept as fit into `HISTORY_BYTES`; the oldest are deleted first.
 */
const HISTORY_BYTES = 200 * 2 ** 20;

/** Records for this connection the user whose edits it writes. */
export function beginSession(db: Db, who: string): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS session(who TEXT NOT NULL) STRICT; DELETE FROM temp.session');
  db.run('INSERT INTO temp.session VALUES (?)', who);
}

export function beginStep(db: Db, label: string, source: EditBatch['source'], at: number): number {
  // A sync records values of the service, whoever started it.
  return numberOf(db, beginSql(source === 'sync' ? "''" : USER), label, source, at);
}

/** SQL: the user of this connection; in a team, the member's name. */
const USER = `coalesce((SELECT display FROM team_member WHERE no = (SELECT member FROM team_meta)),
  (SELECT who FROM temp.session))`;
const beginSql = memo(
  (who: string) => `INSERT INTO step(label, source, who, at, rows, state) VALUES (?, ?, ${who}, ?, 0, 0) RETURNING id`,
);

/** Records why the step changes rows. */
export function noteReasons(db: Db, step: number, reasons: EditBatch['reasons'] & {}): void {
  for (const { kind, id, reason, numbers } of reasons) {
    const values = [step, kindCode(kind), id, reason, JSON.stringify(numbers)] as const;
    db.run('INSERT OR REPLACE INTO step_reason VALUES (?, ?, ?, ?, ?)', ...values);
  }
}

/** Writes how many rows the step changed, and deletes the steps undone before it. A step without changes is deleted. */
export function endStep(db: Db, step: number, rows: number): void {
  if (rows === 0) {
    forget(db, 'id = ?', step);
    return;
  }
  addToSize(db, numberOf(db, END_STEP, rows, step));
  if (nextStep(db, 'redo') !== null) forget(db, 'state = ?', 1);
}

/** SQL: the entries and bytes of a step. A cell takes about 20 bytes in addition to its values. */
const STEP_SIZE = `entries = (SELECT count(*) FROM step_cell WHERE step = step.id) +
    (SELECT count(*) FROM step_row WHERE step = step.id),
  bytes = (SELECT 20 * count(*) + total(length(old)) + total(length(new)) FROM step_cell WHERE step = step.id) +
    (SELECT 16 * count(*) + total(length(content)) FROM step_row WHERE step = step.id) +
    (SELECT total(length(reason) + length(numbers)) FROM step_reason WHERE step = step.id)`;
const END_STEP = `UPDATE step SET rows = ?, ${STEP_SIZE} WHERE id = ? RETURNING bytes`;

/** Updates the size of a step after it was made, or after its rows were removed or restored. */
export function measureStep(db: Db, step: number): void {
  const before = numberOf(db, 'SELECT bytes FROM step WHERE id = ?', step);
  const after = numberOf(db, `UPDATE step SET ${STEP_SIZE} WHERE id = ? RETURNING bytes`, step);
  addToSize(db, after - before);
}

/** Sets size and number of rows of new steps; steps without changes are deleted. */
export function measureSteps(db: Db, steps: readonly number[]): void {
  if (steps.length === 0) return;
  const sized = db.all(
    `UPDATE step SET ${STEP_SIZE} WHERE id IN (SELECT value FROM json_each(?)) RETURNING id, bytes, entries`,
    JSON.stringify(steps),
  );
  addToSize(
    db,
    sized.reduce((sum, [, bytes]) => sum + asNumber(bytes), 0),
  );
  for (const [id, , entries] of sized) if (entries === 0) forget(db, 'id = ?', asNumber(id));
  db.run('UPDATE step SET rows = entries WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(steps));
}

/**
 * Deletes a step if the history is too large, but never the only one: the oldest; once all are undone, the newest, so
 * that redo still starts where undo ended.
 *
 * @returns whether there may be more to delete
 */
export function pruneHistory(db: Db, limitBytes = HISTORY_BYTES): boolean {
  if (numberOf(db, `SELECT value FROM counter WHERE name = 'history-bytes'`) <= limitBytes) return false;
  const [first, last] = db.get('SELECT min(id), max(id) FROM step') ?? [];
  if (first === last) return false;
  const [next = last] = db.get('SELECT id FROM step WHERE state = 0 ORDER BY id LIMIT 1') ?? [];
  forget(db, 'id = ?', asNumber(next));
  return true;
}

/** The step that undo or redo would use: never one of a colleague. */
export function nextStep(db: Db, direction: 'undo' | 'redo'): number | null {
  const row =
    direction === 'undo'
      ? db.get(`SELECT id FROM step WHERE state = 0 AND source <> 'team' ORDER BY id DESC LIMIT 1`)
      : db.get('SELECT id FROM step WHERE state = 1 ORDER BY id LIMIT 1');
  return row === undefined ? null : asNumber(row[0]);
}

/** The label of a step. */
export const stepLabel = (db: Db, step: number): string =>
  asText(db.get('SELECT label FROM step WHERE id = ?', step)?.[0] ?? '');

function forget(db: Db, where: string, value: number): void {
  const steps = `(SELECT id FROM step WHERE ${where})`;
  addToSize(db, -numberOf(db, `SELECT cast(total(bytes) AS INTEGER) FROM step WHERE ${where}`, value));
  db.run(`DELETE FROM step_cell WHERE step IN ${steps}`, value);
  db.run(`DELETE FROM step_row WHERE step IN ${steps}`, value);
  db.run(`DELETE FROM step_reason WHERE step IN ${steps}`, value);
  db.run(`DELETE FROM step_kept WHERE step IN ${steps}`, value);
  db.run(`DELETE FROM step WHERE ${where}`, value);
}

function addToSize(db: Db, bytes: number): void {
  if (bytes !== 0) db.run(`UPDATE counter SET value = value + ? WHERE name = 'history-bytes'`, bytes);
}
