import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { autoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { controlOf } from './control.ts';

/** One request as the network sees it: places in the order in which requests began and ended. */
interface Passage {
  readonly what: string;
  readonly began: number;
  readonly ended: number;
}

const LIST = 'GET /api/v1/campaigns';

let sandbox: RunningSandbox;
let account: TestAccount;
let passages: Passage[];

beforeEach(async () => {
  let moment = 0;
  passages = [];
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const began = moment++;
    try {
      return await fetch(request);
    } finally {
      passages.push({ what: `${request.method} ${new URL(request.url).pathname}`, began, ended: moment++ });
    }
  };
  account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS, fetch: watched });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

const listed = (): readonly Passage[] => passages.filter(({ what }) => what === LIST);
const sent = (): readonly Passage[] =>
  passages.filter(({ what }) => !what.startsWith('GET') && !what.endsWith('/itemSearch'));
const inOrder = (moments: readonly number[]): boolean =>
  moments.every((at, n) => n === 0 || at > (moments[n - 1] ?? 0));

test.each([1, 12])(
  'a sync of %i new campaigns lists them before the first is made and after the last thing is sent',
  async (count) => {
    for (let n = 0; n < count; n++) await account.create(autoDraft(`Rolls ${n}`));
    expect(await account.run()).toMatchObject({ state: 'finished', done: count * 6, refused: [], inDoubt: 0 });
    const [first, second, ...more] = listed();
    expect(more).toEqual([]);
    const firstSent = Math.min(...sent().map(({ began }) => began));
    const lastAnswered = Math.max(...sent().map(({ ended }) => ended));
    const moments = [first?.ended ?? -1, firstSent, lastAnswered, second?.began ?? -1];
    expect(moments).toSatisfy(inOrder);
    expect((await account.workspace.changes(0, 1)).total).toBe(0);
  },
);

test('where something of a campaign was refused the list is read back all the same, once', async () => {
  for (let n = 0; n < 12; n++) await account.create(autoDraft(`Rolls ${n}`));
  const match = { method: 'POST', path: '/api/v1/adItems' };
  await controlOf(sandbox).fault({ match, times: 1, kind: 'status', status: 400, message: 'Item is not eligible' });
  const report = await account.run();
  expect(report).toMatchObject({ state: 'finished', inDoubt: 0 });
  expect(report.refused.length).toBeGreaterThan(0);
  expect(listed()).toHaveLength(2);
});

test('a draft with an error of its own asks for no list of campaigns', async () => {
  const [campaign] = await account.create(autoDraft());
  if (campaign === undefined) throw new Error('nothing was made');
  await account.edit('campaign', campaign, { startDate: '2020-01-01' });
  expect(await account.run()).toMatchObject({ state: 'finished', done: 0, requests: 0 });
  expect(listed()).toEqual([]);
});

test('a draft that stays here asks for no list of campaigns', async () => {
  const [campaign] = await account.create(autoDraft());
  if (campaign === undefined) throw new Error('nothing was made');
  const held = await account.workspace.hold([{ kind: 'campaign', id: campaign }], true);
  expect(held.ok).toBe(true);
  expect(await account.run()).toMatchObject({ state: 'finished', done: 0 });
  expect(listed()).toEqual([]);
});
