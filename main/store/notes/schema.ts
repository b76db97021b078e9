import { columnOf, tableOf } from '../schema/tables.ts';

/**
 * Saved views, labels and comments: what users write beside their rows. None of it is ever sent, and none of it is
 * part of the history. Notes of a row that has left stay, since undo brings the row back under its number.
 */
export function notesSchema(): string {
  return NOTES_DDL + reviewIndexes();
}

const NOTES_DDL = `
  CREATE TABLE saved_view(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    view TEXT NOT NULL, layout TEXT NOT NULL, UNIQUE(kind, name_key)) STRICT;
  CREATE TABLE label(id INTEGER PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, color TEXT NOT NULL)
    STRICT;
  CREATE TABLE row_label(kind INTEGER NOT NULL, id INTEGER NOT NULL,
    label INTEGER NOT NULL REFERENCES label(id) ON DELETE CASCADE, PRIMARY KEY(kind, id, label)) STRICT, WITHOUT ROWID;
  CREATE INDEX row_label_label ON row_label(label, kind, id);
  -- resolved_at is null while a comment is open; text_key is the folded text.
  CREATE TABLE comment(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, field TEXT,
    author TEXT NOT NULL, text TEXT NOT NULL, text_key TEXT NOT NULL, at INTEGER NOT NULL, resolved_at INTEGER) STRICT;
  CREATE INDEX comment_row ON comment(kind, row) WHERE resolved_at IS NULL;`;

/** The few rows that a review has rejected or still holds, so that counting them needs no pass over all rows. */
function reviewIndexes(): string {
  return (['adItem', 'keyword', 'sbaProfile', 'videoProfile', 'adGroup'] as const)
    .flatMap((kind) => {
      const { name, columns } = tableOf(kind);
      const column = columnOf({ ...tableOf(kind), columns }, 'reviewStatus');
      if (column?.spec.type.is !== 'choice') return [];
      const approved = column.spec.type.choices.indexOf('approved');
      return [`CREATE INDEX ${name}_review ON ${name}(${column.sql}) WHERE ${column.sql} <> ${approved};`];
    })
    .join('\n');
}
