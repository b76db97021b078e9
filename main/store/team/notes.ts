import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { textKey } from '../../../shared/model/text.ts';
import { NOTE_KINDS, type NoteKind, type NoteRecord } from '../../../shared/team/change-set.ts';
import { asNumber, asNumberOrNull, asText, asTextOrNull, type Db, type DbValue, numberOf } from '../db/db.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import { isRuleSetting } from '../rows/rule-settings.ts';
import { allTables, columnByCode, columnOf, tableOf } from '../schema/tables.ts';
import { type AffectedRows, takeIds } from '../writer/store.ts';
import { KEPT_MINE_FIELDS, NOTE_TABLES, SETTING_KEYS } from './schema.ts';

/**
 * Notes of the team: each is a record of its own, and the later one in the log wins as a whole. Comments, labels and saved views
 * have a number of their own on each computer and one that all share (`uid`).
 */
type Numbered = keyof typeof NOTE_TABLES;
const isNumbered = (what: NoteKind): what is Numbered => what in NOTE_TABLES;
type Setting = keyof typeof SETTING_KEYS;
const isSetting = (what: NoteKind): what is Setting => what in SETTING_KEYS;

/** What was written here since it was asked for last. Takes it out of the queue. */
export function takeNotes(db: Db, member: number): readonly NoteRecord[] {
  const queue = db.all('SELECT what, id, uid FROM team_note');
  // Labels before the rows that carry them.
  const records = NOTE_KINDS.flatMap((what) =>
    queue
      .filter(([of]) => of === what)
      .flatMap(([, id, uid]) => recordOf(db, what, asNumber(id), asNumberOrNull(uid), member)),
  );
  db.run('DELETE FROM team_note');
  return records;
}

function recordOf(db: Db, what: NoteKind, id: number, uid: number | null, member: number): readonly NoteRecord[] {
  if (isSetting(what)) return [{ what, id: 0, text: readMeta(db, SETTING_KEYS[what]) }];
  if (what === 'keptMine') return keptRecord(db, id);
  if (!isNumbered(what)) return [{ what, id, text: rowLabels(db, id) }];
  const text = TEXT[what](db, id);
  if (text === null) return uid === null ? [] : [{ what, id: uid, text }];
  const known = uid ?? asNumberOrNull(db.get(`SELECT uid FROM ${NOTE_TABLES[what]} WHERE id = ?`, id)?.[0]);
  const own = known ?? takeIds(db, 1);
  if (known === null) db.run(`UPDATE ${NOTE_TABLES[what]} SET uid = ? WHERE id = ?`, own, id);
  if (what === 'comment') db.run('UPDATE comment SET member = ? WHERE id = ? AND member IS NULL', member, id);
  return [{ what, id: own, text }];
}

/** Gives all notes their shared numbers at once, as the first computer of a team: they are in its first snapshot. */
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
  for (const [what, key] of Object.entries(SETTING_KEYS)) {
    const text = readMeta(db, key);
    if (text !== null) writeMeta(db, sharedKey(what as Setting), text);
  }
}

const TEXT: Readonly<Record<Numbered, (db: Db, id: number) => string | null>> = {
  view: (db, id) => json(db.get('SELECT kind, name, view, layout FROM saved_view WHERE id = ?', id)),
  label: (db, id) => json(db.get('SELECT name, color FROM label WHERE id = ?', id)),
  comment: (db, id) =>
    json(db.get('SELECT kind, row, field, author, text, at, resolved_at, member FROM comment WHERE id = ?', id)),
};

const json = (row: readonly DbValue[] | undefined): string | null => (row === undefined ? null : JSON.stringify(row));

/** All notes that the log has; those that were written here since are on their way. */
export function sharedNotes(db: Db): readonly NoteRecord[] {
  const numbered = Object.entries(NOTE_TABLES).flatMap(([what, table]) =>
    db.all(`SELECT id, uid FROM ${table} WHERE uid IS NOT NULL`).map(([id, uid]): NoteRecord => {
      const text = TEXT[what as Numbered](db, asNumber(id));
      return { what: what as Numbered, id: asNumber(uid), text };
    }),
  );
  const rows = db.all('SELECT DISTINCT id FROM row_label').map(([id]): NoteRecord => {
    return { what: 'rowLabels', id: asNumber(id), text: rowLabels(db, asNumber(id)) };
  });
  const settings = Object.entries(SETTING_KEYS).flatMap(([what, key]): readonly NoteRecord[] => {
    const text = readMeta(db, key);
    return text === null ? [] : [{ what: what as NoteKind, id: 0, text }];
  });
  return [...numbered, ...rows, ...settings];
}

/** Kind of the row and the labels that it carries, by their shared numbers. */
function rowLabels(db: Db, row: number): string {
  const found = db.all(
    'SELECT r.kind, l.uid FROM row_label r JOIN label l ON l.id = r.label WHERE r.id = ? ORDER BY l.uid',
    row,
  );
  const uids = found.map(([, uid]) => uid).filter((uid) => uid !== null);
  return JSON.stringify([found[0]?.[0] ?? null, uids]);
}

/**
 * Takes the notes of an entry in. Of a comment only its author changes the words; anyone may resolve it.
 *
 * @param member who shared them; null for those of a snapshot, which names the authors
 * @param offered notes of this computer that the log does not have yet
 */
export function foldNotes(
  db: Db,
  notes: readonly NoteRecord[],
  {
    member,
    isOwn,
    offered,
  }: { readonly member: number | null; readonly isOwn: boolean; readonly offered: readonly NoteRecord[] },
  touched: AffectedRows,
): void {
  const isOffered = (what: NoteKind, id: number): boolean =>
    offered.some((note) => note.what === what && note.id === id);
  for (const { what, id, text } of notes) {
    if (isSetting(what)) foldSetting(db, what, text, { isOwn, isOffered: isOffered(what, 0) }, touched);
    else if (isOffered(what, id)) continue;
    else if (what === 'keptMine') foldKept(db, text, touched);
    else if (!isNumbered(what)) foldRowLabels(db, id, text, touched);
    else foldNumbered(db, what, id, text === null ? null : (JSON.parse(text) as DbValue[]), member, touched);
  }
  // Names of labels, views and templates are shown in many places.
  if (notes.length > 0 && !isOwn) touched.kinds.add('campaign');
}

/** A colleague may know a newer value of the service by then, so the one that was decided about goes along. */
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
    ...[table.code, row, column.code, typeof value === 'number' ? BigInt(value) : value],
  );
  touched.kinds.add(kind);
}

/** What the log says of a list, beside the one that is in use. */
const sharedKey = (what: Setting): string => `team-${SETTING_KEYS[what]}`;

/** A list that was changed here as well keeps its own changes, entry by entry; they are shared after this. */
function foldSetting(
  db: Db,
  what: Setting,
  text: string | null,
  { isOwn, isOffered }: { readonly isOwn: boolean; readonly isOffered: boolean },
  touched: AffectedRows,
): void {
  const key = SETTING_KEYS[what];
  const base = entriesOf(what, readMeta(db, sharedKey(what)));
  const theirs = entriesOf(what, text);
  const mine = entriesOf(what, readMeta(db, key));
  writeMeta(db, sharedKey(what), textOf(what, theirs));
  const isQueued = db.get('SELECT 1 FROM team_note WHERE what = ?', what) !== undefined;
  if (isOwn && isQueued) return;
  if (isQueued || isOffered)
    for (const name of [...base.keys(), ...mine.keys()]) {
      const own = mine.get(name);
      if (own === base.get(name)) continue;
      if (own === undefined) theirs.delete(name);
      else theirs.set(name, own);
    }
  writeMeta(db, key, textOf(what, theirs));
  if (isRuleSetting(key)) touched.standards = true;
}

/** Entries of a list as texts, by what tells them apart. */
function entriesOf(what: Setting, text: string | null): Map<string, string> {
  // What was learned of the hourly limit is one entry: the newest is the surest.
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

function foldRowLabels(db: Db, row: number, text: string | null, touched: AffectedRows): void {
  // Labels that were given or taken here since are later in the log than these.
  if (db.get(`SELECT 1 FROM team_note WHERE what = 'rowLabels' AND id = ?`, row) !== undefined) return;
  const [code, uids] = JSON.parse(text ?? '[null, []]') as [number | null, number[]];
  for (const [kind] of db.all('SELECT DISTINCT kind FROM row_label WHERE id = ?', row)) touch(kind, touched);
  db.run('DELETE FROM row_label WHERE id = ?', row);
  if (code === null) return;
  db.run(
    'INSERT OR IGNORE INTO row_label(kind, id, label) SELECT ?, ?, id FROM label WHERE uid IN (SELECT value FROM json_each(?))',
    code,
    row,
    JSON.stringify(uids),
  );
  touch(code, touched);
}

function foldNumbered(
  db: Db,
  what: Numbered,
  uid: number,
  cells: DbValue[] | null,
  member: number | null,
  touched: AffectedRows,
): void {
  const table = NOTE_TABLES[what];
  const known = asNumberOrNull(db.get(`SELECT id FROM ${table} WHERE uid = ?`, uid)?.[0]);
  // A note of its own that is still to be shared is later in the log than this one.
  if (known !== null && db.get('SELECT 1 FROM team_note WHERE what = ? AND id = ?', what, known) !== undefined) return;
  if (what === 'comment') {
    foldComment(db, known, uid, cells, member, touched);
    return;
  }
  if (cells === null) {
    db.run(`DELETE FROM ${table} WHERE uid = ?`, uid);
    return;
  }
  const [kind, name, ...more] = what === 'view' ? cells : [null, ...cells];
  const key = textKey(asText(name));
  const inKind = kind === null ? '' : `kind = ${asNumber(kind)} AND `;
  const other = db.get(`SELECT id FROM ${table} WHERE ${inKind}name_key = ? AND uid IS NOT ?`, key, uid)?.[0];
  if (typeof other === 'number') giveWay(db, what, other, asText(name));
  const columns = what === 'view' ? ['kind', 'name', 'name_key', 'view', 'layout'] : ['name', 'name_key', 'color'];
  const values = what === 'view' ? [kind ?? null, name ?? null, key, ...more] : [name ?? null, key, ...more];
  if (known === null) {
    const places = columns.map(() => '?').join(', ');
    db.run(`INSERT INTO ${table}(uid, ${columns.join(', ')}) VALUES (?, ${places})`, uid, ...values);
  } else
    db.run(`UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`, ...values, known);
}

/** Two notes of one name: the one that was not in the log yet gets another, and is shared with it. */
function giveWay(db: Db, what: Numbered, id: number, name: string): void {
  const table = NOTE_TABLES[what];
  const other = `${name} (${numberOf(db, `SELECT count(*) + 1 FROM ${table} WHERE name_key LIKE ? || '%'`, textKey(name))})`;
  db.run(`UPDATE ${table} SET name = ?, name_key = ? WHERE id = ?`, other, textKey(other), id);
  db.run(`INSERT OR IGNORE INTO team_note SELECT ?, id, uid FROM ${table} WHERE id = ?`, what, id);
}

function foldComment(
  db: Db,
  known: number | null,
  uid: number,
  cells: DbValue[] | null,
  member: number | null,
  touched: AffectedRows,
): void {
  const [kind = null] = cells ?? db.get('SELECT kind FROM comment WHERE uid = ?', uid) ?? [];
  if (kind !== null) touch(kind, touched);
  const author = asNumberOrNull(db.get('SELECT member FROM comment WHERE uid = ?', uid)?.[0]);
  const isAuthor = author === null || member === null || author === member;
  if (cells === null) {
    if (isAuthor) db.run('DELETE FROM comment WHERE uid = ?', uid);
    return;
  }
  const [, row, field, name, text, at, resolvedAt, by] = cells;
  if (known === null) {
    db.run(
      `INSERT INTO comment(kind, row, field, author, text, text_key, at, resolved_at, uid, member)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[kind, row ?? null, field ?? null, name ?? null, text ?? null, textKey(asTextOrNull(text) ?? '')],
      ...[at ?? null, resolvedAt ?? null, uid, member ?? by ?? null],
    );
    return;
  }
  db.run('UPDATE comment SET resolved_at = ? WHERE id = ?', resolvedAt ?? null, known);
  if (isAuthor)
    db.run('UPDATE comment SET text = ?, text_key = fold(?) WHERE id = ?', text ?? null, text ?? null, known);
}

function touch(code: DbValue | undefined, touched: AffectedRows): void {
  const kind = KINDS[asNumber(code)];
  if (kind !== undefined) touched.kinds.add(kind);
}
