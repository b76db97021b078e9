import { checkIntegrity } from '../../main/store/backup.ts';
import { asNumber } from '../../main/store/db/db.ts';
import { TEMPLATES_KEY } from '../../main/store/rows/rule-settings.ts';
import { allTables } from '../../main/store/schema/tables.ts';
import { teamOf } from '../../main/store/team/meta.ts';
import { shadowOf } from '../../main/store/team/schema.ts';
import { digestOfParts, settledPart, snapshotPart } from '../../main/store/team/snapshot.ts';
import { teamConflicts } from '../../main/store/team/team.ts';
import type { SavedView } from '../../shared/api/views.ts';
import { DELETED } from '../../shared/model/row.ts';
import { type Act, perform, rowsOf } from '../store/random-acts.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import { ModelServer } from './simulator/model-server.ts';
import { StoredDesk, type StoredStore } from './stored-desk.ts';

const VERBS: readonly Act['verb'][] = [
  'set',
  'set',
  'set',
  'set many',
  'remove',
  'hold',
  'release',
  'revert',
  'create',
  'undo',
  'undo',
  'redo',
];
/** What only the computer does that sends: it hears from the service. */
const OF_SENDER: readonly Act['verb'][] = ['sent', 'read', 'read'];

/**
 * A life of two to four real workspaces before the log of the simulator; the first of them also sends and reads.
 *
 * @returns the first promise that was broken, or null
 */
export function playStoredLife(seed: number, make: () => StoredStore): string | null {
  const random = seeded(seed);
  const server = new ModelServer();
  const desks = Array.from({ length: 2 + random.int(3) }, (_, at) => new StoredDesk(at + 1, make()));
  const pick = <T>(list: readonly T[]): T => list[random.int(list.length)] as T;
  let broken: string | null = null;
  const told = new Map<string, string>();
  for (let steps = 25 + random.int(30); steps > 0 && broken === null; steps--) {
    const desk = pick(desks);
    const what = random.next();
    const isSender = desk === desks[0] && random.chance(0.3);
    if (what < 0.12) writeNote(desk, random);
    else if (what < 0.55) {
      const verb = pick(
        isSender ? OF_SENDER : rowsOf(desk.store).length > 30 ? VERBS.filter((each) => each !== 'create') : VERBS,
      );
      perform(desk.store, { verb, pick: random.int(200), value: random.int(5) });
    } else if (what < 0.7) desk.push(server, !random.chance(0.2));
    else if (what < 0.87) desk.pull(server, 1 + random.int(3), () => random.chance(0.3));
    else if (what < 0.96) answer(desk, random.chance(0.5) ? 'mine' : 'theirs');
    else server.forget(1 + random.int(2));
    broken = brokenIn(desk) ?? differsIn(desk, told);
  }
  for (let round = 0; broken === null; round++) {
    const head = server.head;
    for (const desk of desks) {
      desk.share(server);
      while (answer(desk, random.chance(0.5) ? 'mine' : 'theirs'));
      broken ??= brokenIn(desk) ?? differsIn(desk, told);
    }
    const isDone = ({ state }: StoredDesk): boolean =>
      state.conflicts + state.notShared === 0 && state.position.seen.seq === head;
    if (head === server.head && desks.every(isDone)) break;
    if (round > 60) broken = 'sharing never came to rest';
  }
  if (broken !== null) return broken;
  const late = new StoredDesk(desks.length + 1, make());
  takeSnapshot(desks[0] as StoredDesk, late);
  const [first, ...others] = [...desks, late].map((desk) => ({
    desk,
    contents: [...contentsOf(desk), ...notesOf(desk)],
  }));
  for (const { desk, contents } of others) {
    for (const [at, line] of contents.entries())
      if (line !== first?.contents[at])
        return `computer ${desk.number} has ${line}, the first has ${first?.contents[at]}`;
    if (contents.length !== first?.contents.length)
      return `computer ${desk.number} has ${contents.length} rows, the first ${first?.contents.length}`;
  }
  return null;
}

const NAMES = ['Later', 'later', 'Later (2)', 'Now'];

/** Any note of any computer may be written, renamed, resolved or taken away on any other. */
function writeNote({ store }: StoredDesk, random: ReturnType<typeof seeded>): void {
  const pick = <T>(list: readonly T[]): T => list[random.int(list.length)] as T;
  const idIn = (table: string): number => {
    const found = store.db.all(`SELECT id FROM ${table}`);
    return found.length === 0 ? 0 : asNumber(pick(found)[0]);
  };
  const name = pick(NAMES);
  const [label, view, comment] = [idIn('label'), idIn('saved_view'), idIn('comment')];
  const saved = { name, view: { kind: 'keyword' }, layout: { width: random.int(3) } } as unknown as Omit<
    SavedView,
    'id'
  >;
  const rows = rowsOf(store);
  const isNew = random.chance(0.5);
  const what = random.int(9);
  if (what === 8) store.setMeta(TEMPLATES_KEY, JSON.stringify([{ name, shape: 'video', form: { n: random.int(3) } }]));
  else if (what === 0) store.note({ do: 'save-label', id: isNew ? null : label, name, color: name });
  else if (what === 1) store.note({ do: 'save-view', id: isNew ? null : view, saved });
  else if (what === 4) store.note({ do: 'edit-comment', id: comment, text: name, resolved: isNew });
  else if (what === 5) store.note({ do: 'edit-comment', id: comment, text: null, resolved: isNew });
  else if (what === 6) store.note(isNew ? { do: 'remove-comment', id: comment } : { do: 'remove-view', id: view });
  else if (what === 7 && isNew) store.note({ do: 'remove-label', id: label });
  else if (rows.length > 0) {
    const ref = pick(rows);
    const on = [{ kind: ref.kind, ids: [ref.id] }];
    store.note(
      what === 2
        ? { do: 'label', rows: on, add: isNew ? [label] : [], remove: isNew ? [] : [label] }
        : { do: 'comment', ref, field: null, author: 'A', text: name, at: 1 },
    );
  }
}

/** What windows show of notes, by their shared numbers. */
function notesOf({ store: { db } }: StoredDesk): readonly string[] {
  return [
    'SELECT uid, name, color FROM label ORDER BY uid',
    'SELECT uid, kind, name, view, layout FROM saved_view ORDER BY uid',
    'SELECT uid, kind, row, author, text, at, resolved_at, member FROM comment ORDER BY uid',
    'SELECT r.kind, r.id, l.uid FROM row_label r JOIN label l ON l.id = r.label ORDER BY r.id, l.uid',
    `SELECT value FROM meta WHERE key = '${TEMPLATES_KEY}'`,
    'SELECT what, id, text FROM team_shared_note ORDER BY what, id',
  ].flatMap((sql) => db.all(sql).map((row) => `${sql} ${JSON.stringify(row)}`));
}

/** A computer that joins late takes what another one has, and not the log. */
function takeSnapshot({ store: from }: StoredDesk, { store: to }: StoredDesk): void {
  let part = snapshotPart(from.db);
  for (let no = 0; ; no++) {
    to.team.takePart(part.bytes, no, part.place);
    if (part.next === null) break;
    part = snapshotPart(from.db, part.next);
  }
  to.team.takenTo({ place: part.place, lastPush: teamOf(to.db).lastPush });
}

/** Computers that have the log to the same place have the same digest, whatever is ahead in them. */
function differsIn({ number, store }: StoredDesk, told: Map<string, string>): string | null {
  const digests: string[] = [];
  let part = settledPart(store.db);
  for (; part !== null; part = settledPart(store.db, part.next)) {
    digests.push(part.digest);
    if (part.next === null) break;
  }
  if (part === null) return null;
  const [at, digest] = [part.place.hash, digestOfParts(digests)];
  if (!told.has(at)) told.set(at, digest);
  return told.get(at) === digest ? null : `computer ${number} has other rows or notes at entry ${part.place.seq}`;
}

function answer({ store }: StoredDesk, take: 'mine' | 'theirs'): boolean {
  const [open] = teamConflicts(store.db, 0, 1);
  if (open === undefined) return false;
  store.team.pick(open.ref, open.field, take, null);
  return true;
}

function brokenIn({ number, store }: StoredDesk): string | null {
  const [found] = checkIntegrity(store.db);
  return found === undefined ? null : `computer ${number}: ${found.table}: ${found.promise} (${found.rows})`;
}

/** What all have to agree on: rows, what the service has of them, and that nothing is left to share. */
function contentsOf({ store }: StoredDesk): readonly string[] {
  const lines: string[] = [];
  for (const table of allTables()) {
    const columns = table.columns
      .filter(({ field }) => !['campaignState', 'stateSource', 'stateAsOf'].includes(field))
      .map(({ sql }) => `k.${sql}`);
    const rows = store.db.all(
      `SELECT k.id, k.campaign_id, k.ad_group_id, k.remote_id, k.dirty, ${columns.join(', ')}, b.* FROM ${table.name} k
       LEFT JOIN ${table.base} b ON b.id = k.id WHERE NOT k.dirty & ${DELETED} ORDER BY k.id`,
    );
    for (const row of rows) lines.push(`${table.name} ${JSON.stringify(row)}`);
    const ahead = store.db.all(`SELECT id, ahead FROM ${table.name} WHERE ahead <> 0 AND NOT dirty & ${DELETED}`);
    const gone = store.db.all(`SELECT id FROM ${shadowOf(table)}`);
    if (ahead.length + gone.length > 0) lines.push(`${table.name} not shared ${JSON.stringify([ahead, gone])}`);
  }
  return lines;
}
