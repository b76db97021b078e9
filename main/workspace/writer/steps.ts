import { asNumber, type Db, numberOf } from '../db/db.ts';
import type { EditBatch } from '../port.ts';

/**
 * The history: one step for each edit, with the cells and rows it changed.
 *
 *     edit            undo              redo
 *   -------> done ----------> undone ----------> done
 *              \                 |
 *               \   a new edit   v
 *                `--------> forgotten
 */
const STEPS_KEPT = 500;

export function beginStep(db: Db, label: string, source: EditBatch['source'], at: number): number {
  db.run('INSERT INTO step(label, source, at, rows, state) VALUES (?, ?, ?, 0, 0)', label, source, at);
  return numberOf(db, 'SELECT last_insert_rowid()');
}

/**
 * Writes how many rows the step changed and forgets what was undone before it. A step that changed nothing is
 * forgotten itself.
 */
export function endStep(db: Db, step: number, rows: number): void {
  if (rows === 0) {
    forget(db, 'id = ?', step);
    return;
  }
  db.run('UPDATE step SET rows = ? WHERE id = ?', rows, step);
  if (nextStep(db, 'redo') !== null) forget(db, 'state = ?', 1);
  const newestTooMany = db.get('SELECT id FROM step ORDER BY id DESC LIMIT 1 OFFSET ?', STEPS_KEPT);
  if (newestTooMany !== undefined) forget(db, 'id <= ?', asNumber(newestTooMany[0]));
}

/** The step that undo would take back, or that redo would repeat. */
export function nextStep(db: Db, direction: 'undo' | 'redo'): number | null {
  const row =
    direction === 'undo'
      ? db.get('SELECT id FROM step WHERE state = 0 ORDER BY id DESC LIMIT 1')
      : db.get('SELECT id FROM step WHERE state = 1 ORDER BY id LIMIT 1');
  return row === undefined ? null : asNumber(row[0]);
}

function forget(db: Db, where: string, value: number): void {
  const steps = `(SELECT id FROM step WHERE ${where})`;
  db.run(`DELETE FROM step_cell WHERE step IN ${steps}`, value);
  db.run(`DELETE FROM step_row WHERE step IN ${steps}`, value);
  db.run(`DELETE FROM step WHERE ${where}`, value);
}
