import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { type Capabilities, DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { autoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

const LANES = 4;
const CAMPAIGNS = 8;

let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount | null;
let isHeld: boolean;
let held: (() => void)[];
let most: number;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  [account, isHeld, held, most] = [null, true, [], 0];
});
afterEach(async () => {
  release();
  await account?.close();
  await sandbox.close();
});

/** Keeps every write on its way until `release`. */
const heldFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  if (isHeld && request.method !== 'GET' && !request.url.endsWith('/itemSearch')) {
    await new Promise<void>((go) => {
      held.push(go);
      most = Math.max(most, held.length);
    });
  }
  return fetch(request);
};

function release(): void {
  isHeld = false;
  for (const go of held) go();
}

/** How far the machine's clock is ahead, in milliseconds. */
let aheadMs = 0;
const clock = { ...systemClock, nowMs: () => Date.now() + aheadMs };

async function withHeldCampaigns(capabilities: Capabilities): Promise<TestAccount> {
  aheadMs = 0;
  const opened = await openAccount({ sandbox, capabilities, fetch: heldFetch, clock });
  for (let n = 0; n < CAMPAIGNS; n++) await opened.create(autoDraft(`Rolls ${n}`));
  return opened;
}

const sentNow = async ({ workspace }: TestAccount): Promise<number> => (await workspace.outbox.countStates()).SENT;

const queued = (of: TestAccount): Promise<void> =>
  vi.waitFor(
    async () => {
      expect(held).toHaveLength(LANES);
      expect(await sentNow(of)).toBe(LANES + 2);
    },
    { timeout: 20_000 },
  );

test('two intents wait on the disk for the next free slots, and never more requests are under way than slots', async () => {
  account = await withHeldCampaigns(WITH_EXTENSIONS);
  const of = account;
  const run = of.run();
  await queued(of);
  release();
  expect(await run).toMatchObject({ state: 'finished', done: CAMPAIGNS * 6, refused: [], inDoubt: 0 });
  expect(most).toBe(LANES);
});

test('no intent waits of a kind that no read shows, since after a crash a person would have to say what became of it', async () => {
  account = await withHeldCampaigns(DOCUMENTED_ONLY);
  const of = account;
  const run = of.run();
  await vi.waitFor(() => expect(held).toHaveLength(LANES), { timeout: 20_000 });
  expect(await sentNow(of)).toBe(LANES);
  release();
  expect(await run).toMatchObject({ state: 'finished', done: CAMPAIGNS * 6 });
});

test('what waited for its slot when a sync is cancelled is proven unsent, and goes with the next sync', async () => {
  account = await withHeldCampaigns(WITH_EXTENSIONS);
  const of = account;
  const run = of.run();
  await queued(of);
  of.sync.cancel();
  release();
  expect(await run).toMatchObject({ state: 'cancelled', done: LANES, inDoubt: 0 });
  expect((await control.state()).campaigns).toHaveLength(LANES);
  const entries = await of.workspace.outbox.ledger({ after: 0, count: 100 });
  const classes = entries.flatMap(({ receipts }) => receipts.map((receipt) => receipt.class));
  expect(classes.toSorted()).toEqual([...Array(LANES).fill('ELEMENTS'), 'NOT_SENT', 'NOT_SENT']);
  expect(await of.run()).toMatchObject({ state: 'finished', refused: [] });
  expect((await control.state()).campaigns).toHaveLength(CAMPAIGNS);
});

test('an intent that waited long is dated anew before its request, so that its settle window counts from there', async () => {
  account = await withHeldCampaigns(WITH_EXTENSIONS);
  const of = account;
  const run = of.run();
  await queued(of);
  aheadMs = 30_000;
  held.shift()?.();
  // Its place is taken by an intent that is half a minute old by now.
  await vi.waitFor(() => expect(held).toHaveLength(LANES), { timeout: 20_000 });
  // What was let go is written down a moment later, and no longer live then.
  await vi.waitFor(async () => {
    const ages = (await of.workspace.outbox.live()).map(({ sentAt }) => clock.nowMs() - sentAt);
    expect(ages.filter((age) => age >= 30_000)).toHaveLength(LANES);
  });
  release();
  expect(await run).toMatchObject({ state: 'finished', refused: [] });
});
