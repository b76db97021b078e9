import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outboxOps } from '../../main/store/outbox/ops.ts';
import { type NewBatch, SETTLE_MS } from '../../main/store/outbox/outbox-types.ts';
import { createViews } from '../../main/store/reader/views.ts';
import { currentRevision } from '../../main/store/rows/revision.ts';
import { type JournalLine, openJournal, readJournal, readJournalState } from '../../main/sync/journal.ts';
import { asRowId, type RemoteId, type RowId } from '../../shared/model/scalars.ts';
import { aView } from '../store/a-view.ts';
import { autoDraft } from './a-draft.ts';
import { openOwnStore } from './simulator/real-store.ts';
import { type VirtualClock, virtualClock } from './simulator/seeded.ts';
import { playWithoutDisk } from './simulator/without-disk.ts';

describe('outbox', () => {
  let clock: VirtualClock;
  let account: ReturnType<typeof openOwnStore>;
  let ids: readonly RowId[];
  let epoch: number;
  let sent = 0;

  beforeEach(() => {
    clock = virtualClock();
    account = openOwnStore();
    const { store } = account;
    store.setNow(clock.nowMs());
    const done = store.apply({ label: 'draft', source: 'user', creates: autoDraft() });
    if (!done.ok) throw new Error('no draft');
    ids = done.value.touched.map(({ id }) => id);
    epoch = call('takeOwnership', undefined).epoch;
    return () => account.db.close();
  });

  type Ops = typeof outboxOps;
  type Op<Name extends keyof Ops> = (store: typeof account.store, args: unknown) => ReturnType<Ops[Name]>;
  function call<Name extends keyof Ops>(name: Name, args: Parameters<Ops[Name]>[1]): ReturnType<Ops[Name]> {
    account.store.setNow(clock.nowMs());
    const op: unknown = outboxOps[name];
    return account.store.tx(() => (op as Op<Name>)(account.store, args));
  }

  const aBatch = (rowId: RowId, changes: Partial<NewBatch> = {}): NewBatch => ({
    kind: 'campaign',
    verb: 'create',
    method: 'POST',
    path: '/api/v1/campaigns',
    campaignId: rowId,
    adGroupId: null,
    attempt: 1,
    correlationId: `c-${sent++}`,
    body: '[]',
    preImage: null,
    ops: [{ kind: 'campaign', rowId, sent: { name: 'Rolls auto' }, base: null }],
    ...changes,
  });
  const campaign = (): RowId => ids[0] ?? asRowId(1);

  test('what was being sent when a process ended is in doubt for the next one, and the old one may write no more', () => {
    const intent = call('saveIntent', { epoch, batch: aBatch(campaign()) });
    expect(call('takeOwnership', undefined)).toEqual({ epoch: epoch + 1, recovered: 1 });
    expect(call('countStates', undefined)).toMatchObject({ SENT: 0, IN_DOUBT: 1 });
    expect(call('saveIntent', { epoch, batch: aBatch(ids[1] ?? campaign()) })).toEqual({ kind: 'stale-epoch' });
    const batchId = intent.kind === 'ok' ? intent.batchId : 0;
    const late = call('recordOutcome', {
      epoch,
      batchId,
      class: 'ELEMENTS',
      settlement: { is: 'rejected', message: 'no' },
    });
    expect(late).toMatchObject({ done: 0, rejected: 0 });
    expect(call('countStates', undefined)).toMatchObject({ IN_DOUBT: 1 });
  });

  test('windows are told when a read has a missing row again', async () => {
    const ref = { kind: 'campaign', id: campaign() } as const;
    const remoteId = '77001' as RemoteId;
    call('adoptRow', { epoch, ref, remoteId, seen: account.store.readRow(ref)?.values ?? {} });
    call('recordMissing', { epoch, kind: 'campaign', ids: [ref.id] });
    await clock.sleep(SETTLE_MS);
    expect(call('recordMissing', { epoch, kind: 'campaign', ids: [ref.id] })).toEqual({ proven: [ref.id] });
    expect(call('conflicts', undefined)).toHaveLength(1);
    const before = currentRevision(account.db);
    call('merge', { epoch, rows: [{ kind: 'campaign', remoteId, campaignId: null, adGroupId: null, values: {} }] });
    expect(call('conflicts', undefined)).toEqual([]);
    expect(currentRevision(account.db)).toBeGreaterThan(before);
  });

  test('a row is taken from the service and deleted in one write, or not at all', async () => {
    const ref = { kind: 'campaign', id: campaign() } as const;
    call('adoptRow', { epoch, ref, remoteId: '77001' as RemoteId, seen: account.store.readRow(ref)?.values ?? {} });
    const remove = () => call('resolveMissing', { ref, take: 'theirs', by: null });
    account.db.run(
      `CREATE TEMP TRIGGER power_cut BEFORE DELETE ON main.campaign BEGIN SELECT raise(ABORT, 'cut'); END`,
    );
    expect(() => account.store.tx(remove)).toThrow('cut');
    expect(account.store.readRow(ref)).toMatchObject({ remoteId: '77001' });
    account.db.run('DROP TRIGGER power_cut');
    expect(account.store.tx(remove)).toBe(true);
    expect(account.store.readRow(ref)).toBeNull();
  });

  test.each([
    ['adGroup', 1],
    ['placementMultiplier', 4],
  ] as const)('a %s that was deleted here and on the service is no longer a change', async (kind, at) => {
    const ref = { kind, id: ids[at] ?? asRowId(1) };
    call('adoptRow', { epoch, ref, remoteId: '77002' as RemoteId, seen: account.store.readRow(ref)?.values ?? {} });
    account.store.apply({ label: 'test', source: 'user', deletes: [ref] });
    call('recordMissing', { epoch, kind, ids: [ref.id] });
    await clock.sleep(SETTLE_MS);
    expect(account.store.readRow(ref)).not.toBeNull();
    expect(call('recordMissing', { epoch, kind, ids: [ref.id] })).toEqual({ proven: [ref.id] });
    expect(account.store.readRow(ref)).toBeNull();
  });

  test('one row has one live send of a kind; the database itself refuses a second', () => {
    expect(call('saveIntent', { epoch, batch: aBatch(campaign()) })).toMatchObject({ kind: 'ok' });
    expect(call('saveIntent', { epoch, batch: aBatch(campaign()) })).toEqual({ kind: 'live', rowIds: [campaign()] });
    expect(() =>
      account.db.run(
        `INSERT INTO outbox_op(batch_id, idx, kind, row_id, verb, state, sent) VALUES (1, 9, 0, ?, 'create', 'SENT', '{}')`,
        campaign(),
      ),
    ).toThrow(/UNIQUE/);
  });

  test('receipts can be neither changed nor removed', () => {
    const intent = call('saveIntent', { epoch, batch: aBatch(campaign()) });
    const batchId = intent.kind === 'ok' ? intent.batchId : 0;
    call('recordOutcome', { epoch, batchId, class: 'IN_DOUBT', settlement: { is: 'in-doubt', cause: 'cut' } });
    expect(() => account.db.run('DELETE FROM outbox_receipt')).toThrow(/kept/);
    expect(() => account.db.run(`UPDATE outbox_receipt SET detail = 'x'`)).toThrow(/fixed/);
  });

  test('the hourly budget counts elements, survives a restart and fills up again with time', async () => {
    const left = (): number => call('changeLimit', { changes: 0 }).left;
    const all = left();
    const ops = ids.slice(2, 4).map((rowId) => ({ kind: 'adItem' as const, rowId, sent: {}, base: null }));
    call('saveIntent', { epoch, batch: aBatch(campaign(), { kind: 'adItem', ops }) });
    expect(left()).toBe(all - 2);
    call('takeOwnership', undefined);
    expect(left()).toBe(all - 2);
    // Changes are counted by the minute.
    await clock.sleep(3_660_000);
    expect(left()).toBe(all);
  });

  test('"it is not there" is taken only after the settle window', async () => {
    const intent = call('saveIntent', { epoch, batch: aBatch(campaign()) });
    const batchId = intent.kind === 'ok' ? intent.batchId : 0;
    call('recordOutcome', { epoch, batchId, class: 'IN_DOUBT', settlement: { is: 'in-doubt', cause: 'cut' } });
    const [live] = call('live', undefined);
    call('openUnresolved', { epoch, opId: live?.ops[0]?.id ?? 0, why: 'no read' });
    const [question] = call('listUnresolved', undefined);
    expect(question?.what).toBe('Campaign "Rolls auto"');
    const answer = () => call('resolve', { epoch, questionId: question?.id ?? 0, answer: 'absent' });
    expect(answer()).toEqual({ problem: 'too-early', open: 1 });
    await clock.sleep(121_000);
    expect(answer()).toEqual({ problem: null, open: 0 });
    expect(call('countStates', undefined)).toMatchObject({ NEEDS_USER: 0, RETURNED: 1 });
  });

  test('"it is not there" is taken only after the create of the row above it is settled', async () => {
    const group = ids[1] ?? campaign();
    const ask = (batch: NewBatch) => {
      const intent = call('saveIntent', { epoch, batch });
      const batchId = intent.kind === 'ok' ? intent.batchId : 0;
      call('recordOutcome', { epoch, batchId, class: 'IN_DOUBT', settlement: { is: 'in-doubt', cause: 'cut' } });
      const opId = call('live', undefined).find(({ id }) => id === batchId)?.ops[0]?.id ?? 0;
      call('openUnresolved', { epoch, opId, why: 'no read' });
      return call('listUnresolved', undefined).at(-1)?.id ?? 0;
    };
    const above = ask(aBatch(campaign()));
    const ops = [{ kind: 'adGroup' as const, rowId: group, sent: { name: 'Group' }, base: null }];
    const below = ask(aBatch(campaign(), { kind: 'adGroup', ops }));
    await clock.sleep(190_000);
    expect(call('resolve', { epoch, questionId: below, answer: 'absent' })).toEqual({
      problem: 'parent-open',
      open: 2,
    });
    call('resolve', { epoch, questionId: above, answer: 'absent' });
    expect(call('resolve', { epoch, questionId: below, answer: 'absent' })).toEqual({ problem: null, open: 0 });
  });

  test('after a restore, what the journal saw being sent is in doubt, or adopted where the answer is known', () => {
    const intent = (rowId: RowId, kind: string, answered: readonly string[]) => ({
      correlationId: `journal-${rowId}`,
      kind,
      verb: 'create',
      rows: [{ kind, id: rowId }],
      campaignId: campaign(),
      adGroupId: null,
      at: clock.nowMs() - 3_600_000,
      ids: answered,
    });
    const group = ids[1] ?? campaign();
    const imported = call('importIntents', {
      epoch,
      intents: [intent(campaign(), 'campaign', ['4711']), intent(group, 'adGroup', [])],
    });
    expect(imported).toBe(2);
    expect(account.store.readRow({ kind: 'campaign', id: campaign() })?.remoteId).toBe('4711');
    expect(call('countStates', undefined)).toMatchObject({ DONE: 1, IN_DOUBT: 1 });
    expect(
      call('saveIntent', {
        epoch,
        batch: aBatch(group, { kind: 'adGroup', ops: [{ kind: 'adGroup', rowId: group, sent: {}, base: null }] }),
      }),
    ).toMatchObject({ kind: 'live' });
  });

  test('when the intent cannot be written, nothing is sent', async () => {
    expect(await playWithoutDisk()).toEqual({ failure: 'database or disk is full', unwritten: 0 });
  });

  const _valuesOf = (id: RowId) => account.store.readRow({ kind: 'campaign', id })?.values ?? {};

  test('a row deleted while its creation is in doubt leaves once it is known not to be there; undo brings it back', () => {
    const intent = call('saveIntent', { epoch, batch: aBatch(campaign()) });
    call('recordOutcome', {
      epoch,
      batchId: intent.kind === 'ok' ? intent.batchId : 0,
      class: 'IN_DOUBT',
      settlement: { is: 'in-doubt', cause: 'cut' },
    });
    const ref = { kind: 'campaign', id: campaign() } as const;
    account.store.apply({ label: 'delete', source: 'user', deletes: [ref] });
    expect(account.store.readRow(ref)).not.toBeNull();
    const views = createViews(account.db);
    const opened = views.open(aView({ kind: 'campaign' }));
    const [batch] = call('live', undefined);
    call('markNotProcessed', { epoch, opId: batch?.ops[0]?.id ?? 0, evidence: 'absent twice' });
    expect(account.store.readRow(ref)).toBeNull();
    expect(opened.ok && views.read(opened.value.viewId, 0, 10)).toMatchObject({ rows: [], length: 0 });
    expect(account.store.step('undo').ok).toBe(true);
    expect(account.store.readRow(ref)).toMatchObject({ remoteId: null, values: { name: 'Rolls auto' } });
  });
});

describe('journal', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adslate-journal-'));
    file = join(folder, 'sync.journal');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const line = (n: number): JournalLine => ({
    t: 'intent',
    c: `c-${n}`,
    at: n,
    kind: 'campaign',
    verb: 'create',
    rows: [],
  });

  test('lines that are asked for at once are all there in the order in which they were asked for', async () => {
    const journal = await openJournal(file);
    const lines = Array.from({ length: 40 }, (_, n) => line(n));
    await Promise.all(lines.map((one) => journal.append(one)));
    expect(await readJournal(file)).toEqual(lines);
    await journal.close();
  });

  test('lines come back in order, whole, and after the journal was opened again', async () => {
    const first = await openJournal(file);
    await Promise.all([first.append(line(1)), first.append(line(2))]);
    await first.close();
    const second = await openJournal(file);
    await second.append(line(3));
    await second.close();
    expect((await readJournal(file)).map(({ c }) => c)).toEqual(['c-1', 'c-2', 'c-3']);
  });

  test('a line that a crash cut, and one whose bytes were damaged, are left out', async () => {
    const journal = await openJournal(file);
    await journal.append(line(1));
    await journal.close();
    const [good] = (await readFile(file, 'utf8')).split('\n');
    await appendFile(file, `${good?.replace('c-1', 'c-9')}\n${good?.slice(0, 20)}`);
    expect((await readJournal(file)).map(({ c }) => c)).toEqual(['c-1']);
  });

  test('fault M5: the line behind one that a crash or a full disk cut is whole', async () => {
    const before = await openJournal(file);
    await before.append(line(1));
    await before.close();
    const [good] = (await readFile(file, 'utf8')).split('\n');
    await appendFile(file, good?.slice(0, 20) ?? '');
    const after = await openJournal(file);
    await after.append(line(2));
    await after.append(line(3));
    await after.close();
    expect((await readJournal(file)).map(({ c }) => c)).toEqual(['c-1', 'c-2', 'c-3']);
    expect(await readJournalState(file)).toMatchObject({ entries: 3, damaged: 1 });
  });

  test('it is rotated before it grows too large, and the older file is still read', async () => {
    const journal = await openJournal(file, 300);
    for (let n = 1; n <= 4; n++) await journal.append(line(n));
    await journal.close();
    expect((await stat(`${file}.1`)).size).toBeLessThanOrEqual(300);
    const read = (await readJournal(file)).map(({ c }) => c);
    expect(read.at(-1)).toBe('c-4');
    expect(read.length).toBeGreaterThan(2);
  });

  test('a rotation that fails costs its own line, and the file is opened again for the next', async () => {
    const journal = await openJournal(file, 1);
    await journal.append(line(1));
    await rm(file);
    await expect(journal.append(line(2))).rejects.toThrow('ENOENT');
    await journal.append(line(3));
    await journal.close();
    expect((await readJournal(file)).map(({ c }) => c)).toEqual(['c-3']);
  });

  test('a missing journal is an empty one', async () => {
    expect(await readJournal(file)).toEqual([]);
  });
});
