import type { Db } from '../db/db.ts';

/** What only users write: steps of the history, undone or not, and notes. Steps of a sync are none of theirs. */
const MARKS = [
  `SELECT max(id) FROM step WHERE source <> 'sync'`,
  'SELECT count(*) FROM step WHERE state = 1',
  'SELECT max(id) || count(*) || total(length(text)) || total(resolved_at) FROM comment',
  'SELECT count(*) || total(id * 31 + label) FROM row_label',
  'SELECT group_concat(name_key || color) FROM label',
  'SELECT group_concat(name_key || view || layout) FROM saved_view',
];

/** A text that differs from an earlier one when a user has edited, undone or noted something in between. */
export const editVersion = (db: Db): string => JSON.stringify(MARKS.map((sql) => db.get(sql)?.[0] ?? null));
