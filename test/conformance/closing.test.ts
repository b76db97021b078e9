import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { createClient, fieldOf } from './client.ts';
import { aVideo, putBytes, requestUpload } from './files.ts';
import { aCampaign, START } from './world.ts';

/** Closing with calls under way: each is carried out whole or not at all, and nothing touches a closed store. */
let dataDir: string;
let complaints: string[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sandbox-closing-'));
  complaints = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => complaints.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = (): Promise<RunningSandbox> =>
  startSandbox({ scenario: 'empty', now: START, clock: 'virtual', extensions: true, dataDir });

function clientOf({ ready }: RunningSandbox) {
  const [account] = ready.accounts;
  if (account === undefined) throw new Error('there is no account');
  return createClient(ready.baseUrl, account);
}

const post = (sandbox: RunningSandbox, name: string): Promise<'answered' | 'cut'> =>
  clientOf(sandbox)
    .post('/api/v1/campaigns', [aCampaign({ name })])
    .then(
      () => 'answered',
      () => 'cut',
    );

const createControl =
  ({ ready }: RunningSandbox) =>
  async (method: 'GET' | 'POST', fault?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const init = fault === undefined ? { method } : { method, headers, body: JSON.stringify(fault) };
    const response = await fetch(`${ready.controlUrl}/faults`, init);
    expect(response.status).toBe(200);
    return response.json();
  };

async function campaignsAfterwards(): Promise<readonly string[]> {
  const again = await start();
  try {
    const { body } = await clientOf(again).get('/api/v1/campaigns?advertiserId=900001');
    return (body as readonly { readonly name: string }[]).map(({ name }) => name);
  } finally {
    await again.close();
  }
}

test('calls under way when it closes end without a complaint, and what was answered is there', async () => {
  const sandbox = await start();
  const names = Array.from({ length: 40 }, (_, n) => `Campaign ${n}`);
  const posts = names.map((name) => post(sandbox, name));
  await Promise.race(posts);
  await sandbox.close();
  const ends = await Promise.all(posts);
  expect(complaints).toEqual([]);
  const there = await campaignsAfterwards();
  const answered = names.filter((_, n) => ends[n] === 'answered');
  expect(answered.length).toBeGreaterThan(0);
  expect(there).toEqual(expect.arrayContaining(answered));
});

test('calls that a fault delays are not waited for and not carried out', async () => {
  const sandbox = await start();
  const control = createControl(sandbox);
  await control('POST', { match: { path: '/api/v1/campaigns' }, times: 2, kind: 'delay', delayMs: DELAY_MS });
  const delayed = post(sandbox, 'Delayed');
  const read = clientOf(sandbox)
    .get('/api/v1/campaigns?advertiserId=900001')
    .then(
      () => 'answered',
      () => 'cut',
    );
  await vi.waitFor(async () => expect(await control('GET')).toEqual({ faults: [] }), DELAY_MS);
  await sandbox.close();
  expect(await delayed).toBe('cut');
  expect(await read).toBe('cut');
  // Past the moment at which they would have gone on.
  await delay(DELAY_MS);
  expect(complaints).toEqual([]);
  expect(await campaignsAfterwards()).toEqual([]);
});

/** Long enough for the sandbox to be closed meanwhile, on a crowded machine as well. */
const DELAY_MS = 4000;

test('an upload whose bytes have arrived is noted before the store closes', async () => {
  const sandbox = await start();
  const address = fieldOf(await requestUpload(clientOf(sandbox)), 'uploadUrl');
  // Each is judged by what is in it after it was saved, so that some are at that when the first is answered.
  const uploads = Array.from({ length: 12 }, () => putBytes(address, aVideo(20), 'video/mp4'));
  await Promise.race(uploads);
  await sandbox.close();
  await Promise.allSettled(uploads);
  await delay(100);
  expect(complaints).toEqual([]);
});

test('the advertiser of a new store is its own, with its own IDs, over a restart and a reset', async () => {
  const advertiser = 900_003;
  const options = { scenario: 'demo', now: START, clock: 'virtual', extensions: true, dataDir } as const;
  const idsIn = async (sandbox: RunningSandbox, of: number): Promise<readonly number[]> => {
    const { body } = await clientOf(sandbox).get(`/api/v1/campaigns?advertiserId=${of}`);
    return (body as readonly { readonly campaignId: number }[]).map(({ campaignId }) => campaignId);
  };
  const advertisersOf = ({ ready }: RunningSandbox) => new Set(ready.accounts.map(({ advertiserId }) => advertiserId));
  const first = await startSandbox({ ...options, advertiser });
  expect(advertisersOf(first)).toEqual(new Set([advertiser, advertiser + 1]));
  const ids = await idsIn(first, advertiser);
  expect(ids.length).toBeGreaterThan(20);
  await first.close();
  const { dataDir: _, ...inMemory } = options;
  const usual = await startSandbox(inMemory);
  const usualIds = await idsIn(usual, 900_001);
  await usual.close();
  expect(ids).toEqual(usualIds.map((id) => id + 2_000_000));

  // Whoever starts it again need not know the number.
  const again = await startSandbox(options);
  expect(await idsIn(again, advertiser)).toEqual(ids);
  const reset = { method: 'POST', body: JSON.stringify({ scenario: 'demo' }) };
  expect((await fetch(`${again.ready.controlUrl}/reset`, reset)).status).toBe(200);
  expect(await idsIn(again, advertiser)).toEqual(ids);
  await again.close();
});
