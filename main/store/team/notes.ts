import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { textKey } from '../../../shared/model/text.ts';
import { NOTE_KINDS, type NoteKind, type NoteRecord } from '../../../shared/team/change-set.ts';
import {
  asNumber,
  asNumberOrNull,
  asText,
  asTextOrNull,
  type Db,
  type DbRow,
  type DbValue,
  numberOf,
} from '../db/db.ts';
import { writeNamed } from '../notes/note-commands.ts';
import { bindAny } from '../rows/codec.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import { isRuleSetting } from '../rows/rule-settings.ts';
import { allTables, columnByCode, columnOf, tableOf } from '../schema/tables.ts';
import { type AffectedRows, takeIds } from '../writer/writer-store.ts';
import { KEPT_MINE_FIELDS, NOTE_TABLES, SETTING_KEYS } from './schema.ts';

/**
 * Notes of the team. Each is one record, and the later one in the log replaces the whole record. Comments, labels and
 * saved views have an own number on each computer and a shared one (`uid`).
 */
type Numbered = keyof typeof NOTE_TABLES;
const isNumbered = (what: NoteKind): what is Numbered => what in NOTE_TABLES;
type Setting = keyof typeof SETTING_KEYS;
const isSetting = (what: NoteKind): what is Setting => what in SETTING_KEYS;

/** At most `most` notes that were written here and are not shared. Removes them from the queue. */
export function takeNotes(db: Db, member: number, most: number): readonly NoteRecord[] {
  const queue: DbRow[] = [];
  // Labels before the rows that have them.
  for (const what of NOTE_KINDS)
    queue.push(...db.all('SELECT what, id, uid FROM team_note WHERE what = ? LIMIT ?', what, most - queue.length));
  const records = queue.flatMap(([what, id, uid]) =>
    recordOf(db, asText(what) as NoteKind, asNumber(id), asNumberOrNull(uid), member),
  );
  db.run(
    'DELETE FROM team_note WHERE (what, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))',
    JSON.stringify(queue),
  );
  return records;
}

function recordOf(db: Db, what: NoteKind, id: number, uid: number | null, member: number): readonly NoteRecord[] {
  if (isSetting(what)) return [{ what, id: 0, text: readMeta(db, SETTING_KEYS[what]) }];
  if (what === 'keptMine') return keptRecord(db, id);
  if (!isNumbered(what)) return [{ what, id, text: rowLabels(db, id) }];
  const text = TEXT[what](db, id);
  if (text === null) return uid === null ? [] : [{ what, id: uid, text }];
  const known = asNumberOrNull(db.get(`SELECT uid FROM ${NOTE_TABLES[what]} WHERE id = ?`, id)?.[0]);
  const own = known ?? takeIds(db, 1);
  if (known === null) db.run(`UPDATE ${NOTE_TABLES[what]} SET uid = ? WHERE id = ?`, own, id);
  if (what !== 'comment') return [{ what, id: own, text }];
  db.run('UPDATE comment SET member = ? WHERE id = ? AND member IS NULL', member, id);
  return [{ what, id: own, text: TEXT.comment(db, id) }];
}

/** Assigns shared numbers to all notes of a team's first computer: they are in its first snapshot. */
export function numberNotes(db: Db, member: number): void {
  for (const table of Object.values(NOTE_TABLES)) {
    const count = numberOf(db, `SELECT count(*) FROM ${table}`);
    if (count === 0) continue;
    const first = takeIds(db, count);
    db.run(
      `UPDATE ${table} SET uid = ?1 + n.place FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM ${table}) n
       WHERE n.id = ${table}.id`,
      first,
    );
  }
  db.run('UPDATE comment SET member = ? WHERE member IS NULL', member);
  for (const { what, id, text } of notesHere(db)) writeShared(db, what, id, text);
}

const TEXT: Readonly<Record<Numbered, (db: Db, id: number) => string | null>> = {
  view: (db, id) => json(db.get('SELECT kind, name, view, layout FROM saved_view WHERE id = ?', id)),
  label: (db, id) => json(db.get('SELECT name, color FROM label WHERE id = ?', id)),
  comment: (db, id) =>
    json(db.get('SELECT kind, row, field, author, text, at, resolved_at, member FROM comment WHERE id = ?', id)),
};

const json = (row: readonly DbValue[] | undefined): string | null => (row === undefined ? null : JSON.stringify(row));

/** All notes written here, as records. */
function notesHere(db: Db): readonly NoteRecord[] {
  const numbered = Object.entries(NOTE_TABLES).flatMap(([what, table]) =>
    db.all(`SELECT id, uid FROM ${table}`).map(([id, uid]): NoteRecord => {
      return { what: what as Numbered, id: asNumber(uid), text: TEXT[what as Numbered](db, asNumber(id)) };
    }),
  );
  const rows = db.all('SELECT DISTINCT id FROM row_label').map(([id]): NoteRecord => {
    return { what: 'rowLabels', id: asNumber(id), text: rowLabels(db, asNumber(id)) };
  });
  const settings = Object.entries(SETTING_KEYS).map(([what, key]): NoteRecord => {
    return { what: what as Setting, id: 0, text: readMeta(db, key) };
  });
  return [...numbered, ...rows, ...settings];
}

/**
 * All notes as in the log, in the same order on every computer. Later local changes are in the tables that windows
 * read, and are shared afterwards.
 */
export const sharedNotes = (db: Db): readonly NoteRecord[] => {
  const notes = db.all('SELECT what, id, text FROM team_shared_note ORDER BY id');
  return NOTE_KINDS.flatMap((what) =>
    notes.filter(([of]) => of === what).map(([, id, text]) => ({ what, id: asNumber(id), text: asText(text) })),
  );
};

const sharedText = (db: Db, what: NoteKind, id: number): string | null =>
  asTextOrNull(db.get('SELECT text FROM team_shared_note WHERE what = ? AND id = ?', what, id)?.[0]);

function writeShared(db: Db, what: NoteKind, id: number, text: string | null): void {
  if (text === null) db.run('DELETE FROM team_shared_note WHERE what = ? AND id = ?', what, id);
  else db.run('INSERT OR REPLACE INTO team_shared_note VALUES (?, ?, ?)', what, id, text);
}

/** Records that revert the notes of an entry. Must be read before it is folded. */
export const inverseNotes = (db: Db, notes: readonly NoteRecord[]): readonly NoteRecord[] =>
  notes.filter(({ what }) => what !== 'keptMine').map(({ what, id }) => ({ what, id, text: sharedText(db, what, id) }));

/** The table is sorted by kind and row: without the kind, all rows with labels would be read for each. */
const OF_ANY_KIND = `kind IN (${KINDS.map((_, code) => code).join(', ')})`;

/** The row's kind and the shared numbers of its labels. */
function rowLabels(db: Db, row: number): string {
  const found = db.all(
    `SELECT r.kind, l.uid FROM row_label r JOIN label l ON l.id = r.label WHERE r.${OF_ANY_KIND} AND r.id = ? ORDER BY l.uid`,
    row,
  );
  const uids = found.map(([, uid]) => uid).filter((uid) => uid !== null);
  return JSON.stringify([found[0]?.[0] ?? null, uids]);
}

/** The source of shared notes, and this computer's notes that are not in the log before them. */
interface NoteSource {
  /** Null for notes of a snapshot or an inverse, which apply unchanged. */
  readonly member: number | null;
  readonly isOwn: boolean;
  readonly offered: readonly NoteRecord[];
}

/**
 * Applies the notes of an entry. The log's state of a note depends only on the log, so it is the same on every
 * computer. Windows then show it, unless a newer one was written here: that comes later in the log and replaces it.
 * Only the author changes the text of a comment or deletes it; anyone may resolve it.
 */
export function foldNotes(db: Db, notes: readonly NoteRecord[], from: NoteSource, touched: AffectedRows): void {
  const shown: Shown[] = [];
  const offered = new Set(from.isOwn ? [] : from.offered.map(({ what, id }) => `${what} ${id}`));
  for (const note of notes) {
    const { what, id } = note;
    const isOffered = offered.has(`${what} ${id}`);
    if (what === 'keptMine') {
      if (!isOffered) foldKept(db, note.text, touched);
      continue;
    }
    const before = sharedText(db, what, id);
    const text = afterNote(before, note, from.member);
    writeShared(db, what, id, text);
    shown.push({ what, id, before, text, isPending: isOffered || isQueued(db, what, id) });
  }
  show(db, shown, touched);
  // Many screens display names of labels, views and templates.
  if (notes.length > 0 && !from.isOwn) touched.kinds.add('campaign');
}

/** Reverts the notes of an entry that the database has lost. Notes of this computer are kept and shared again. */
export function unfoldNotes(db: Db, inverse: readonly NoteRecord[], isOwn: boolean, touched: AffectedRows): void {
  if (!isOwn) foldNotes(db, inverse, { member: null, isOwn, offered: [] }, touched);
  else for (const { what, id, text } of inverse) writeShared(db, what, id, text);
}

/** The log's state of a note after one more record. */
function afterNote(before: string | null, { what, text }: NoteRecord, member: number | null): string | null {
  if (what !== 'comment' || member === null) return text;
  const written = text === null ? null : (JSON.parse(text) as readonly DbValue[]);
  const known = before === null ? written : (JSON.parse(before) as readonly DbValue[]);
  const author = known?.[COMMENT_MEMBER] ?? member;
  if (author === member) return written === null ? null : JSON.stringify([...written.slice(0, COMMENT_MEMBER), author]);
  // A comment that the log does not have can be shared only by its author.
  if (before === null || written === null || known === null) return before;
  return JSON.stringify(known.with(COMMENT_RESOLVED, written[COMMENT_RESOLVED] ?? null));
}

/** Positions in a comment's record: when it was resolved, and its author. */
const COMMENT_RESOLVED = 6;
const COMMENT_MEMBER = 7;

interface Shown extends NoteRecord {
  readonly before: string | null;
  /** A newer one was written here. */
  readonly isPending: boolean;
}

const ownId = (db: Db, what: Numbered, uid: number): number | null =>
  asNumberOrNull(db.get(`SELECT id FROM ${NOTE_TABLES[what]} WHERE uid = ?`, uid)?.[0]);

/** A note deleted here has no row: it is queued under its negated shared number. */
function isQueued(db: Db, what: NoteKind, id: number): boolean {
  const own = isNumbered(what) ? ownId(db, what, id) : id;
  return db.get('SELECT 1 FROM team_note WHERE what = ? AND id IN (?, ?)', what, own, -id) !== undefined;
}

function show(db: Db, shown: readonly Shown[], touched: AffectedRows): void {
  // Names that change with each other are first replaced by unique ones.
  for (const { what, id, text, isPending } of shown)
    if (!isPending && isNumbered(what) && what !== 'comment')
      db.run(
        text === null
          ? `DELETE FROM ${NOTE_TABLES[what]} WHERE uid = ?1`
          : `UPDATE ${NOTE_TABLES[what]} SET name_key = char(1) || hex(randomblob(8)) WHERE uid = ?1`,
        id,
      );
  for (const note of shown) {
    const { what, id, text, isPending } = note;
    if (isSetting(what)) showSetting(db, what, note, touched);
    else if (what === 'comment') showComment(db, note, touched);
    else if (isPending) continue;
    else if (what === 'view' || what === 'label') {
      if (text !== null) showNamed(db, what, id, JSON.parse(text) as DbValue[]);
    } else showRowLabels(db, id, text, touched);
  }
}

/** Records the service value of the decision too, because a colleague may have a newer one by then. */
function keptRecord(db: Db, id: number): readonly NoteRecord[] {
  const row = Math.floor(id / KEPT_MINE_FIELDS);
  const table = allTables().find(({ name }) => db.get(`SELECT 1 FROM ${name} WHERE id = ?`, row) !== undefined);
  if (table === undefined) return [];
  const { sql, field, code } = columnByCode(table, id % KEPT_MINE_FIELDS);
  // The service has changed it again, which needs a new decision.
  const open = 'SELECT 1 FROM conflict WHERE against = 0 AND kind = ? AND id = ? AND field = ?';
  if (db.get(open, table.code, row, code) !== undefined) return [];
  const base = db.get(`SELECT ${sql} FROM ${table.base} WHERE id = ?`, row);
  return base === undefined ? [] : [{ what: 'keptMine', id, text: JSON.stringify([table.kind, row, field, base[0]]) }];
}

function foldKept(db: Db, text: string | null, touched: AffectedRows): void {
  const [kind, row, field, value] = JSON.parse(text ?? '') as [Kind, number, string, DbValue];
  const table = tableOf(kind);
  const column = columnOf(table, field);
  if (column === undefined) return;
  db.run(
    'DELETE FROM conflict WHERE against = 0 AND kind = ? AND id = ? AND field = ? AND theirs IS ?',
    table.code,
    row,
    column.code,
    bindAny(value),
  );
  touched.kinds.add(kind);
}

/** A list that was also changed here keeps its own changes, entry by entry; they are shared after this. */
function showSetting(db: Db, what: Setting, { before, text, isPending }: Shown, touched: AffectedRows): void {
  const key = SETTING_KEYS[what];
  const base = entriesOf(what, before);
  const theirs = entriesOf(what, text);
  const mine = entriesOf(what, readMeta(db, key));
  if (isPending)
    for (const name of [...base.keys(), ...mine.keys()]) {
      const own = mine.get(name);
      if (own === base.get(name)) continue;
      if (own === undefined) theirs.delete(name);
      else theirs.set(name, own);
    }
  writeMeta(db, key, textOf(what, theirs));
  if (isRuleSetting(key)) touched.standards = true;
}

/** Entries of a list as texts, by their key. */
function entriesOf(what: Setting, text: string | null): Map<string, string> {
  // The learned hourly limit is one entry: the newest is the most reliable.
  if (what === 'changeLimit') return new Map(text === null || text === '' ? [] : [['', text]]);
  if (what === 'mutedRules') return new Map((text ?? '').split(' ').flatMap((id) => (id === '' ? [] : [[id, id]])));
  const list = JSON.parse(text ?? '[]') as readonly { readonly id?: string; readonly name: string }[];
  return new Map(list.map((entry) => [entry.id ?? entry.name, JSON.stringify(entry)]));
}

function textOf(what: Setting, entries: ReadonlyMap<string, string>): string {
  if (what === 'mutedRules') return [...entries.keys()].toSorted().join(' ');
  const list = [...entries.values()].join(',');
  return what === 'changeLimit' ? list : `[${list}]`;
}

function showRowLabels(db: Db, row: number, text: string | null, touched: AffectedRows): void {
  const [code, uids] = JSON.parse(text ?? '[null, []]') as [number | null, number[]];
  for (const [kind] of db.all(`SELECT DISTINCT kind FROM row_label WHERE ${OF_ANY_KIND} AND id = ?`, row))
    touch(kind, touched);
  db.run(`DELETE FROM row_label WHERE ${OF_ANY_KIND} AND id = ?`, row);
  if (code === null) return;
  db.run(
    'INSERT OR IGNORE INTO row_label(kind, id, label) SELECT ?, ?, id FROM label WHERE uid IN (SELECT value FROM json_each(?))',
    code,
    row,
    JSON.stringify(uids),
  );
  touch(code, touched);
}

function showNamed(db: Db, what: 'view' | 'label', uid: number, cells: DbValue[]): void {
  const table = NOTE_TABLES[what];
  const [kind, name, ...more] = what === 'view' ? cells : [null, ...cells];
  const key = textKey(asText(name));
  const inKind = kind === null ? '' : `kind = ${asNumber(kind)} AND `;
  const other = db.get(`SELECT id FROM ${table} WHERE ${inKind}name_key = ? AND uid IS NOT ?`, key, uid)?.[0];
  if (typeof other === 'number') giveWay(db, what, other, asText(name), inKind);
  const [first = null, layout = null] = more;
  const own = what === 'view' ? { kind: kind ?? null, view: first, layout } : { color: first };
  writeNamed(db, table, ownId(db, what, uid), { uid, name: name ?? null, name_key: key, ...own });
}

/** Of two notes with one name, the one that was not in the log yet gets another name, which is shared. */
function giveWay(db: Db, what: 'view' | 'label', id: number, name: string, inKind: string): void {
  const table = NOTE_TABLES[what];
  const isTaken = (key: string): boolean =>
    db.get(`SELECT 1 FROM ${table} WHERE ${inKind}name_key = ?`, key) !== undefined;
  let no = 2;
  while (isTaken(textKey(`${name} (${no})`))) no++;
  const other = `${name} (${no})`;
  db.run(`UPDATE ${table} SET name = ?, name_key = ? WHERE id = ?`, other, textKey(other), id);
  db.run(`INSERT OR IGNORE INTO team_note SELECT ?, id, uid FROM ${table} WHERE id = ?`, what, id);
}

function showComment(db: Db, { id: uid, before, text, isPending }: Shown, touched: AffectedRows): void {
  const known = ownId(db, 'comment', uid);
  const cells = JSON.parse(text ?? before ?? '[]') as DbValue[];
  const [kind, row, field, name, words, at, resolvedAt, author] = cells;
  // The only change of a colleague's comment that may be pending is its resolution.
  const isOwn = author === null || author === db.get('SELECT member FROM team_meta')?.[0];
  if (kind === undefined || (isPending && isOwn)) return;
  touch(kind, touched);
  if (text === null) {
    db.run('DELETE FROM comment WHERE uid = ?', uid);
    if (known !== null) db.run(`DELETE FROM team_note WHERE what = 'comment' AND id = ?`, known);
  } else if (known === null) {
    db.run(`DELETE FROM team_note WHERE what = 'comment' AND id = ?`, -uid);
    db.run(
      `INSERT INTO comment(kind, row, field, author, text, text_key, at, resolved_at, uid, member)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      kind,
      row ?? null,
      field ?? null,
      name ?? null,
      words ?? null,
      textKey(asTextOrNull(words) ?? ''),
      at ?? null,
      resolvedAt ?? null,
      uid,
      author ?? null,
    );
  } else {
    db.run(
      'UPDATE comment SET text = ?1, text_key = fold(?1), member = ?2 WHERE id = ?3',
      words ?? null,
      author ?? null,
      known,
    );
    if (!isPending) db.run('UPDATE comment SET resolved_at = ? WHERE id = ?', resolvedAt ?? null, known);
  }
}

function touch(code: DbValue | undefined, touched: AffectedRows): void {
  const kind = KINDS[asNumber(code)];
  if (kind !== undefined) touched.kinds.add(kind);
}
