import type { NoteRecord } from '../../../shared/team/change-set.ts';
import { foldChangeSet } from '../../../shared/team/fold.ts';
import { afterEntry, LOG_START, type Position, type TeamEntry } from '../../../shared/team/position.ts';
import { inverseOf, unfoldChangeSet } from '../../../shared/team/unfold.ts';
import { asNumber, asText, asTextOrNull, type Db, numberOf } from '../db/db.ts';
import { measureSteps } from '../writer/steps.ts';
import { foldFacts } from './facts.ts';
import { type Folding, packed, shareAgain, type TeamMeta, teamOf, unpacked, writePosition } from './meta.ts';
import { foldNotes, inverseNotes, unfoldNotes } from './notes.ts';
import { quietly } from './schema.ts';
import { StoredTeamRows } from './team-rows.ts';

/**
 * How long entries are kept, and their maximum size, so that they can be reverted if the database loses its last ones.
 */
const KEPT_MS = 30 * 86_400_000;
const KEPT_BYTES = 64 * 2 ** 20;

export interface Folded {
  readonly entries: number;
  /** Rows and cells of the draft that colleagues changed. */
  readonly taken: number;
  readonly conflicts: number;
}

/**
 * Applies a page of the log. Entries applied before are skipped; an entry that does not follow is an error of the
 * caller.
 */
export function foldEntries(folding: Folding, entries: readonly TeamEntry[]): Folded {
  const { db } = folding;
  const start = teamOf(db);
  const { desk, seen, lastPush, offered, mustPull } = start;
  let position: Position = { desk, seen, lastPush, offered, mustPull };
  const before = conflictCount(db);
  const fresh = entries.filter(({ seq }) => seq > start.seen.seq);
  const steps: TeamStep[] = [];
  quietly(db, () => {
    const rows = new StoredTeamRows(db);
    rows.load(fresh.map(({ changes }) => changes));
    for (const entry of fresh) {
      if (entry.seq !== position.seen.seq + 1)
        throw new Error(`entry ${entry.seq} does not follow ${position.seen.seq}`);
      const isOffered = offered !== null && position.lastPush < offered.push;
      foldEntry(folding, rows, start, entry, { notes: isOffered ? (offered.changes.notes ?? []) : [], steps });
      position = afterEntry(position, entry);
    }
    rows.flush({ step: noStep, by: null, nowMs: folding.nowMs }, folding.touched);
    writePosition(db, { ...position, offered });
  });
  const taken = endTeamSteps(db, steps);
  forgetOld(db, folding.nowMs);
  return { entries: fresh.length, taken, conflicts: conflictCount(db) - before };
}

/** A step that log entries have made here. */
interface TeamStep {
  readonly step: number;
  readonly isOwn: boolean;
}

/** After the last entry nothing may be recorded. */
const noStep = (): never => {
  throw new Error('rows were changed by no entry');
};

/** @param offered notes of this computer that are not in the log before this entry */
function foldEntry(
  folding: Folding,
  rows: StoredTeamRows,
  team: TeamMeta,
  entry: TeamEntry,
  { notes: offered, steps }: { readonly notes: readonly NoteRecord[]; readonly steps: TeamStep[] },
): void {
  const { db, nowMs, touched } = folding;
  const { changes, desk, member, seq } = entry;
  const isOwn = desk === team.desk;
  const { facts = [], notes = [] } = changes;
  const undo = inverseOf(rows, changes);
  const inverse = notes.length === 0 ? undo : { ...undo, notes: inverseNotes(db, notes) };
  foldChangeSet(rows, changes, isOwn, entry.kind);
  let known: number | null = null;
  const step = (): number => {
    if (known === null) {
      known = beginTeamStep(db, entry, isOwn);
      steps.push({ step: known, isOwn });
    }
    return known;
  };
  const writing = { step, by: isOwn ? null : member, nowMs };
  if (facts.length + notes.length === 0) rows.end(writing, touched);
  else rows.flush(writing, touched);
  if (!isOwn && facts.length > 0) {
    foldFacts(folding, rows, facts, entry.at);
    rows.readAgain(facts);
  }
  if (notes.length > 0) foldNotes(db, notes, { member, isOwn, offered }, touched);
  if (isOwn) ownIsShared(db, team, entry);
  const [set, back] = [packed(changes), packed(inverse)];
  db.run(
    'INSERT OR REPLACE INTO team_log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    seq,
    entry.hash,
    desk,
    entry.push,
    member,
    entry.at,
    entry.kind,
    entry.label,
    new Set([...changes.made, ...changes.removed, ...changes.cells].map(({ row }) => row)).size + notes.length,
    set.length + back.length,
    set,
    back,
  );
}

function ownIsShared(db: Db, { offered, desk, member }: TeamMeta, { seq, push }: TeamEntry): void {
  if (offered?.push !== push) return;
  db.run(
    `UPDATE step SET seq = ?, desk = ?, member = ? WHERE seq IS NULL AND source <> 'team' AND id <= ?`,
    seq,
    desk,
    member,
    offered.step,
  );
}

/** A step of a colleague is in the same history, with the time of the database. */
function beginTeamStep(db: Db, { label, at, seq, desk, member }: TeamEntry, isOwn: boolean): number {
  return numberOf(
    db,
    `INSERT INTO step(label, source, who, at, rows, state, seq, desk, member)
     VALUES (?, 'team', ${isOwn ? "''" : "coalesce((SELECT display FROM team_member WHERE no = ?5), '')"}, ?2, 0, 0, ?3, ?4, ?5)
     RETURNING id`,
    label,
    at,
    seq,
    desk,
    member,
  );
}

/**
 * Sets the size of colleagues' steps; those without changes are deleted.
 *
 * @returns how many changes those of others made here
 */
function endTeamSteps(db: Db, steps: readonly TeamStep[]): number {
  measureSteps(
    db,
    steps.map(({ step }) => step),
  );
  const others = steps.filter(({ isOwn }) => !isOwn).map(({ step }) => step);
  return numberOf(
    db,
    'SELECT cast(total(rows) AS INTEGER) FROM step WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(others),
  );
}

/**
 * Reverts entries that the database has lost, back to an entry that it still has. The draft is not changed: changes of
 * this computer are shared again, and colleagues share theirs again themselves.
 *
 * @returns false if the entries after that one are no longer stored here
 */
export function forgetEntries({ db, nowMs, touched }: Folding, toSeq: number): boolean {
  const team = teamOf(db);
  const hash =
    toSeq === 0 ? LOG_START.hash : asTextOrNull(db.get('SELECT hash FROM team_log WHERE seq = ?', toSeq)?.[0]);
  if (
    hash === null ||
    numberOf(db, 'SELECT count(*) FROM team_log WHERE seq > ? AND desk <> 0', toSeq) < team.seen.seq - toSeq
  )
    return false;
  quietly(db, () => {
    const rows = new StoredTeamRows(db);
    let lastPush = team.lastPush;
    const lost = db.all(
      'SELECT seq, desk, push, member, at, label, changes, inverse FROM team_log WHERE seq > ? ORDER BY seq DESC',
      toSeq,
    );
    for (const [seq, desk, push, member, at, label, changes, inverse] of lost) {
      const isOwn = desk === team.desk;
      const undo = unpacked(asText(inverse));
      rows.load([undo]);
      unfoldChangeSet(rows, undo, isOwn);
      unfoldNotes(db, undo.notes ?? [], isOwn, touched);
      const entry = {
        seq: asNumber(seq),
        desk: asNumber(desk),
        member: asNumber(member),
        at: asNumber(at),
        label: `Lost: ${asText(label)}`,
      };
      const step = beginTeamStep(db, entry as TeamEntry, isOwn);
      rows.flush({ step: () => step, by: null, nowMs }, touched);
      endTeamSteps(db, [{ step, isOwn }]);
      if (isOwn) {
        lastPush = Math.min(lastPush, asNumber(push) - 1);
        shareAgain(db, unpacked(asText(changes)));
      }
    }
    if (team.offered !== null) shareAgain(db, team.offered.changes);
    db.run('DELETE FROM team_log WHERE seq > ?', toSeq);
    db.run(`UPDATE step SET seq = NULL WHERE seq > ? AND source <> 'team'`, toSeq);
    writePosition(db, { seen: { seq: toSeq, hash }, lastPush, offered: null, mustPull: true });
  });
  return true;
}

function forgetOld(db: Db, nowMs: number): void {
  db.run('DELETE FROM team_log WHERE at < ? AND seq < (SELECT seen_seq FROM team_meta)', nowMs - KEPT_MS);
  const bytes = numberOf(db, 'SELECT cast(total(bytes) AS INTEGER) FROM team_log');
  if (bytes <= KEPT_BYTES) return;
  db.run(
    `DELETE FROM team_log WHERE seq < (SELECT min(seq) FROM (SELECT seq, sum(bytes)
       OVER (ORDER BY seq DESC) AS kept FROM team_log) WHERE kept <= ?)`,
    KEPT_BYTES,
  );
}

export const conflictCount = (db: Db): number => numberOf(db, 'SELECT count(*) FROM conflict WHERE against = 1');
