import type { Comment, Label } from '../../../shared/api/notes.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { KINDS, type Kind, kindCode } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';
import type { NotedComment, RowNotes } from '../../../shared/spreadsheet/sheet-row.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import { asNumber, asText, asTextOrNull, type Db, numberOf, readIds, rowIdOf } from '../db/db.ts';
import { kindAt } from '../schema/tables.ts';

/** A label with its rows, by kind. */
export interface LabelledRows {
  readonly name: string;
  readonly color: string;
  readonly rows: readonly BulkRows[];
}

/** Saved views by name, as stored: other versions may have stored other settings. */
export const readSavedViews = (db: Db): readonly unknown[] =>
  db
    .all('SELECT id, name, view, layout FROM saved_view ORDER BY natural(name_key), kind')
    .map(([id, name, view, layout]) => ({
      id,
      name,
      view: jsonOrNull(asText(view)),
      layout: jsonOrNull(asText(layout)),
    }));

export const readLabels = (db: Db): Label[] =>
  db
    .all(
      `SELECT l.id, l.name, l.color, (SELECT count(*) FROM row_label r WHERE r.label = l.id)
       FROM label l ORDER BY natural(l.name_key)`,
    )
    .map(([id, name, color, rows]) => ({
      id: asNumber(id),
      name: asText(name),
      color: asText(color),
      rows: asNumber(rows),
    }));

/** Labels with their rows. */
export const readLabelled = (db: Db): readonly LabelledRows[] =>
  db.all('SELECT id, name, color FROM label ORDER BY name_key').map(([label, name, color]) => ({
    name: asText(name),
    color: asText(color),
    rows: KINDS.map((kind) => ({
      kind,
      ids: readIds(
        db,
        'SELECT id FROM row_label WHERE label = ? AND kind = ? ORDER BY id',
        asNumber(label),
        kindCode(kind),
      ),
    })).filter(({ ids }) => ids.length > 0),
  }));

/** Label names of the rows of a kind, by row. */
export function readLabelNames(db: Db, kind: Kind): ReadonlyMap<number, readonly string[]> {
  const rows = db.all(
    'SELECT r.id, l.name FROM row_label r JOIN label l ON l.id = r.label WHERE r.kind = ? ORDER BY l.name_key',
    kindCode(kind),
  );
  const byRow = Map.groupBy(rows, ([id]) => asNumber(id));
  return new Map(Array.from(byRow, ([id, own]) => [id, own.map(([, name]) => asText(name))]));
}

/** @param ref the row they are on, or null for all rows; @param resolved only those, or null for all */
export function readComments(db: Db, ref: RowRef | null, resolved: boolean | null): Comment[] {
  const rows = db.all(
    `SELECT id, kind, row, field, author, text, at, resolved_at FROM comment
     WHERE (?1 IS NULL OR (kind = ?1 AND row = ?2)) AND (?3 IS NULL OR (resolved_at IS NOT NULL) = ?3) ORDER BY at, id`,
    ref === null ? null : kindCode(ref.kind),
    ref?.id ?? null,
    resolved === null ? null : Number(resolved),
  );
  return rows.map(([id, kind, row, field, author, text, at, resolvedAt]) => ({
    id: asNumber(id),
    ref: { kind: kindAt(kind), id: rowIdOf(row) },
    field: asTextOrNull(field),
    author: asText(author),
    text: asText(text),
    at: asNumber(at),
    resolved: resolvedAt !== null,
  }));
}

/**
 * The notes of single rows, for exports. The comments are read once, for the first row.
 *
 * @param who the author of comments without one, which were written here
 */
export function rowNotes(db: Db, who: string): (kind: Kind, id: RowId) => RowNotes {
  let commentsByRow: ReadonlyMap<string, readonly NotedComment[]> | null = null;
  return (kind, id) => {
    commentsByRow ??= readCommentsByRow(db, who);
    const labels = db.all(
      `SELECT l.name, l.color FROM row_label r JOIN label l ON l.id = r.label WHERE r.kind = ? AND r.id = ?
       ORDER BY l.name_key`,
      kindCode(kind),
      id,
    );
    return {
      comments: commentsByRow.get(`${kind} ${id}`) ?? [],
      labels: labels.map(([name, color]) => ({ name: asText(name), color: asText(color) })),
    };
  };
}

function readCommentsByRow(db: Db, who: string): ReadonlyMap<string, readonly NotedComment[]> {
  const grouped = Map.groupBy(readComments(db, null, null), ({ ref }) => `${ref.kind} ${ref.id}`);
  const noted = ({ ref: _, id: __, author, ...rest }: Comment): NotedComment => ({ ...rest, author: author || who });
  return new Map(Array.from(grouped, ([key, comments]) => [key, comments.map(noted)]));
}

/** Adds notes to a row. A new label is created; an existing one of that name keeps its color. */
export function addRowNotes(db: Db, kind: Kind, id: number, { comments, labels }: RowNotes, nowMs: number): void {
  const code = kindCode(kind);
  for (const { field, author, text, at, resolved } of comments) {
    db.run(
      `INSERT INTO comment(kind, row, field, author, text, text_key, at, resolved_at)
       VALUES (?, ?, ?, ?, ?, ?, CAST(? AS INTEGER), CAST(? AS INTEGER))`,
      code,
      id,
      field,
      author,
      text,
      textKey(text),
      at,
      resolved ? nowMs : null,
    );
  }
  for (const { name, color } of labels) {
    const key = textKey(name);
    db.run('INSERT OR IGNORE INTO label(name, name_key, color) VALUES (?, ?, ?)', name, key, color);
    const label = numberOf(db, 'SELECT id FROM label WHERE name_key = ?', key);
    db.run('INSERT OR IGNORE INTO row_label(kind, id, label) VALUES (?, ?, ?)', code, id, label);
  }
}
