import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { sbaDraft } from './a-draft.ts';
import { hastyClock, openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  const own = hastyClock();
  // Both sides wait together: a campaign becomes a proposal while the client sleeps.
  const sleep = async (ms: number): Promise<void> => {
    await own.sleep(ms);
    await control.advance(`PT${Math.ceil(ms / 1000)}S`);
  };
  account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS, clock: { ...own, sleep } });
  await account.create(sbaDraft(null));
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

test('what a busy service put off and took later is no trouble: its review is asked for by the same sync', async () => {
  await control.fault({ match: { method: 'POST', path: '/api/v1/keywords' }, times: 1, kind: 'status', status: 429 });
  expect(await account.run({ submit: true })).toMatchObject({ refused: [], untouched: 0, reviews: 1 });
});

test('a refused keyword keeps its campaign from review', async () => {
  const message = 'Keyword limit reached';
  await control.fault({
    match: { method: 'POST', path: '/api/v1/keywords' },
    times: 1,
    kind: 'status',
    status: 400,
    message,
  });
  const report = await account.run({ submit: true });
  expect(report).toMatchObject({ reviews: 0 });
  expect(report.refused.map(({ kind }) => kind)).toContain('keyword');
});
