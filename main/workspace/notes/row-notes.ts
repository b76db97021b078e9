import { keywordKey } from '../../../shared/model/keyword-key.ts';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { NotedComment, RowNotes } from '../../../shared/sheet/row-notes.ts';
import { asText, type Db, numberOf } from '../db/db.ts';
import { readComments } from './read-notes.ts';

/**
 * The notes of single rows, for files in and out. The comments are read once, when the first row is asked for.
 *
 * @param who the author of comments that name none: they were written here
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
  const byRow = new Map<string, NotedComment[]>();
  for (const { ref, id: _, ...written } of readComments(db, null, null)) {
    const comment = { ...written, author: written.author === '' ? who : written.author };
    const key = `${ref.kind} ${ref.id}`;
    const known = byRow.get(key);
    if (known === undefined) byRow.set(key, [comment]);
    else known.push(comment);
  }
  return byRow;
}

/** Adds notes to a row. A label that is not known yet is made; one of the same name keeps its own colour. */
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
      keywordKey(text),
      at,
      resolved ? nowMs : null,
    );
  }
  for (const { name, color } of labels) {
    const key = keywordKey(name);
    db.run('INSERT OR IGNORE INTO label(name, name_key, color) VALUES (?, ?, ?)', name, key, color);
    const label = numberOf(db, 'SELECT id FROM label WHERE name_key = ?', key);
    db.run('INSERT OR IGNORE INTO row_label(kind, id, label) VALUES (?, ?, ?)', code, id, label);
  }
}
