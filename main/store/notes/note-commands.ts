import type { BulkScope } from '../../../shared/api/bulk.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { SavedView } from '../../../shared/api/views.ts';
import { kindCode } from '../../../shared/model/kinds.ts';
import { textKey } from '../../../shared/model/text.ts';
import { fail, ok, type Result, unreachable } from '../../../shared/result.ts';
import { type Db, type DbValue, numberOf, rowIdOf } from '../db/db.ts';
import { exists } from '../rows/read-rows.ts';
import { kindAt, tableOf } from '../schema/tables.ts';
import type { AffectedRows } from '../writer/writer-store.ts';

type NamedRows = Extract<BulkScope, { rows: unknown }>['rows'];

/** All commands that write notes. `id` null creates one. */
export type NoteCommand =
  | { readonly do: 'save-view'; readonly id: number | null; readonly saved: Omit<SavedView, 'id'> }
  | { readonly do: 'remove-view' | 'remove-label' | 'remove-comment'; readonly id: number }
  | { readonly do: 'save-label'; readonly id: number | null; readonly name: string; readonly color: string }
  | {
      readonly do: 'label';
      readonly rows: NamedRows;
      readonly add: readonly number[];
      readonly remove: readonly number[];
    }
  | {
      readonly do: 'comment';
      readonly ref: RowRef;
      readonly field: string | null;
      readonly author: string;
      readonly text: string;
      /** When it was written elsewhere, in milliseconds since 1970; default now. */
      readonly at?: number;
    }
  | {
      readonly do: 'edit-comment';
      readonly id: number;
      readonly text: string | null;
      readonly resolved: boolean | null;
    };

/** Possible failures of each command. */
interface NoteCodes {
  'save-view': 'NO_NOTE' | 'NAME_TAKEN';
  'save-label': 'NO_NOTE' | 'NAME_TAKEN';
  'remove-view': 'NO_NOTE';
  'remove-label': 'NO_NOTE';
  'remove-comment': 'NO_NOTE';
  label: 'NO_NOTE' | 'NO_ROW';
  comment: 'NO_ROW';
  'edit-comment': 'NO_NOTE';
}
export type NoteProblem<C extends NoteCommand = NoteCommand> = Failure<NoteCodes[C['do']]>;

/**
 * Writes a note in the open transaction.
 *
 * @returns the ID of the view, label or comment; 0 for labels put on rows
 */
export function runNote(
  db: Db,
  command: NoteCommand,
  nowMs: number,
  touched: AffectedRows,
): Result<number, NoteProblem> {
  switch (command.do) {
    case 'save-view': {
      const { name, view, layout } = command.saved;
      const kind = kindCode(view.kind);
      const cells = { kind, name, view: JSON.stringify(view), layout: JSON.stringify(layout) };
      return saveNamed(db, 'saved_view', command.id, cells, `kind = ${kind}`);
    }
    case 'remove-view':
      return removed(db, 'saved_view', command.id);
    case 'save-label':
      touchLabelled(db, command.id, touched);
      return saveNamed(db, 'label', command.id, { name: command.name, color: command.color });
    case 'remove-label':
      touchLabelled(db, command.id, touched);
      return removed(db, 'label', command.id);
    case 'label':
      return label(db, command, touched);
    case 'comment':
      return comment(db, command, nowMs, touched);
    case 'edit-comment':
      touchCommented(db, command.id, touched);
      return editComment(db, command, nowMs);
    case 'remove-comment':
      touchCommented(db, command.id, touched);
      return removed(db, 'comment', command.id);
    default:
      return unreachable(command);
  }
}

type Named = 'saved_view' | 'label';

/** @param within SQL for the notes among which the name must be unique */
function saveNamed(
  db: Db,
  table: Named,
  id: number | null,
  { name, ...cells }: { readonly name: string } & Cells,
  within = 'true',
): Result<number, NoteProblem> {
  const key = textKey(name);
  const taken = `SELECT 1 FROM ${table} WHERE ${within} AND name_key = ? AND id IS NOT ?`;
  if (db.get(taken, key, id) !== undefined) return fail('NAME_TAKEN', { name });
  const written = writeNamed(db, table, id, { name, name_key: key, ...cells });
  return written === null ? fail('NO_NOTE', { id: id ?? 0 }) : ok(written);
}

type Cells = Readonly<Record<string, DbValue>>;

/** @returns its ID; null if this ID does not exist */
export function writeNamed(db: Db, table: Named, id: number | null, cells: Cells): number | null {
  const names = Object.keys(cells);
  if (id === null) {
    const places = names.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table}(${names.join(', ')}) VALUES (${places}) RETURNING id`;
    return numberOf(db, sql, ...Object.values(cells));
  }
  const set = names.map((name) => `${name} = ?`).join(', ');
  return db.run(`UPDATE ${table} SET ${set} WHERE id = ?`, ...Object.values(cells), id) === 0 ? null : id;
}

function label(
  db: Db,
  { rows, add, remove }: Extract<NoteCommand, { do: 'label' }>,
  touched: AffectedRows,
): Result<number, NoteProblem> {
  for (const id of [...add, ...remove]) {
    if (db.get('SELECT 1 FROM label WHERE id = ?', id) === undefined) return fail('NO_NOTE', { id });
  }
  for (const { kind, ids } of rows) {
    const { name, code } = tableOf(kind);
    const list = JSON.stringify(ids);
    const gone = db.get(`SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM ${name}) LIMIT 1`, list);
    if (gone !== undefined) return fail('NO_ROW', { kind, id: rowIdOf(gone[0]) });
    for (const one of remove) {
      db.run(
        `DELETE FROM row_label WHERE kind = ${code} AND label = ? AND id IN (SELECT value FROM json_each(?))`,
        one,
        list,
      );
    }
    for (const one of add) {
      db.run(`INSERT OR IGNORE INTO row_label(kind, id, label) SELECT ${code}, value, ? FROM json_each(?)`, one, list);
    }
    touched.kinds.add(kind);
  }
  return ok(0);
}

function comment(
  db: Db,
  { ref, field, author, text, at }: Extract<NoteCommand, { do: 'comment' }>,
  nowMs: number,
  touched: AffectedRows,
): Result<number, NoteProblem> {
  if (!exists(db, ref)) return fail('NO_ROW', ref);
  touched.kinds.add(ref.kind);
  const cells = [kindCode(ref.kind), ref.id, field, author, text, textKey(text), at ?? nowMs];
  const sql =
    'INSERT INTO comment(kind, row, field, author, text, text_key, at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id';
  return ok(numberOf(db, sql, ...cells));
}

function editComment(
  db: Db,
  { id, text, resolved }: Extract<NoteCommand, { do: 'edit-comment' }>,
  nowMs: number,
): Result<number, NoteProblem> {
  const resolvedAt =
    resolved === null ? 'resolved_at' : resolved ? 'coalesce(resolved_at, CAST(?3 AS INTEGER))' : 'NULL';
  // In a team only the author can change a comment's text.
  const mayWrite = 'member IS NULL OR member = coalesce((SELECT member FROM team_meta), member)';
  const changed = db.run(
    `UPDATE comment SET text = iif(${mayWrite}, coalesce(?1, text), text),
       text_key = iif(${mayWrite}, coalesce(fold(?1), text_key), text_key), resolved_at = ${resolvedAt}
     WHERE id = ?2 AND ?3 IS NOT NULL`,
    text,
    id,
    nowMs,
  );
  return changed === 0 ? fail('NO_NOTE', { id }) : ok(id);
}

const removed = (db: Db, table: 'saved_view' | 'label' | 'comment', id: number): Result<number, NoteProblem> =>
  db.run(`DELETE FROM ${table} WHERE id = ?`, id) === 0 ? fail('NO_NOTE', { id }) : ok(id);

function touchKinds(db: Db, sql: string, id: number | null, touched: AffectedRows): void {
  for (const [code] of db.all(sql, id)) touched.kinds.add(kindAt(code));
}

/** Windows display labels and comments, so views of their rows must be read again. */
function touchLabelled(db: Db, id: number | null, touched: AffectedRows): void {
  touchKinds(db, 'SELECT DISTINCT kind FROM row_label WHERE label = ?', id, touched);
}

const touchCommented = (db: Db, id: number, touched: AffectedRows): void =>
  touchKinds(db, 'SELECT kind FROM comment WHERE id = ?', id, touched);
