import type { Comment, Label } from '../../../shared/contract/notes.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import { KINDS, kindCode } from '../../../shared/model/kinds.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import { asNumber, asText, asTextOrNull, type Db, rowIdOf } from '../db/db.ts';
import { readIds } from '../db/read-ids.ts';

/** A label with the rows that carry it, kind by kind. */
export interface LabelledRows {
  readonly name: string;
  readonly color: string;
  readonly rows: readonly BulkRows[];
}

/** Saved views in the order of their names, as they were written; an older version may have known fewer settings. */
export const readSavedViews = (db: Db): readonly unknown[] =>
  db.all('SELECT id, name, view, layout FROM saved_view ORDER BY name_key, kind').map(([id, name, view, layout]) => ({
    id,
    name,
    view: JSON.parse(asText(view)),
    layout: JSON.parse(asText(layout)),
  }));

export const readLabels = (db: Db): Label[] =>
  db
    .all(
      `SELECT l.id, l.name, l.color, (SELECT count(*) FROM row_label r WHERE r.label = l.id)
       FROM label l ORDER BY l.name_key`,
    )
    .map(([id, name, color, rows]) => ({
      id: asNumber(id),
      name: asText(name),
      color: asText(color),
      rows: asNumber(rows),
    }));

/** Each label with the rows that carry it. */
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
    ref: { kind: KINDS[asNumber(kind)] ?? 'campaign', id: rowIdOf(row) },
    field: asTextOrNull(field),
    author: asText(author),
    text: asText(text),
    at: asNumber(at),
    resolved: resolvedAt !== null,
  }));
}
