import type { RowRef } from '../../../shared/api/scalars.ts';
import type { Conflict } from '../../../shared/api/sync.ts';
import { COLLEAGUE, readPolicy } from '../../../shared/merge/merge.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { DELETED, HELD, isDeleted, NEW } from '../../../shared/model/row.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { encodeChangeSet, HELD_FIELD, isEmpty } from '../../../shared/team/change-set.ts';
import { pickCell, pickRow } from '../../../shared/team/fold.ts';
import {
  afterAnswer,
  afterPull,
  LOG_START,
  type LogPlace,
  nextPush,
  type PushAnswer,
  type TeamEntry,
} from '../../../shared/team/position.ts';
import { type Share, shareOf } from '../../../shared/team/share.ts';
import { asNumber, asNumberOrNull, asText, type Db, type DbRow, numberOf, rowIdOf } from '../db/db.ts';
import { readRow } from '../rows/read-rows.ts';
import { readMeta } from '../rows/revision.ts';
import { allTables, columnByCode, DELETED_CODE, HELD_CODE, kindAt, sqlList, tableOf } from '../schema/tables.ts';
import { campaignNameOf, disputedCell } from '../writer/accept.ts';
import { noteCells } from '../writer/removal.ts';
import { fillSelection } from '../writer/selection.ts';
import { beginStep, endStep, measureStep } from '../writer/steps.ts';
import { writeField } from '../writer/write-field.ts';
import type { AffectedRows } from '../writer/writer-store.ts';
import { factsOfMade, queuedRows, shareFacts } from './facts.ts';
import { conflictCount, foldEntries, forgetEntries } from './fold.ts';
import {
  type Folding,
  inodeOf,
  type Offer,
  readTeam,
  shareAgain,
  type TeamMeta,
  teamOf,
  unpacked,
  writePosition,
} from './meta.ts';
import { numberNotes, takeNotes } from './notes.ts';
import {
  NOTE_TABLES,
  quietly,
  REMOVED,
  SETTING_KEYS,
  shadowOf,
  teamCode,
  teamColumns,
  UNSHARED,
  unwatchEdits,
  watchEdits,
} from './schema.ts';
import { endTaking, isNew, takenTo, takePart, type Whole, writeBeginning } from './snapshot.ts';
import { fieldsOf, rowsAhead, StoredTeamRows } from './team-rows.ts';

/** The state of this computer in its team. */
export interface TeamState extends Pick<TeamMeta, 'workspace' | 'desk' | 'member' | 'incarnation' | 'isCopy'> {
  readonly position: Pick<TeamMeta, 'desk' | 'seen' | 'lastPush' | 'mustPull'> & { readonly offered: number | null };
  /** Rows and notes with unshared changes. */
  readonly notShared: number;
  /** Cells and rows with an open conflict with a colleague. */
  readonly conflicts: number;
  /** Remaining IDs for new rows. */
  readonly rowsLeft: number;
  /** It has joined and has no data of the team yet, not even the first snapshot. */
  readonly isNew: boolean;
}

export interface TeamPlace {
  readonly workspace: string;
  readonly desk: number;
  readonly member: number;
  readonly incarnation: number;
  /** The first ID of the block for new rows, and the number of IDs. */
  readonly firstRow: number;
  readonly rows: number;
  /** The log position of the account's data; omitted before the first entry. */
  readonly seen?: LogPlace;
  /** The team starts with this account's data, which its first snapshot shares with others. */
  readonly isFirst?: boolean;
}

/** The name of a member, for steps of colleagues. */
export interface TeamPerson {
  readonly no: number;
  readonly display: string;
}

/** For both threads. */
export function teamState(db: Db): TeamState | null {
  const team = readTeam(db);
  if (team === null) return null;
  const { workspace, desk, member, incarnation, isCopy, seen, lastPush, mustPull, offered } = team;
  const rows = allTables().map(({ name }) => {
    const gone = `SELECT count(*) FROM ${name}_team t WHERE NOT EXISTS (SELECT 1 FROM ${name} k WHERE k.id = t.id)`;
    const ahead = `SELECT count(*) FROM ${name} WHERE ahead <> 0 AND NOT (ahead & ${UNSHARED} AND dirty & ${DELETED})`;
    return numberOf(db, gone) + numberOf(db, ahead);
  });
  const queued = [...queuedRows(db, Number.MAX_SAFE_INTEGER).values()].reduce((sum, ids) => sum + ids.length, 0);
  const inOffer = offered === null || lastPush >= offered.push ? 0 : besideRows(offered);
  const beside = numberOf(db, 'SELECT count(*) FROM team_note') + queued + inOffer;
  return {
    workspace,
    desk,
    member,
    incarnation,
    isCopy,
    position: { desk, seen, lastPush, mustPull, offered: offered?.push ?? null },
    notShared: rows.reduce((sum, count) => sum + count, beside),
    conflicts: conflictCount(db),
    rowsLeft: numberOf(db, 'SELECT cast(total(last - next + 1) AS INTEGER) FROM id_block'),
    isNew: isNew(db),
  };
}

/**
 * The number of notes, and of rows that have only facts: an offer has removed them from their queues, and they may not
 * be in the log yet.
 */
function besideRows({ changes: { made, cells, facts = [], notes = [] } }: Offer): number {
  const counted = new Set([...made, ...cells].map(({ row }) => row));
  return notes.length + new Set(facts.map(({ row }) => row).filter((row) => !counted.has(row))).size;
}

/** Conflicts with colleagues, oldest first; with a kind, of its rows only. `theirs` is the team's value. */
export const teamConflicts = (db: Db, from: number, count: number, kind?: Kind): readonly Conflict[] =>
  db
    .all(
      `SELECT c.kind, c.id, c.field, c.base, c.theirs, c.at, coalesce(m.display, '') FROM conflict c
       LEFT JOIN team_member m ON m.no = c.by_member WHERE c.against = 1 ${kind === undefined ? '' : `AND c.kind = ${tableOf(kind).code}`}
       ORDER BY c.at, c.kind, c.id, c.field LIMIT ? OFFSET ?`,
      count,
      from,
    )
    .map((found) => conflictOf(db, found));

function conflictOf(db: Db, [code, id, field, base, theirs, at, by]: DbRow): Conflict {
  const ref: RowRef = { kind: kindAt(code), id: rowIdOf(id) };
  const row = readRow(db, ref);
  const head = {
    ref,
    label: row === null ? '' : rowLabel(row),
    campaign: campaignNameOf(db, row),
    at: asNumber(at),
    against: 'team',
    by: asText(by),
  } as const;
  if (field === DELETED_CODE) {
    // One side has deleted what the other has changed.
    const isKeptHere = row !== null && !isDeleted(row);
    return { ...head, field: null, base: null, mine: isKeptHere ? 1 : null, theirs: isKeptHere ? null : 1 };
  }
  if (field === HELD_CODE)
    return { ...head, field: HELD_FIELD, base: null, mine: null, theirs: asNumberOrNull(theirs) };
  return { ...head, ...disputedCell(row, ref.kind, field, base, theirs) };
}

/** Rows per push: a colleague folds them in a few tenths of a second. */
const ROWS_A_PUSH = 10_000;
const PUSH_MAX_BYTES = 7_000_000;
const LABEL_MAX = 200;

interface TeamWriter extends Omit<Folding, 'nowMs'> {
  readonly now: () => number;
  readonly tx: <T>(work: () => T) => T;
}

export interface SharedEntriesQuery {
  readonly from: number;
  readonly count: number;
  readonly member: number | null;
  readonly ref: RowRef | null;
}

/**
 * Entries that members shared, newest first, as far as this file stores them. Those of one row are found through the
 * history, which names only the last of several entries of a step.
 */
export function readSharedEntries(db: Db, { from, count, member, ref }: SharedEntriesQuery) {
  const earlier = ref === null ? [] : unnamedEntries(db).filter(({ rows }) => rows.has(ref.id));
  const row = [
    ref === null ? 0 : tableOf(ref.kind).code,
    ref?.id ?? null,
    JSON.stringify(earlier.map(({ seq }) => seq)),
  ] as const;
  const where = `desk <> 0 AND (?1 IS NULL OR member = ?1) AND (?3 IS NULL OR seq IN (SELECT value FROM json_each(?4))
    OR seq IN (SELECT s.seq FROM step s WHERE s.seq IS NOT NULL
    AND (EXISTS (SELECT 1 FROM step_cell c WHERE c.step = s.id AND c.kind = ?2 AND c.id = ?3)
      OR EXISTS (SELECT 1 FROM step_row r WHERE r.step = s.id AND r.kind = ?2 AND r.id = ?3))))`;
  const found = db.all(
    `SELECT seq, at, member, desk, label, rows FROM team_log WHERE ${where} ORDER BY seq DESC LIMIT ?5 OFFSET ?6`,
    member,
    ...row,
    count,
    from,
  );
  return {
    total: numberOf(db, `SELECT count(*) FROM team_log WHERE ${where}`, member, ...row),
    entries: found.map(([seq, at, by, desk, label, rows]) => ({
      seq: asNumber(seq),
      at: asNumber(at),
      member: asNumber(by),
      desk: asNumber(desk),
      label: asText(label),
      rows: asNumber(rows),
    })),
  };
}

/** Entries of edits of this computer that no step names, with their rows. */
const unnamedEntries = (db: Db) =>
  db
    .all(
      `SELECT seq, changes FROM team_log WHERE kind = 'edit' AND desk = (SELECT desk FROM team_meta)
         AND seq NOT IN (SELECT seq FROM step WHERE seq IS NOT NULL)`,
    )
    .map(([seq, changes]) => {
      const { made, removed, cells } = unpacked(asText(changes));
      return { seq: asNumber(seq), rows: new Set<number>([...made, ...removed, ...cells].map((each) => each.row)) };
    });

/** Team operations of the writer, one transaction each. */
export function createTeamStore({ db, touched, zone, now, tx }: TeamWriter) {
  const watch = (): void => {
    unwatchEdits(db);
    watchEdits(db);
    touched.isTeam = true;
  };
  if (readTeam(db) !== null) watch();
  const folding = (): Folding => ({ db, touched, zone, nowMs: now() });

  return {
    /**
     * Makes the account one of a team: its data counts as the log's state at `seen`. In a team, a restored or copied
     * file gets another number.
     */
    join: (place: TeamPlace) => {
      const { workspace, desk, member, incarnation, firstRow, rows, seen = LOG_START } = place;
      tx(() => {
        const before = readTeam(db);
        if (before?.offered != null) shareAgain(db, before.offered.changes);
        db.run('DELETE FROM id_block');
        db.run('DELETE FROM team_meta');
        const start = before === null ? seen : before.seen;
        db.run(
          'INSERT INTO team_meta VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0, NULL, ?)',
          workspace,
          desk,
          member,
          incarnation,
          inodeOf(db),
          start.seq,
          start.hash,
          place.isFirst === true ? 0 : 1,
        );
        if (rows > 0) db.run('INSERT INTO id_block VALUES (?, ?)', firstRow, firstRow + rows - 1);
        if (before !== null) return;
        if (place.isFirst === true) {
          shareWhole(db, member);
          // What was done before is in the first snapshot, and does not name an entry of the log.
          db.run('UPDATE step SET seq = 0');
        } else queueNotes(db);
        // The start of the data: the log can be reverted back to here.
        if (place.isFirst === true || start.seq > 0) writeBeginning(db, start, now());
      });
      watch();
    },
    /** Adds IDs for new rows. */
    block: (first: number, count: number) =>
      tx(() => db.run('INSERT OR IGNORE INTO id_block VALUES (?, ?)', first, first + count - 1)),
    people: (people: readonly TeamPerson[]) =>
      tx(() => {
        for (const { no, display } of people) db.run('INSERT OR REPLACE INTO team_member VALUES (?, ?)', no, display);
      }),
    /** The next push; the offered one until the log has it; null if there is nothing to share. */
    offer: (): Offer | null =>
      tx(() => {
        const team = teamOf(db);
        if (team.isCopy) return null;
        const { offered } = nextPush(team, () => nextShare(db, team.member));
        if (offered === null || offered === team.offered) return team.offered;
        const next = offered as Offer;
        writePosition(db, { ...team, offered: next });
        return next;
      }),
    /** An answer only decides whether the log has to be read. */
    answer: (answer: PushAnswer) => tx(() => writePosition(db, afterAnswer(teamOf(db), answer) as TeamMeta)),
    fold: (entries: readonly TeamEntry[]) =>
      tx(() => {
        const folded = foldEntries(folding(), entries);
        if (folded.conflicts > 0) pickByPolicy(db, now(), touched);
        return folded;
      }),
    /**
     * The log was read to its end: a push that is still offered was refused, and is offered again with later changes.
     */
    pulled: () =>
      tx(() => {
        const team = teamOf(db);
        if (team.offered !== null && team.lastPush < team.offered.push) shareAgain(db, team.offered.changes);
        writePosition(db, afterPull(team) as TeamMeta);
      }),
    takePart: (bytes: Uint8Array, no: number, place: LogPlace) => tx(() => takePart(folding(), bytes, no, place)),
    takenTo: (whole: Whole) =>
      tx(() => {
        takenTo(folding(), whole);
        pickByPolicy(db, now(), touched);
      }),
    forget: (toSeq: number) => tx(() => forgetEntries(folding(), toSeq)),
    pick: (ref: RowRef, field: string | null, take: 'mine' | 'theirs', rule: string | null): boolean =>
      tx(() => pick(db, { ref, field, take, rule }, now(), touched)),
    /** The account leaves its team; unshared changes stay in it. */
    leave: () => {
      tx(() => {
        unwatchEdits(db);
        endTaking(db);
        touched.isTeam = false;
        for (const table of allTables()) {
          db.run(`DELETE FROM ${shadowOf(table)}`);
          db.run(`UPDATE ${table.name} SET ahead = 0 WHERE ahead <> 0`);
          db.run(
            `UPDATE counter SET value = max(value, (SELECT coalesce(max(id), 0) FROM ${table.name})) WHERE name = 'row'`,
          );
        }
        db.run(`UPDATE counter SET value = max(value, (SELECT coalesce(max(id), 0) FROM step_row)) WHERE name = 'row'`);
        for (const table of ['team_meta', 'team_log', 'team_fact', 'team_note', 'team_shared_note', 'id_block'])
          db.run(`DELETE FROM ${table}`);
        db.run('DELETE FROM conflict WHERE against = 1');
        // Another team has other members, keys of computers and requests under the same numbers.
        db.run(`DELETE FROM meta WHERE key LIKE 'team%'`);
        db.run('UPDATE comment SET member = NULL WHERE member IS NOT NULL');
      });
    },
  };
}

/**
 * Marks everything as shared. For the team, rows marked as deleted still exist, and their removal is shared as an edit:
 * colleagues may have to delete them on the service.
 */
function shareWhole(db: Db, member: number): void {
  for (const table of allTables()) {
    const columns = sqlList(teamColumns(table).map(({ column }) => column));
    const gone = `dirty & ${DELETED} AND NOT dirty & ${NEW}`;
    db.run(
      `INSERT INTO ${shadowOf(table)}(id, campaign_id, ad_group_id, held, ${columns})
       SELECT id, campaign_id, ad_group_id, iif(dirty & ${HELD}, 1, NULL), ${columns} FROM ${table.name} WHERE ${gone}`,
    );
    db.run(`UPDATE ${table.name} SET ahead = iif(dirty & ${NEW}, ${UNSHARED}, ${REMOVED}) WHERE dirty & ${DELETED}`);
  }
  numberNotes(db, member);
}

/** Queues notes from before the account was a team's, so that they are shared too. */
function queueNotes(db: Db): void {
  for (const [what, table] of Object.entries(NOTE_TABLES))
    db.run(`INSERT INTO team_note SELECT ?, id, uid FROM ${table}`, what);
  db.run(`INSERT INTO team_note SELECT DISTINCT 'rowLabels', id, NULL FROM row_label`);
  for (const [what, key] of Object.entries(SETTING_KEYS))
    db.run('INSERT INTO team_note SELECT ?, 0, NULL FROM meta WHERE key = ?', what, key);
}

type Next = Share & Pick<Offer, 'kind' | 'label' | 'step'>;

/** The next changes to share: service values before edits, since those may depend on them. */
const nextShare = (db: Db, member: number): Next =>
  serviceShare(db) ?? editShare(db) ?? noteShare(db, member) ?? NOTHING;

const NOTHING: Next = { changes: { made: [], removed: [], cells: [] }, scopes: [], kind: 'edit', label: '', step: 0 };

const isTooLarge = ({ changes }: Share): boolean => encodeChangeSet(changes).length > PUSH_MAX_BYTES;

function serviceShare(db: Db): Next | null {
  for (let rows = ROWS_A_PUSH; ; rows = Math.ceil(rows / 2)) {
    if (queuedRows(db, 1).size === 0) return null;
    const share = shareFacts(db, new StoredTeamRows(db), rows);
    if (isEmpty(share.changes)) return null;
    if (rows === 1 || !isTooLarge(share))
      return { ...share, kind: 'service', label: 'Changes on the service', step: 0 };
    shareAgain(db, share.changes);
  }
}

function editShare(db: Db): Next | null {
  for (let [limit, from] = [ROWS_A_PUSH, 0]; ; ) {
    const rows = new StoredTeamRows(db);
    const refs = rowsAhead(db, limit, from);
    const isLast = refs.length < limit;
    for (const [kind, list] of Map.groupBy(refs, (ref) => ref.kind))
      rows.loadRows(
        kind,
        list.map(({ row }) => row),
      );
    const ahead = refs.map(({ row }) => rows.find(row)).filter((row) => row !== null);
    const { changes, scopes } = shareOf(rows, ahead);
    if (isEmpty(changes)) {
      if (isLast) return null;
      // All of them wait for the user's decision.
      from += limit;
      continue;
    }
    const facts = factsOfMade(db, changes.made, changes.cells);
    const share = { changes: facts.length === 0 ? changes : { ...changes, facts }, scopes };
    if (limit === 1 || !isTooLarge(share)) {
      // Steps name each of their entries, and are shared with the last one.
      const step = isLast ? numberOf(db, 'SELECT coalesce(max(id), 0) FROM step') : 0;
      return { ...share, kind: 'edit', label: labelOfSteps(db), step };
    }
    limit = Math.ceil(limit / 2);
  }
}

function noteShare(db: Db, member: number): Next | null {
  for (let most = ROWS_A_PUSH; ; ) {
    const [all = 0, waiting = 0] =
      db.get(
        'SELECT count(*), coalesce(sum(id > 0 AND what IN (SELECT value FROM json_each(?))), 0) FROM team_note',
        JSON.stringify(Object.keys(NOTE_TABLES)),
      ) ?? [];
    // Each view, label and comment may need a number, unless it was deleted here: then its ID is negative.
    const left = numberOf(db, 'SELECT coalesce(sum(last - next + 1), 0) FROM id_block');
    if (asNumber(all) === 0 || left < asNumber(waiting)) return null;
    const notes = takeNotes(db, member, most);
    if (notes.length === 0) continue;
    // One scope for all notes, so that sharing some requires having read those of others.
    const share = { changes: { made: [], removed: [], cells: [], notes }, scopes: [asRowId(0)] };
    if (notes.length === 1 || !isTooLarge(share)) return { ...share, kind: 'note', label: 'Notes', step: 0 };
    shareAgain(db, share.changes);
    most = Math.ceil(notes.length / 2);
  }
}

/** The label of a push: the newest of its steps, and the number of others. */
function labelOfSteps(db: Db): string {
  const steps = db.all(
    `SELECT label FROM step WHERE seq IS NULL AND source <> 'team' AND state = 0 ORDER BY id DESC LIMIT 100`,
  );
  const [newest] = steps;
  if (newest === undefined) {
    if (numberOf(db, 'SELECT count(*) FROM team_log WHERE desk <> 0') === 0) return 'Account before the team';
    // The changes come from undoing a shared step, or from keeping a row in a conflict.
    return db.get('SELECT 1 FROM step WHERE state = 1 AND seq IS NOT NULL LIMIT 1') === undefined
      ? 'Resolve conflict'
      : 'Undo';
  }
  const more = steps.length === 1 ? '' : ` and ${steps.length - 1} more`;
  return asText(newest[0]).slice(0, LABEL_MAX - more.length) + more;
}

interface Picked {
  readonly ref: RowRef;
  readonly field: string | null;
  readonly take: 'mine' | 'theirs';
  /** The policy rule that decided; null if the user did. */
  readonly rule: string | null;
}

/**
 * Resolves a conflict with a colleague with steps, so that the history contains both values: theirs first, and then
 * mine again if mine is kept.
 *
 * @returns false if there is no such conflict any more
 */
function pick(db: Db, { ref, field, take, rule }: Picked, nowMs: number, touched: AffectedRows): boolean {
  const table = tableOf(ref.kind);
  if (field !== null && !fieldsOf(table).includes(field)) return false;
  const key = [table.code, ref.id, teamCode(table, field)] as const;
  const where = 'against = 1 AND kind = ? AND id = ? AND field = ?';
  const open = db.get(
    `SELECT theirs, coalesce((SELECT display FROM team_member WHERE no = by_member), 'colleague'), by_member FROM conflict WHERE ${where}`,
    ...key,
  );
  if (open === undefined) return false;
  const [theirs = null, name, member = null] = open;
  const why = rule === null ? '' : ` (policy ${rule})`;
  if (field === null)
    pickWhole(db, ref, take, `${take === 'mine' ? 'Keep my row' : `Use ${name}'s row`}${why}`, nowMs, touched);
  else {
    const column = columnByCode(table, key[2]);
    const mine = db.get(`SELECT ${column.sql} FROM ${table.name} WHERE id = ?`, ref.id)?.[0] ?? null;
    const write = (label: string, source: 'user' | 'team', value: typeof mine): void => {
      const step = beginStep(db, `${label}: ${column.spec.label}${why}`, source, nowMs);
      fillSelection(db, new Map([[ref.id, value]]));
      const written = writeField(db, table, column, step);
      if (written > 0) noteCells(db, table, touched, column, written);
      if (source === 'team') db.run('UPDATE step SET who = ?, member = ? WHERE id = ?', asText(name), member, step);
      endStep(db, step, written);
    };
    if (take === 'mine') {
      write(`${name}'s value`, 'team', theirs);
      write('Keep my value', 'user', mine);
    } else write(`Use ${name}'s value`, 'user', theirs);
    quietly(db, () => {
      const rows = new StoredTeamRows(db);
      rows.loadRows(ref.kind, [ref.id]);
      pickCell(rows, ref.id, field, take);
      rows.flush({ step: null, by: null, nowMs }, touched);
    });
  }
  touched.kinds.add(ref.kind);
  return true;
}

/** Resolves the conflicts that the account's saved policy decides. */
function pickByPolicy(db: Db, nowMs: number, touched: AffectedRows): void {
  const policy = readPolicy(readMeta(db, 'conflict-policy') ?? '');
  const decided = policy.ok ? policy.value(COLLEAGUE) : null;
  if (decided === null) return;
  for (const { ref, field } of teamConflicts(db, 0, Number.MAX_SAFE_INTEGER)) {
    pick(db, { ref, field, take: decided.take, rule: decided.rule }, nowMs, touched);
  }
}

function pickWhole(
  db: Db,
  { id, kind }: RowRef,
  take: 'mine' | 'theirs',
  label: string,
  nowMs: number,
  touched: AffectedRows,
): void {
  const step = beginStep(db, label, 'user', nowMs);
  quietly(db, () => {
    const rows = new StoredTeamRows(db);
    rows.loadRows(kind, [id]);
    pickRow(rows, id, take);
    rows.flush({ step: () => step, by: null, nowMs }, touched);
  });
  measureStep(db, step);
  endStep(db, step, numberOf(db, 'SELECT entries FROM step WHERE id = ?', step));
}
