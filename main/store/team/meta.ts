import { statSync } from 'node:fs';
import type { ChangeSet } from '../../../shared/team/change-set.ts';
import { decodeChangeSet, encodeChangeSet } from '../../../shared/team/change-set.ts';
import type { LogPlace, Push, SetKind } from '../../../shared/team/position.ts';
import { asNumber, asNumberOrNull, asText, asTextOrNull, type Db } from '../db/db.ts';
import { tableOf } from '../schema/tables.ts';
import type { AffectedRows } from '../writer/writer-store.ts';

/** The team and computer number of this file, and its position in the log. */
export interface TeamMeta {
  readonly workspace: string;
  readonly desk: number;
  readonly member: number;
  readonly incarnation: number;
  /** The file was restored or copied since its computer got its number: it needs a new number before it shares. */
  readonly isCopy: boolean;
  readonly seen: LogPlace;
  readonly lastPush: number;
  readonly offered: Offer | null;
  readonly mustPull: boolean;
}

/** A push with its label and kind. */
export interface Offer extends Push {
  readonly kind: SetKind;
  readonly label: string;
  /** It includes own steps up to this one. */
  readonly step: number;
}

/** The context of folding, in the open transaction. */
export interface Folding {
  readonly db: Db;
  readonly nowMs: number;
  readonly touched: AffectedRows;
  readonly zone: string;
}

/** Null without a team. */
export function readTeam(db: Db): TeamMeta | null {
  const found = db.get('SELECT * FROM team_meta');
  if (found === undefined) return null;
  const [, workspace, desk, member, incarnation, inode, seq, hash, lastPush, offered, mustPull] = found;
  const text = asTextOrNull(offered);
  return {
    workspace: asText(workspace),
    desk: asNumber(desk),
    member: asNumber(member),
    incarnation: asNumber(incarnation),
    isCopy: inodeOf(db) !== asNumber(inode),
    seen: { seq: asNumber(seq), hash: asText(hash) },
    lastPush: asNumber(lastPush),
    offered: text === null ? null : readOffer(text),
    mustPull: asNumberOrNull(mustPull) === 1,
  };
}

/** The file's inode, which changes when the file is restored or copied. */
export function inodeOf(db: Db): number {
  const [file] = db.get(`SELECT file FROM pragma_database_list WHERE name = 'main'`) ?? [];
  return statSync(asText(file)).ino;
}

/** Writes the position in the log. */
export function writePosition(
  db: Db,
  { seen, lastPush, offered, mustPull }: Pick<TeamMeta, 'seen' | 'lastPush' | 'offered' | 'mustPull'>,
): void {
  db.run(
    'UPDATE team_meta SET seen_seq = ?, seen_hash = ?, last_push = ?, offered = ?, must_pull = ?',
    seen.seq,
    seen.hash,
    lastPush,
    offered === null ? null : JSON.stringify({ ...offered, changes: packed(offered.changes) }),
    mustPull ? 1 : 0,
  );
}

const readOffer = (text: string): Offer => {
  const stored = JSON.parse(text) as Omit<Offer, 'changes'> & { readonly changes: string };
  return { ...stored, changes: unpacked(stored.changes) };
};

/** Change sets as stored in this file. */
export const packed = (changes: ChangeSet): string => Buffer.from(encodeChangeSet(changes)).toString('base64');

export function unpacked(text: string): ChangeSet {
  const read = decodeChangeSet(Buffer.from(text, 'base64'));
  if (!read.ok) throw new Error(`a change set in this file is ${read.error}`);
  return read.value;
}

export function teamOf(db: Db): TeamMeta {
  const team = readTeam(db);
  if (team === null) throw new Error('this account has no team');
  return team;
}

/** Facts and notes can't be inverted: later ones replace them, and the last ones are shared again. */
export function shareAgain(db: Db, { facts = [], notes = [] }: ChangeSet): void {
  for (const { kind, row } of facts) {
    const { code, name } = tableOf(kind);
    db.run(`INSERT OR IGNORE INTO team_fact SELECT id, ${code} FROM ${name} WHERE id = ?`, row);
  }
  for (const { what, id } of notes) {
    const table = { view: 'saved_view', label: 'label', comment: 'comment' }[what as 'view'];
    if (table === undefined) db.run('INSERT OR IGNORE INTO team_note VALUES (?, ?, NULL)', what, id);
    else {
      // A deleted note has no own number; it is queued under the negated shared one.
      const own = `coalesce((SELECT id FROM ${table} WHERE uid = ?2), -?2)`;
      db.run(`INSERT OR IGNORE INTO team_note VALUES (?1, ${own}, ?2)`, what, id);
    }
  }
}
