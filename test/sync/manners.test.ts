import { afterEach, beforeEach, expect, test } from 'vitest';
import { halveLimit, maxRequests } from '../../main/sync/parallel.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import { autoDraft, sbaDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf, type LoggedRequest } from './control.ts';
import { aContext } from './simulator/a-context.ts';
import { createModelService } from './simulator/model-service.ts';
import { createModelStore } from './simulator/model-store.ts';
import { PROFILE } from './simulator/real-store.ts';
import { seeded, virtualClock } from './simulator/seeded.ts';
import { createSimulatedAccount } from './simulator/simulated-account.ts';

let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount | null;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  account = null;
});
afterEach(async () => {
  await account?.close();
  await sandbox.close();
});

/** Item search is a read that travels as a POST. */
const isWrite = ({ method, path }: LoggedRequest): boolean => method !== 'GET' && !path.endsWith('/itemSearch');

const WISH = { submit: false, campaignIds: null } as const;
const planned = async (of: TestAccount): Promise<string> => planText((await of.sync.planned(WISH)).plan);

test('a plan that was reviewed is sent exactly', async () => {
  account = await openAccount({ sandbox });
  await account.create(autoDraft());
  const plan = await planned(account);
  expect(await account.run({ plan })).toMatchObject({ state: 'finished', done: 6, refused: [] });
});

test('when another plan would be sent by now, nothing is sent, and the first line that differs is told', async () => {
  account = await openAccount({ sandbox });
  const ids = await account.create(autoDraft());
  const plan = await planned(account);
  await account.edit('adItem', ids[2] as never, { bid: 333 });
  const report = await account.run({ plan });
  expect(report).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'plan-changed' }, done: 0 });
  expect(report.stoppedBy?.detail).toContain('3.33');
  expect((await control.requests()).filter(isWrite)).toEqual([]);
  expect(await account.run({ plan: await planned(account) })).toMatchObject({ state: 'finished', done: 6 });
});

test('a reviewed plan may be tried on another service first: the same draft there gives the same text', async () => {
  account = await openAccount({ sandbox });
  await account.create(sbaDraft(null));
  const plan = await planned(account);
  const elsewhere = await startSandbox({ scenario: 'empty', clock: 'virtual' });
  const trial = await openAccount({ sandbox: elsewhere });
  try {
    await trial.create(sbaDraft(null));
    expect(await trial.run({ plan })).toMatchObject({ state: 'finished', refused: [] });
  } finally {
    await trial.close();
    await elsewhere.close();
  }
  expect(await account.run({ plan })).toMatchObject({ state: 'finished', refused: [] });
});

test('how the last run ended is known after a restart', async () => {
  const first = await openAccount({ sandbox });
  const folder = first.folder;
  account = await openAccount({ sandbox, folder: `${folder}-kept` });
  await first.close();
  await account.create(autoDraft());
  const report = await account.run();
  await account.close();
  account = await openAccount({ sandbox, folder: `${folder}-kept` });
  expect(account.sync.report()).toEqual(report);
});

test('the ledger has every request with its rows, their ids and what became of it, and no credentials', async () => {
  account = await openAccount({ sandbox });
  await control.fault({ match: { method: 'POST', path: '/api/v1/adItems' }, times: 1, kind: 'drop-after' });
  await account.create(autoDraft());
  await account.run();
  const entries = await account.workspace.outbox.ledger({ after: 0, count: 100 });
  const { rows } = entries.find(({ kind }) => kind === 'campaign') ?? { rows: [] };
  expect(rows).toMatchObject([{ kind: 'campaign', state: 'DONE', remoteId: expect.stringMatching(/^\d+$/) }]);
  const items = entries.find(({ kind }) => kind === 'adItem');
  expect(items?.receipts.map((receipt) => receipt.class)).toEqual(['IN_DOUBT', 'ADOPTED', 'ADOPTED']);
  const text = JSON.stringify(entries);
  for (const { token, privateKeyPem } of sandbox.ready.accounts) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(privateKeyPem.slice(60, 120));
  }
  const logged = (await control.requests()).filter(isWrite);
  expect(entries.map(({ correlationId }) => correlationId)).toEqual(logged.map(({ correlationId }) => correlationId));
});

test('a limit met halves the requests at once, and every two quiet minutes give one back', () => {
  const clock = virtualClock();
  const random = seeded(1);
  const service = createModelService(random, clock);
  const process = createSimulatedAccount(service, clock, createModelStore(PROFILE), random).process(null);
  const ctx = aContext(process.ports);
  expect(maxRequests(ctx)).toBe(4);
  halveLimit(ctx);
  expect(maxRequests(ctx)).toBe(2);
  halveLimit(ctx);
  halveLimit(ctx);
  expect(maxRequests(ctx)).toBe(1);
  void clock.sleep(119_000);
  expect(maxRequests(ctx)).toBe(1);
  void clock.sleep(1000);
  expect(maxRequests(ctx)).toBe(2);
  void clock.sleep(120_000);
  expect(maxRequests(ctx)).toBe(3);
  void clock.sleep(600_000);
  expect([maxRequests(ctx), maxRequests(ctx)]).toEqual([4, 4]);
});

test('a clock that is set forward while something is in doubt proves nothing: the window begins anew', async () => {
  const started = Date.now();
  const time = { wallMs: started, monotonicMs: 0 };
  const slept: number[] = [];
  const clock = {
    nowMs: () => time.wallMs,
    monotonicMs: () => time.monotonicMs,
    sleep: async (ms: number) => {
      slept.push(ms);
      // In the first wait, the one for the window, somebody sets the clock an hour on.
      time.wallMs += slept.length === 1 ? 3_600_000 : ms;
      time.monotonicMs += slept.length === 1 ? 1000 : ms;
    },
  };
  account = await openAccount({ sandbox, clock });
  await account.create(autoDraft());
  await control.fault({ match: { method: 'POST', path: '/api/v1/adItems' }, times: 1, kind: 'drop-before' });
  expect(await account.run()).toMatchObject({ state: 'finished', inDoubt: 0, refused: [] });
  expect(slept.filter((ms) => ms >= 119_000)).toHaveLength(2);
  expect(time.monotonicMs).toBeGreaterThan(119_000);
});

test('what a budget has left outlives the process, and a run waits for what is missing', async () => {
  const profile = { ...PROFILE, batch: { max: 50, keywords: 50 }, rate: { ...PROFILE.rate, opsPerHour: 8 } };
  account = await openAccount({ sandbox, profile });
  await account.create(autoDraft('A'));
  await account.create(autoDraft('B'));
  const before = account.clock.nowMs();
  expect(await account.run()).toMatchObject({ state: 'finished', done: 12, refused: [] });
  // Twelve elements at eight an hour: four of them had to wait for half an hour in all.
  expect(account.clock.nowMs() - before).toBeGreaterThan(25 * 60_000);
});
