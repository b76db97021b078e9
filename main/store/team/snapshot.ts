import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import {
  type CellChange,
  type ChangeSet,
  decodeChangeSet,
  encodeChangeSet,
  type NoteRecord,
} from '../../../shared/team/change-set.ts';
import { foldChangeSet } from '../../../shared/team/fold.ts';
import type { LogPlace } from '../../../shared/team/position.ts';
import { asText, type Db, numberOf, rowIdsOf } from '../db/db.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import { allTables, type Table, tableOf } from '../schema/tables.ts';
import { factsOf, foldFacts, queuedRows, readService } from './facts.ts';
import { type Folding, packed, readTeam, shareAgain, teamOf, writePosition } from './meta.ts';
import { foldNotes, sharedNotes } from './notes.ts';
import { quietly, shadowOf, UNSHARED } from './schema.ts';
import { fieldsOf, StoredTeamRows } from './team-rows.ts';

/** The start of a part: after this row of this kind. */
export interface SnapshotPlace {
  readonly kind: Kind;
  readonly after: number;
  /** How many notes earlier parts have; notes follow the last row. */
  readonly notes?: number;
}

export interface SnapshotPart {
  /** The snapshot's position in the log; all its parts have the same. */
  readonly place: LogPlace;
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly rows: number;
  /** Null after the last part. */
  readonly next: SnapshotPlace | null;
}

export interface TeamSnapshot {
  readonly place: LogPlace;
  readonly parts: readonly Uint8Array[];
  readonly rows: number;
  /** Equal on all computers that have the log up to this position. */
  readonly digest: string;
}

/** Rows per part: about 200 KB; fewer if they are very long. */
const ROWS_A_PART = 20_000;
/** The database takes compressed parts up to this size. */
const PART_MAX_BYTES = 4 * 1024 ** 2;
/**
 * Notes per part, uncompressed. Older versions wrote all notes as one part, so fewer notes than this stay in one and
 * have the same digest.
 */
const NOTES_A_PART_BYTES = 3_500_000;

/** Same as `snapshotPart`; null without a team, and while service values are unshared or the log must be read. */
export function settledPart(db: Db, at?: SnapshotPlace): SnapshotPart | null {
  const team = readTeam(db);
  if (team === null || team.mustPull) return null;
  // Before its first entry, a team's service values are those of this computer.
  return team.seen.seq > 0 && queuedRows(db, 1).size > 0 ? null : snapshotPart(db, at);
}

/** Computers compare digests of all rows and notes of the team, as in the log. */
const digestOfPart = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const digestOfParts = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex');

/** A part of the team's data as a change set that creates it, without unshared changes. */
export function snapshotPart(db: Db, at: SnapshotPlace = { kind: 'campaign', after: 0 }): SnapshotPart {
  const { kind, after, notes: from = 0 } = at;
  const { seen: place } = teamOf(db);
  const table = tableOf(kind);
  const below = KINDS[KINDS.indexOf(kind) + 1];
  for (let most = ROWS_A_PART; ; ) {
    const ids = rowIdsOf(
      db,
      `SELECT id FROM ${table.name} WHERE NOT ahead & ${UNSHARED} AND id > ?1
       UNION SELECT id FROM ${shadowOf(table)} WHERE id > ?1 ORDER BY id LIMIT ?2`,
      after,
      most,
    );
    const last = ids.at(-1);
    const isWhole = last === undefined || ids.length < most;
    const rest = !isWhole ? { kind, after: last } : below === undefined ? null : { kind: below, after: 0 };
    const left = rest === null ? sharedNotes(db).slice(from) : [];
    const notes = notesOfPart(left);
    const next = notes.length < left.length ? { kind, after: last ?? after, notes: from + notes.length } : rest;
    const bytes = encodeChangeSet({ ...rowsAsShared(db, kind, ids), notes });
    if (most === 1 || !isTooLarge(bytes)) return { place, bytes, digest: digestOfPart(bytes), rows: ids.length, next };
    // All computers halve the same number, so that their parts have the same digests; halves that hold the same rows are skipped.
    do most = Math.ceil(most / 2);
    while (most > 1 && most >= ids.length);
  }
}

/** Older versions stored every part that is small enough compressed: it stays one part, with the same digest. */
const isTooLarge = (bytes: Uint8Array): boolean =>
  bytes.length > PART_MAX_BYTES && deflateRawSync(bytes).length >= PART_MAX_BYTES;

/** As many of the notes as fit into a part, and at least one. */
function notesOfPart(notes: readonly NoteRecord[]): readonly NoteRecord[] {
  let bytes = 0;
  const end = notes.findIndex((note, at) => {
    bytes += encodeChangeSet({ made: [], removed: [], cells: [], notes: [note] }).length;
    return at > 0 && bytes > NOTES_A_PART_BYTES;
  });
  return end < 0 ? notes : notes.slice(0, end);
}

function rowsAsShared(db: Db, kind: Kind, ids: readonly RowId[]): ChangeSet {
  const table = tableOf(kind);
  const rows = new StoredTeamRows(db);
  rows.loadRows(kind, ids);
  const made = ids.map((row) => ({ kind, row, parent: rows.find(row)?.parent ?? null }));
  const cells = ids.flatMap((row) =>
    fieldsOf(table).flatMap((field): readonly CellChange[] => {
      const value = rows.cell(row, field).shared;
      return value === null ? [] : [{ kind, row, field, value }];
    }),
  );
  const facts = readService(db, table, ids)
    .filter(({ dirty }) => (dirty & NEW) === 0)
    .flatMap((service) => factsOf(table, service, (field) => rows.cell(service.row, field).shared));
  return { made, removed: [], cells, facts };
}

/** A completely taken snapshot. */
export interface Whole {
  readonly place: LogPlace;
  /** The last push of this computer that the database has. */
  readonly lastPush: number;
}

/** The parts that a new computer has taken, so that it can continue after a lost connection. */
interface Taking extends LogPlace {
  readonly digests: readonly string[];
}

/** Key of the small setting, until the snapshot is complete. */
const TAKING_KEY = 'team-taking';
/** Parts of several snapshots were taken: rows that the last one lacks must be searched. */
const SEVERAL: Taking = { seq: -1, hash: '', digests: [] };

/**
 * Indexes that are created again after the last part: updating them row by row takes half the time of joining a large
 * account.
 */
const INDEXES_KEY = 'team-indexes';

const droppedIndexes = (db: Db): readonly string[] => JSON.parse(readMeta(db, INDEXES_KEY) || '[]') as string[];

/** Drops the sort indexes of empty tables. */
function dropSortIndexes(db: Db): void {
  const indexes = allTables()
    .filter(({ name }) => db.get(`SELECT 1 FROM ${name} LIMIT 1`) === undefined)
    .flatMap((table) => sortIndexes(db, table));
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  writeMeta(db, INDEXES_KEY, JSON.stringify([...droppedIndexes(db), ...indexes.map(({ sql }) => sql)]));
}

function sortIndexes(db: Db, { name, columns }: Table): readonly { readonly name: string; readonly sql: string }[] {
  const fields = ['key', ...columns.map(({ field }) => field)];
  const names = JSON.stringify(fields.map((field) => `${name}_${field}`));
  return db
    .all(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name IN (SELECT value FROM json_each(?))
         AND sql NOT LIKE '% WHERE %'`,
      names,
    )
    .map(([index, sql]) => ({ name: asText(index), sql: asText(sql) }));
}

const takingOf = (db: Db): Taking | null => JSON.parse(readMeta(db, TAKING_KEY) || 'null') as Taking | null;

const isOf = (taking: Taking | null, { seq, hash }: LogPlace): taking is Taking =>
  taking !== null && taking.seq === seq && taking.hash === hash;

/** Digests of the parts taken before a lost connection; empty if the snapshot must be taken from the start. */
export function takenParts(db: Db, place: LogPlace): readonly string[] {
  const taking = takingOf(db);
  return isNew(db) && isOf(taking, place) ? taking.digests : [];
}

/** Whether this computer has joined and has neither a snapshot nor an entry of the log. */
export const isNew = (db: Db): boolean =>
  numberOf(db, 'SELECT seen_seq FROM team_meta') === 0 && db.get('SELECT 1 FROM team_log WHERE seq = 0') === undefined;

/** Records the log position at which this computer's data starts. */
export function writeBeginning(db: Db, { seq, hash }: LogPlace, nowMs: number): void {
  const nothing = packed({ made: [], removed: [], cells: [] });
  db.run(`INSERT INTO team_log VALUES (?1, ?2, 0, 0, 0, ?3, 'edit', '', 0, 0, ?4, ?4)`, seq, hash, nowMs, nothing);
}

/**
 * Takes a part. Unshared changes here are kept, as if a colleague had shared the part. Taking a part twice changes
 * nothing.
 *
 * @param no of the parts, in order from 0
 * @returns its digest; null for a damaged part
 */
export function takePart(folding: Folding, bytes: Uint8Array, no: number, place: LogPlace): string | null {
  const { db, nowMs, touched } = folding;
  const read = decodeChangeSet(bytes);
  if (!read.ok) return null;
  const changes = read.value;
  const digest = digestOfPart(bytes);
  const taking = takingOf(db);
  const goesOn = isOf(taking, place) ? taking.digests.length === no : taking === null && no === 0;
  if (isNew(db) && goesOn) {
    const { seq, hash } = place;
    if (no === 0) dropSortIndexes(db);
    writeMeta(db, TAKING_KEY, JSON.stringify({ seq, hash, digests: [...(taking?.digests ?? []), digest] }));
  } else {
    if (isNew(db)) writeMeta(db, TAKING_KEY, JSON.stringify(SEVERAL));
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS team_taken(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL) STRICT;
      CREATE TEMP TABLE IF NOT EXISTS team_taken_note(what TEXT, id INTEGER, PRIMARY KEY(what, id)) STRICT`);
    if (no === 0) db.exec('DELETE FROM temp.team_taken; DELETE FROM temp.team_taken_note');
    for (const { what, id } of changes.notes ?? [])
      db.run('INSERT OR IGNORE INTO temp.team_taken_note VALUES (?, ?)', what, id);
    for (const { kind, row } of changes.made)
      db.run('INSERT OR IGNORE INTO temp.team_taken VALUES (?, ?)', row, tableOf(kind).code);
  }
  quietly(db, () => {
    const rows = new StoredTeamRows(db);
    rows.load([changes]);
    const offered = teamOf(db).offered?.changes.notes ?? [];
    // For rows that already exist here, fields missing in the part are empty.
    const here = changes.made.filter(({ row }) => rows.find(row) !== null);
    const said = new Set(here.length === 0 ? [] : changes.cells.map(({ row, field }) => `${row} ${field}`));
    const empty = here.flatMap(({ kind, row }) =>
      rows
        .fieldsOf(row)
        .filter((field) => !said.has(`${row} ${field}`))
        .map((field): CellChange => ({ kind, row, field, value: null })),
    );
    foldInto(folding, rows, { ...changes, cells: [...changes.cells, ...empty] });
    foldFacts(folding, rows, changes.facts ?? [], nowMs);
    foldNotes(db, changes.notes ?? [], { member: null, isOwn: false, offered }, touched);
    // Nothing is shared before the snapshot is complete.
    writePosition(db, { ...teamOf(db), mustPull: true });
  });
  return digest;
}

/** Ends a snapshot after its last part: removes rows that no part had, and sets the log position. */
export function takenTo(folding: Folding, { place, lastPush }: Whole): void {
  const { db } = folding;
  const isWhole = isNew(db) && isOf(takingOf(db), place);
  quietly(db, () => {
    if (!isWhole) removeMissing(folding);
    db.run('DELETE FROM team_log');
    writeBeginning(db, place, folding.nowMs);
    const team = teamOf(db);
    if (team.offered !== null) shareAgain(db, team.offered.changes);
    writePosition(db, { seen: place, lastPush, offered: null, mustPull: true });
    endTaking(db);
    db.exec('DROP TABLE IF EXISTS temp.team_taken; DROP TABLE IF EXISTS temp.team_taken_note');
  });
}

/** Ends an incomplete snapshot, as when the account leaves its team. */
export function endTaking(db: Db): void {
  for (const sql of droppedIndexes(db)) db.exec(sql);
  db.run('DELETE FROM meta WHERE key IN (?, ?)', TAKING_KEY, INDEXES_KEY);
}

function removeMissing(folding: Folding): void {
  const { db, touched } = folding;
  const removed = KINDS.flatMap((kind) => {
    const { name } = tableOf(kind);
    const missing = `NOT EXISTS (SELECT 1 FROM temp.team_taken x WHERE x.id = k.id)`;
    return rowIdsOf(
      db,
      `SELECT k.id FROM ${name} k WHERE NOT k.ahead & ${UNSHARED} AND ${missing}
       UNION SELECT k.id FROM ${shadowOf(tableOf(kind))} k WHERE ${missing}`,
    ).map((row) => ({ kind, row }));
  });
  const rows = new StoredTeamRows(db);
  const changes = { made: [], removed, cells: [] };
  rows.load([changes]);
  foldInto(folding, rows, changes);
  const notes = sharedNotes(db)
    .filter(
      ({ what, id }) => db.get('SELECT 1 FROM temp.team_taken_note WHERE what = ? AND id = ?', what, id) === undefined,
    )
    .map((note) => ({ ...note, text: null }));
  foldNotes(db, notes, { member: null, isOwn: false, offered: teamOf(db).offered?.changes.notes ?? [] }, touched);
}

/** A snapshot makes no step of the history. */
function foldInto({ nowMs, touched }: Folding, rows: StoredTeamRows, changes: ChangeSet): void {
  foldChangeSet(rows, changes, false);
  rows.flush({ step: null, by: null, nowMs }, touched);
}
