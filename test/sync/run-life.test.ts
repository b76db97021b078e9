import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import type { SyncReport } from '../../shared/api/sync.ts';
import { addLogo, autoDraft, sbaDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';

/** What somebody sees who looks the moment the end of a run is announced, as the window does. */
interface SeenAtTheEnd {
  readonly runId: string;
  readonly report: SyncReport | null;
  readonly couldBeCancelled: boolean;
}

let sandbox: RunningSandbox;
let account: TestAccount;
let seen: SeenAtTheEnd[];

const look = (event: AppEvent): void => {
  if (event.type !== 'sync.progress' || event.phase !== 'done') return;
  seen.push({ runId: event.runId, report: account.sync.report(), couldBeCancelled: account.sync.cancel() });
};

beforeEach(async () => {
  seen = [];
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  account = await openAccount({ sandbox, onEvent: look });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

test('whoever hears that a run is done reads its finished report, once per run', async () => {
  await account.create(autoDraft());
  const first = await account.run({ submit: true });
  const second = await account.run({ submit: true });
  expect(seen).toEqual([
    { runId: first.runId, report: first, couldBeCancelled: false },
    { runId: second.runId, report: second, couldBeCancelled: false },
  ]);
  expect([first.state, second.state]).toEqual(['finished', 'finished']);
});

test('a run that only cancels reviews says when it is done, too', async () => {
  const ids = await account.create(sbaDraft(await addLogo(account)));
  await account.run({ submit: true });
  seen = [];
  const started = await account.sync.reviews.cancel(ids.slice(0, 1));
  expect(started.ok).toBe(true);
  const report = await account.sync.idle();
  expect(seen).toEqual([{ runId: report?.runId, report, couldBeCancelled: false }]);
});

test('a run that is cancelled or finds no service says when it is done, too', async () => {
  await account.create(autoDraft());
  const started = await account.sync.run({ submit: false, campaignIds: null });
  expect(started.ok && account.sync.cancel()).toBe(true);
  const cancelled = await account.sync.idle();
  await account.close();
  account = await openAccount({
    sandbox: { ...sandbox, ready: { ...sandbox.ready, baseUrl: 'http://127.0.0.1:9' } },
    onEvent: look,
  });
  await account.create(autoDraft());
  const stopped = await account.run();
  expect(seen.map(({ report }) => report?.state)).toEqual([cancelled?.state, stopped.state]);
  expect([cancelled?.state, stopped.state]).toEqual(['cancelled', 'stopped']);
});

/** What a write of the last report throws, as it arrives from the thread that writes. */
const REFUSALS = [
  ['a full disk', new Error('database or disk is full'), 'disk'],
  ['a fault of ours', new TypeError('Cannot read properties of undefined'), 'defect'],
] as const;

test.each(REFUSALS)(
  'a report that is kept from the disk by %s says so, and the next run is not held up',
  async (_what, thrown, cause) => {
    await account.create(autoDraft());
    const { setMeta } = account.workspace;
    const refuse: typeof setMeta = (key, value) =>
      key === 'last-sync-report' ? Promise.reject(structuredClone(thrown)) : setMeta(key, value);
    Object.assign(account.workspace, { setMeta: refuse });
    const told = { state: 'stopped', stoppedBy: { cause, detail: thrown.message } };
    expect(await account.run()).toMatchObject({ ...told, done: 6 });
    expect(seen.map(({ report }) => report)).toMatchObject([told]);
    Object.assign(account.workspace, { setMeta });
    expect(await account.run()).toMatchObject({ state: 'finished', stoppedBy: null });
  },
);

test('reads asked for while others are under way, and a run asked for during them, all come to their end', async () => {
  await account.create(autoDraft());
  const reads = [account.sync.refresh(), account.sync.reviews.poll(), account.sync.refresh()];
  const run = await account.run();
  expect((await Promise.all(reads)).map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(run).toMatchObject({ state: 'finished', inDoubt: 0, questions: 0 });
});
