import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { NoRowNumbers } from '../../main/store/not-writable.ts';
import { readComments, readLabels } from '../../main/store/notes/read-notes.ts';
import { MUTED_RULES_KEY, TEMPLATES_KEY, USER_RULES_KEY } from '../../main/store/rows/rule-settings.ts';
import { type SnapshotPart, settledPart, takenParts } from '../../main/store/team/snapshot.ts';
import { readSharedEntries, teamConflicts } from '../../main/store/team/team.ts';
import { packed } from '../../main/team/payload.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { DELETED } from '../../shared/model/row.ts';
import { decodeChangeSet, encodeChangeSet } from '../../shared/team/change-set.ts';
import { LOG_START } from '../../shared/team/position.ts';
import { acceptAll, aSmallCampaign, aStore, at, createAll, done } from '../store/a-workspace.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import { ModelServer } from './simulator/model-server.ts';
import { StoredDesk } from './stored-desk.ts';
import { playStoredLife } from './stored-life.ts';

function aTeam() {
  const server = new ModelServer();
  const [ana, ben] = [new StoredDesk(1, aStore()), new StoredDesk(2, aStore())];
  const refs = createAll(ana.store, aSmallCampaign());
  ana.share(server);
  ben.share(server);
  return { server, ana, ben, keyword: at(refs, 3), campaign: at(refs, 0), refs };
}

const set = ({ store }: StoredDesk, ref: RowRef, field: string, value: Cell) =>
  done(store.apply({ label: `Set ${field}`, source: 'user', updates: [{ ...ref, field, value }] }));
const bidOf = ({ store }: StoredDesk, ref: RowRef, field: string) =>
  (store.readRow(ref)?.values as Record<string, Cell> | undefined)?.[field];

test('where both changed the same the user picks, and the answer can be taken back', () => {
  const { server, ana, ben, keyword, refs } = aTeam();
  expect([ana.state.notShared, ben.state.notShared]).toEqual([0, 0]);
  for (const ref of refs) expect(ben.store.readRow(ref)).toEqual(ana.store.readRow(ref));
  set(ana, keyword, 'bid', 210);
  set(ben, keyword, 'bid', 190);
  set(ben, keyword, 'state', 'paused');
  ana.share(server);
  ben.share(server);
  expect(teamConflicts(ben.store.db, 0, 10)).toMatchObject([
    {
      ref: keyword,
      campaign: 'Towels',
      field: 'bid',
      base: 100,
      mine: 190,
      theirs: 210,
      against: 'team',
      by: 'Member 1',
    },
  ]);
  expect(ben.state).toMatchObject({ conflicts: 1, notShared: 1 });
  ben.store.team.pick(keyword, 'bid', 'theirs', null);
  expect([bidOf(ben, keyword, 'bid'), ben.state.conflicts, ben.state.notShared]).toEqual([210, 0, 0]);
  done(ben.store.step('undo'));
  expect([bidOf(ben, keyword, 'bid'), ben.state.conflicts, ben.state.notShared]).toEqual([190, 0, 1]);
  ben.share(server);
  ana.share(server);
  expect([bidOf(ana, keyword, 'bid'), bidOf(ana, keyword, 'state')]).toEqual([190, 'paused']);
});

test('a conflict with a colleague is over when the team has the earlier value again, and the edit is shared', () => {
  const { server, ana, ben, keyword } = aTeam();
  const open = () => teamConflicts(ben.store.db, 0, 10).map(({ base, theirs }) => [base, theirs]);
  set(ben, keyword, 'bid', 190);
  for (const bid of [210, 220, 100]) {
    set(ana, keyword, 'bid', bid);
    ana.share(server);
    ben.pull(server);
    expect(open()).toEqual(bid === 100 ? [] : [[100, bid]]);
  }
  // Changed and set back before Ben takes either, and changed by an entry that the database loses.
  for (const bid of [210, 100]) {
    set(ana, keyword, 'bid', bid);
    ana.share(server);
  }
  ben.pull(server, 10);
  expect(open()).toEqual([]);
  set(ana, keyword, 'bid', 230);
  ana.share(server);
  ben.pull(server);
  expect(open()).toEqual([[100, 230]]);
  server.forget(1);
  ben.pull(server);
  expect([open(), bidOf(ben, keyword, 'bid'), ben.state.notShared]).toEqual([[], 190, 1]);
  ben.share(server);
  ana.pull(server);
  expect(teamConflicts(ana.store.db, 0, 10)).toMatchObject([{ base: 100, mine: 230, theirs: 190 }]);
});

test('a row that one has deleted and the other has changed asks, says who deleted it, and is kept under a name of its own', () => {
  for (const benDid of ['deletes', 'changes'] as const) {
    const { server, ana, ben, keyword, refs } = aTeam();
    acceptAll(ana.store, refs);
    for (const desk of [ana, ben]) desk.share(server);
    const remove = ({ store }: StoredDesk) =>
      done(store.apply({ label: 'Delete', source: 'user', deletes: [keyword] }));
    const change = (desk: StoredDesk) => set(desk, keyword, 'bid', 190);
    const [first, second] = benDid === 'deletes' ? [change, remove] : [remove, change];
    first(ana);
    ana.share(server);
    second(ben);
    set(ben, at(refs, 2), 'bid', 55);
    ben.share(server);
    const deletedHere = benDid === 'deletes';
    expect(teamConflicts(ben.store.db, 0, 10), benDid).toMatchObject([
      { ref: keyword, field: null, mine: deletedHere ? null : 1, theirs: deletedHere ? 1 : null, by: 'Member 1' },
    ]);
    ben.store.team.pick(keyword, null, 'mine', null);
    expect(ben.store.team.offer()?.label, benDid).toBe('Resolve conflict');
    for (const desk of [ben, ana]) desk.share(server);
    expect(ana.store.readRow(keyword)).toEqual(ben.store.readRow(keyword));
  }
});

test('an undo leaves what a colleague changed since, and redo changes no more than undo did', () => {
  const { server, ana, ben, refs } = aTeam();
  const [, group, item, keyword] = refs as [RowRef, RowRef, RowRef, RowRef];
  const updates = [keyword, item].map((ref) => ({ ...ref, field: 'bid', value: 77 }));
  done(ana.store.apply({ label: 'Bids', source: 'user', updates }));
  ana.share(server);
  ben.share(server);
  set(ben, keyword, 'bid', 88);
  set(ben, group, 'name', 'Of Ben');
  ben.share(server);
  ana.share(server);
  const bids = () => [bidOf(ana, keyword, 'bid'), bidOf(ana, item, 'bid'), bidOf(ana, group, 'name')];
  // Ben's steps are no steps of Ana.
  const undone = done(ana.store.step('undo'));
  expect(undone.stay).toEqual({ cells: 1, of: 2, by: ['Member 2'] });
  expect(bids()).toEqual([88, 40, 'Of Ben']);
  done(ana.store.step('redo'));
  expect(bids()).toEqual([88, 77, 'Of Ben']);
  // The rows that she made have something of his in them by now.
  done(ana.store.step('undo'));
  expect(done(ana.store.step('undo')).stay).toMatchObject({ by: ['Member 2'] });
  expect(refs.map((ref) => ana.store.readRow(ref) !== null)).toEqual([true, true, false, true, false]);
  expect(checkIntegrity(ana.store.db)).toEqual([]);
});

test('what the service said reaches everybody, and a cell that is ahead differs from it as it would without a team', () => {
  const { server, ana, ben, refs, keyword } = aTeam();
  acceptAll(ana.store, refs);
  set(ben, keyword, 'bid', 150);
  const remoteId = ana.store.readRow(keyword)?.remoteId ?? null;
  const read = { kind: 'keyword', remoteId, campaignId: at(refs, 0).id, adGroupId: at(refs, 1).id } as const;
  ana.store.mergeRemoteRows([{ ...read, values: { bid: 130, state: 'paused' } }]);
  ana.share(server);
  ben.share(server);
  expect(ben.store.readRow(keyword)).toMatchObject({
    remoteId,
    values: { bid: 150, state: 'paused' },
    base: { bid: 130 },
  });
  expect(ben.state).toMatchObject({ conflicts: 0, notShared: 0 });
  ana.share(server);
  expect(ana.store.readRow(keyword)).toEqual(ben.store.readRow(keyword));
});

test('a conflict with the service that one computer has settled is settled on all, unless the service changed again', () => {
  const { server, ana, ben, refs, keyword } = aTeam();
  acceptAll(ana.store, refs);
  set(ana, keyword, 'bid', 150);
  set(ana, keyword, 'state', 'paused');
  const open = ({ store }: StoredDesk) => store.listConflicts().map(({ field, theirs }) => [field, theirs]);
  const reads = (bid: number, state: string): void => {
    const remoteId = ana.store.readRow(keyword)?.remoteId ?? null;
    const ids = { campaignId: at(refs, 0).id, adGroupId: at(refs, 1).id };
    ana.store.mergeRemoteRows([{ kind: 'keyword', remoteId, ...ids, values: { bid, state } }]);
  };
  const all = (): void => {
    for (const desk of [ana, ben, ana]) desk.share(server);
  };
  all();
  reads(130, 'archived');
  all();
  expect(open(ben)).toEqual(open(ana));
  expect(open(ben)).toHaveLength(2);
  ben.store.resolveConflict(keyword, 'state', 'theirs', null);
  ben.store.resolveConflict(keyword, 'bid', 'mine', null);
  all();
  expect([open(ana), open(ben)]).toEqual([[], []]);
  expect(ana.store.readRow(keyword)).toMatchObject({ values: { bid: 150, state: 'archived' }, base: { bid: 130 } });
  // The service changed, and has again what it had before.
  for (const [bid, conflicts] of [
    [140, [['bid', 140]]],
    [130, []],
  ] as const) {
    reads(bid, 'archived');
    all();
    expect([open(ana), open(ben)]).toEqual([conflicts, conflicts]);
  }
  // Decided while the service had changed again, which is not known there yet.
  reads(140, 'archived');
  all();
  ben.store.resolveConflict(keyword, 'bid', 'mine', null);
  reads(145, 'archived');
  ana.share(server);
  ben.share(server);
  ana.share(server);
  expect(open(ana)).toEqual([['bid', 145]]);
  expect([ana, ben].map(({ state, store }) => [state.notShared, checkIntegrity(store.db)])).toEqual([
    [0, []],
    [0, []],
  ]);
});

test('notes are shared as a whole, and the words of a comment are those of its author', () => {
  const { server, ana, ben, keyword } = aTeam();
  const label = done(ana.store.note({ do: 'save-label', id: null, name: 'Later', color: 'blue' })).id;
  done(ana.store.note({ do: 'label', rows: [{ kind: 'keyword', ids: [keyword.id] }], add: [label], remove: [] }));
  done(ana.store.note({ do: 'comment', ref: keyword, field: null, author: 'Ana', text: 'Why so high?' }));
  // The same name on two computers before either knew of the other.
  done(ben.store.note({ do: 'save-label', id: null, name: 'later', color: 'red' }));
  ana.share(server);
  ben.share(server);
  ana.share(server);
  const [comment] = readComments(ben.store.db, null, null);
  done(ben.store.note({ do: 'edit-comment', id: comment?.id ?? 0, text: 'Rewritten', resolved: true }));
  ben.share(server);
  ana.share(server);
  for (const { store } of [ana, ben]) {
    expect(readComments(store.db, null, null)).toMatchObject([{ text: 'Why so high?', author: 'Ana' }]);
    expect(readComments(store.db, null, false)).toEqual([]);
  }
  const labels = ({ store }: StoredDesk) => readLabels(store.db).map(({ name, rows }) => [name, rows]);
  expect(labels(ana)).toEqual(labels(ben));
  expect(labels(ana)).toHaveLength(2);
});

test('templates and rules that two added at the same time are all kept, and colleagues judge rows by them', () => {
  const { server, ana, ben, keyword } = aTeam();
  const template = (name: string, text = '') => ({ name, shape: 'video', form: { text } });
  const put = ({ store }: StoredDesk, key: string, list: readonly object[]) => store.setMeta(key, JSON.stringify(list));
  const names = ({ store }: StoredDesk, key = TEMPLATES_KEY) =>
    JSON.parse(store.getMeta(key) ?? '[]').map((one: { name: string; form?: object }) => [one.name, one.form]);
  put(ana, TEMPLATES_KEY, [template('Spring'), template('Old')]);
  ana.share(server);
  ben.share(server);
  expect(names(ben)).toEqual(names(ana));
  // Ana changes one and takes one away, Ben adds one; his is offered already when hers is in the log.
  put(ana, TEMPLATES_KEY, [template('Spring', 'new')]);
  put(ben, TEMPLATES_KEY, [template('Spring'), template('Old'), template('Summer')]);
  ana.share(server);
  ben.push(server);
  ben.share(server);
  ana.share(server);
  expect(names(ana)).toEqual([
    ['Spring', { text: 'new' }],
    ['Summer', { text: '' }],
  ]);
  expect(names(ben)).toEqual(names(ana));

  const rule = { id: 'low', name: 'Low bid', kind: 'keyword', severity: 'warning', query: 'bid<5', enabled: true };
  set(ana, keyword, 'bid', 300);
  put(ana, USER_RULES_KEY, [rule]);
  ben.store.setMeta(MUTED_RULES_KEY, 'bid.low');
  for (const desk of [ana, ben, ana]) desk.share(server);
  expect(names(ben, USER_RULES_KEY)).toEqual([['Low bid', undefined]]);
  expect(ana.store.getMeta(MUTED_RULES_KEY)).toBe('bid.low');
  const judgedBy = ({ store }: StoredDesk) => store.db.get(`SELECT value FROM meta WHERE key = 'checked-as'`)?.[0];
  expect(judgedBy(ben)).toEqual(judgedBy(ana));
  // The history of a row names the member, on the computer of the colleague too.
  const named = ben.store.db.all(`SELECT who, member FROM step WHERE source = 'team' ORDER BY id DESC LIMIT 1`);
  expect(named).toEqual([['Member 1', 1]]);
});

test('a team begins with what the account holds, and a computer that is cut while it joins goes on where it was', () => {
  const { ana: first, refs } = aTeam();
  // The account as it is before it has a team: read from the service, with a row that is to be deleted there, and notes.
  const store = first.store;
  store.team.leave();
  acceptAll(store, refs);
  done(store.apply({ label: 'Delete', source: 'user', deletes: [at(refs, 3)] }));
  done(store.note({ do: 'comment', ref: at(refs, 0), field: null, author: 'Ana', text: 'Mine' }));
  const place = { workspace: 'w', desk: 1, member: 1, incarnation: 1, firstRow: 500_000, rows: 1000 };
  store.team.join({ ...place, isFirst: true });
  const [server, ana, ben] = [new ModelServer(), first, new StoredDesk(2, aStore())];
  expect([ana.state.isNew, ana.state.notShared, ben.state.isNew]).toEqual([false, 1, true]);
  const parts: SnapshotPart[] = [];
  for (let part = settledPart(store.db); part !== null; ) {
    parts.push(part);
    part = part.next === null ? null : settledPart(store.db, part.next);
  }
  const [whole, half] = [parts, parts.slice(0, 4)];
  const take = (from: readonly SnapshotPart[], after: number) => {
    for (const [no, part] of from.entries()) if (no >= after) ben.store.team.takePart(part.bytes, no, part.place);
  };
  take(half, 0);
  expect([ben.state.isNew, takenParts(ben.store.db, LOG_START)]).toEqual([true, half.map(({ digest }) => digest)]);
  take(whole, half.length);
  ben.store.team.takenTo({ place: LOG_START, lastPush: 0 });
  expect(ben.state).toMatchObject({ isNew: false, notShared: 0 });
  const indexes = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name";
  expect(ben.store.db.all(indexes), 'those that rest while rows arrive').toEqual(ana.store.db.all(indexes));
  for (const ref of refs.slice(0, 3)) expect(ben.store.readRow(ref)).toEqual(ana.store.readRow(ref));
  expect(readComments(ben.store.db, null, null)).toMatchObject([{ text: 'Mine', author: 'Ana' }]);
  // What was deleted before is deleted for the colleague too, who may be the one that sends.
  expect(ana.store.team.offer()?.label).toBe('Account before the team');
  for (const desk of [ana, ben]) desk.share(server);
  set(ana, at(refs, 0), 'dailyBudget', 7000);
  expect(ana.store.team.offer()?.label).toBe('Set dailyBudget');
  for (const desk of [ana, ben]) desk.share(server);
  expect(ben.store.readRow(at(refs, 3))).toEqual(ana.store.readRow(at(refs, 3)));
  expect((ben.store.readRow(at(refs, 3))?.dirty ?? 0) & DELETED).toBe(DELETED);
  for (const { store: each } of [ana, ben]) expect(checkIntegrity(each.db)).toEqual([]);
});

test('notes of a snapshot that one part can not hold are in several, and those of an older version in one', () => {
  const { ana: first, refs } = aTeam();
  const { store } = first;
  store.team.leave();
  const random = seeded(1);
  const long = () => Array.from({ length: 400_000 }, () => String.fromCharCode(33 + random.int(90))).join('');
  const count = 14;
  for (let no = 0; no < count; no++)
    done(store.note({ do: 'comment', ref: at(refs, 0), field: null, author: 'Ana', text: `${no} ${long()}` }));
  done(store.note({ do: 'save-label', id: null, name: 'Hot', color: 'red' }));
  store.team.join({ workspace: 'w', desk: 1, member: 1, incarnation: 1, firstRow: 500_000, rows: 1000, isFirst: true });
  const parts: SnapshotPart[] = [];
  for (let part = settledPart(store.db); part !== null; ) {
    parts.push(part);
    part = part.next === null ? null : settledPart(store.db, part.next);
  }
  for (const { bytes } of parts) expect(packed(bytes).length).toBeLessThanOrEqual(4 * 1024 ** 2);
  // An older version wrote all notes as the last part.
  const sets = parts.map(({ bytes }) => done(decodeChangeSet(bytes)));
  const last = { ...at(sets, KINDS.length - 1), notes: sets.flatMap(({ notes = [] }) => notes) };
  const older = [...parts.slice(0, KINDS.length - 1).map(({ bytes }) => bytes), encodeChangeSet(last)];
  for (const written of [parts.map(({ bytes }) => bytes), older]) {
    const ben = new StoredDesk(2, aStore());
    for (const [no, bytes] of written.entries()) ben.store.team.takePart(bytes, no, LOG_START);
    ben.store.team.takenTo({ place: LOG_START, lastPush: 0 });
    ben.store.team.pulled();
    expect([readComments(ben.store.db, null, null).length, readLabels(ben.store.db).length]).toEqual([count, 1]);
    expect(settledPart(ben.store.db, parts.at(-2)?.next ?? undefined)?.digest).toBe(parts.at(-1)?.digest);
  }
});

test('rows that are too long for one part of a snapshot are in several', () => {
  const store = aStore();
  const random = seeded(1);
  const long = () => Array.from({ length: 400_000 }, () => String.fromCharCode(33 + random.int(90))).join('');
  const campaigns = Array.from({ length: 14 }, (_, no) => at(aSmallCampaign(`${no} ${long()}`), 0));
  createAll(store, campaigns);
  store.team.join({ workspace: 'w', desk: 1, member: 1, incarnation: 1, firstRow: 500_000, rows: 1000, isFirst: true });
  const parts: SnapshotPart[] = [];
  for (let part = settledPart(store.db); part !== null; ) {
    parts.push(part);
    part = part.next === null ? null : settledPart(store.db, part.next);
  }
  for (const { bytes } of parts) expect(packed(bytes).length).toBeLessThanOrEqual(4 * 1024 ** 2);
  const ben = new StoredDesk(2, aStore());
  const { place } = at(parts, 0);
  for (const [no, { bytes }] of parts.entries()) ben.store.team.takePart(bytes, no, place);
  ben.store.team.takenTo({ place, lastPush: 0 });
  ben.store.team.pulled();
  expect(settledPart(ben.store.db)?.digest).toBe(at(parts, 0).digest);
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(campaigns.length);
});

test('a bulk edit of more rows than an entry takes names all its entries, and conflicts in all of these hold up no other edit', () => {
  const { server, ana, ben, refs } = aTeam();
  const labels = () => {
    const shared: string[] = [];
    for (let offer = ana.store.team.offer(); offer !== null; offer = ana.store.team.offer()) {
      shared.push(offer.label);
      ana.push(server);
      ana.pull(server);
    }
    return shared;
  };
  acceptAll(ana.store, refs);
  set(ana, at(refs, 0), 'dailyBudget', 6000);
  expect(labels()).toEqual(['Changes on the service', 'Set dailyBudget']);
  const most = 10_000;
  const keyword = (_: unknown, no: number) =>
    ({
      kind: 'keyword',
      parent: at(refs, 1),
      values: { text: `towel ${no}`, matchType: 'exact', bid: 100 },
    }) as const;
  const keywords = createAll(ana.store, Array.from({ length: most + 1 }, keyword)).filter(
    ({ kind }) => kind === 'keyword',
  );
  expect(labels()).toEqual(['Create', 'Create']);
  const ofFirst = { from: 0, count: 10, member: null, ref: at(keywords, 0) };
  const log = readSharedEntries(ana.store.db, ofFirst);
  expect([log.total, log.entries.at(-1)?.rows]).toEqual([2, most]);
  ben.pull(server);
  const setBids = ({ store }: StoredDesk, of: readonly RowRef[], value: number) =>
    done(store.apply({ label: 'Bids', source: 'user', updates: of.map((ref) => ({ ...ref, field: 'bid', value })) }));
  setBids(ana, keywords.slice(0, most), 210);
  ana.share(server);
  setBids(ben, keywords, 190);
  ben.share(server);
  expect(ben.state).toMatchObject({ conflicts: most, notShared: most });
  ana.pull(server);
  expect([at(keywords, 0), at(keywords, most)].map((ref) => bidOf(ana, ref, 'bid'))).toEqual([210, 190]);
});

test('a note of an entry is found without reading all notes of the account', () => {
  const { server, ana, ben, refs } = aTeam();
  const { id: label } = done(ana.store.note({ do: 'save-label', id: null, name: 'Hot', color: 'red' }));
  done(
    ana.store.note({ do: 'label', rows: refs.map(({ kind, id }) => ({ kind, ids: [id] })), add: [label], remove: [] }),
  );
  done(ana.store.note({ do: 'comment', ref: at(refs, 0), field: null, author: 'Ana', text: 'Mine' }));
  for (const desk of [ana, ben]) {
    const { db } = desk.store;
    const said = new Set<string>();
    for (const name of ['all', 'get', 'run'] as const) {
      const own = db[name];
      Object.assign(db, { [name]: (sql: string, ...bind: never[]) => own(said.add(sql) && sql, ...bind) });
    }
    desk.share(server);
    const scans = [...said].flatMap((sql) => db.all(`EXPLAIN QUERY PLAN ${sql}`).map((step) => String(step[3])));
    expect(scans.filter((step) => /^SCAN (comment|row_label|r)\b/u.test(step))).toEqual([]);
    expect(said.size).toBeGreaterThan(20);
  }
});

test('entries that are taken together are written together, and each is a step of its own in the history', () => {
  const { server, ana, ben, keyword } = aTeam();
  for (const bid of [210, 220]) {
    set(ana, keyword, 'bid', bid);
    ana.share(server);
  }
  set(ana, keyword, 'state', 'paused');
  ana.share(server);
  ben.pull(server, 10);
  const steps = ben.store.db.all(
    `SELECT s.entries, s.rows, c.field = 2, c.old, c.new FROM step s JOIN step_cell c ON c.step = s.id
     WHERE s.source = 'team' AND c.id = ? ORDER BY s.id`,
    keyword.id,
  );
  expect(steps).toEqual([
    [1, 1, 1, 100, 210],
    [1, 1, 1, 210, 220],
    [1, 1, 0, 0, 1],
  ]);
  expect(ben.store.readRow(keyword)).toEqual(ana.store.readRow(keyword));
});

test('a computer without numbers adds no rows, and a file that was put back shares nothing', () => {
  const { ana } = aTeam();
  ana.store.db.run('DELETE FROM id_block');
  expect(() => createAll(ana.store, aSmallCampaign())).toThrow(NoRowNumbers);
  ana.store.team.block(900_000, 10);
  expect(createAll(ana.store, aSmallCampaign()).map(({ id }) => id)).toContain(900_000);
  expect(ana.store.team.offer()).toMatchObject({ kind: 'edit' });
  ana.store.db.run('UPDATE team_meta SET inode = inode + 1');
  expect(ana.state.isCopy).toBe(true);
  expect(ana.store.team.offer()).toBeNull();
});

test('labels of many rows are shared when few numbers are left, and new notes wait for numbers', () => {
  const { server, ana, ben, refs } = aTeam();
  const { id: label } = done(ana.store.note({ do: 'save-label', id: null, name: 'Hot', color: 'red' }));
  ana.share(server);
  ana.store.db.run('DELETE FROM id_block');
  const rows = refs.map(({ kind, id }) => ({ kind, ids: [id] }));
  done(ana.store.note({ do: 'label', rows, add: [label], remove: [] }));
  for (const desk of [ana, ben]) desk.share(server);
  expect(readLabels(ben.store.db)).toMatchObject([{ name: 'Hot', rows: refs.length }]);
  done(ana.store.note({ do: 'save-label', id: null, name: 'Cold', color: 'blue' }));
  expect(ana.store.team.offer()).toBeNull();
  ana.store.team.block(900_000, 1);
  expect(ana.store.team.offer()).toMatchObject({ kind: 'note' });
});

test('more notes than the database takes at once are shared in several entries', () => {
  const { server, ana, ben, keyword } = aTeam();
  const text = 'Why so high? '.repeat(38_000);
  const count = 15;
  for (let no = 0; no < count; no++)
    done(ana.store.note({ do: 'comment', ref: keyword, field: null, author: 'Ana', text: `${text}${no}` }));
  expect(encodeChangeSet(ana.store.team.offer()?.changes ?? NO_CHANGES).length).toBeLessThan(7_000_000);
  for (const desk of [ana, ben]) desk.share(server);
  expect(ana.state.notShared).toBe(0);
  expect(readComments(ben.store.db, null, null)).toHaveLength(count);
});

const NO_CHANGES = { made: [], removed: [], cells: [] };

const LIVES = Number(process.env['STORED_LIVES'] ?? 4);
const FIRST = Number(process.env['STORED_FROM'] ?? 1);

test('workspaces of a team end up equal, whatever is edited, undone, synced, lost and late', () => {
  for (let seed = FIRST; seed < FIRST + LIVES; seed++)
    expect([seed, playStoredLife(seed, aStore)]).toEqual([seed, null]);
});

test('every promise of shadow and marks is checked', () => {
  const { ana, keyword } = aTeam();
  set(ana, keyword, 'bid', 1);
  expect(checkIntegrity(ana.store.db)).toEqual([]);
  ana.store.db.run('UPDATE keyword SET ahead = 0');
  expect(checkIntegrity(ana.store.db).map(({ table }) => table)).toContain('keyword');
});

test('an account that has left its team takes nothing of its members into another team', () => {
  const { server, ana, ben, keyword } = aTeam();
  done(ana.store.note({ do: 'comment', ref: keyword, field: null, author: 'Ana', text: 'Why?' }));
  ana.share(server);
  ben.share(server);
  const { store } = ben;
  for (const key of ['teamFacts', 'teamIntentMark', 'teamRequests']) store.setMeta(key, '{}');
  store.team.leave();
  expect(store.db.all(`SELECT key FROM meta WHERE key LIKE 'team%'`)).toEqual([]);
  store.team.join({ workspace: 'v', desk: 1, member: 1, incarnation: 1, firstRow: 500_000, rows: 10, isFirst: true });
  expect(store.db.all('SELECT author, member FROM comment')).toEqual([['Ana', 1]]);
});
