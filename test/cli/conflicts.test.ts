import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readSheet } from '../../main/files/spreadsheet/read-sheet.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { controlOf } from '../sync/control.ts';
import { cli, cliJson, Problem, temporaryFolder } from './cli.ts';

/** Two people change the same fields; the command line shows both sides and says which counts. */
const folder = temporaryFolder('conflicts');
const data = join(folder.path, 'data');
let sandbox: RunningSandbox;
/** Advances with every test, so that each begins with fields that nobody disputes. */
let bid = 2;
let remoteIds: readonly string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', extensions: true });
  const [account] = sandbox.ready.accounts;
  if (account === undefined) throw new Error('the sandbox has no account');
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  const options = {
    name: 'Shop',
    'base-url': sandbox.ready.baseUrl,
    advertiser: String(account.advertiserId),
    'consumer-id': account.consumerId,
    'key-version': account.keyVersion,
    'key-file': file('key.pem', account.privateKeyPem),
    'token-file': file('token.txt', account.token),
    'retail-host': sandbox.ready.retailHost,
    extensions: 'on',
  };
  await cli(data, 'account', 'add', ...Object.entries(options).flatMap(([key, value]) => [`--${key}`, value]));
  await here('100', '50', '1.60', '1.70');
  expect((await cli(data, 'sync', '--yes')).code).toBe(0);
  remoteIds = (await items()).map(({ remoteId }) => remoteId);
});
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

const TITLE = 'Type,Campaign,Campaign type,Targeting,Start,Total budget,Daily budget,Item id,Bid';
/** What the user has in the drafts. */
async function here(total: string, daily: string, ...bids: readonly string[]): Promise<void> {
  const items = bids.map((amount, at) => `ad item,Towels,,,,,,${ITEMS[at]},${amount}`);
  const campaign = `campaign,Towels,sponsoredProducts,auto,2030-05-01,${total},${daily},,`;
  writeFileSync(join(folder.path, 'sheet.csv'), [TITLE, campaign, ...items].join('\n'));
  expect((await cli(data, 'import', join(folder.path, 'sheet.csv'))).out).toContain('0 errors');
}
const ITEMS = ['0799650557', '0553680321'];

/** The two items as a sheet shows them: their ids on the service, and their bids. */
async function items(): Promise<readonly { readonly remoteId: string; readonly bid: string }[]> {
  const file = join(folder.path, `out-${bid}.csv`);
  expect((await cli(data, 'export', file)).code).toBe(0);
  const read = await readSheet(file);
  const [header = [], ...rows] = read.ok ? read.value : [];
  const cell = (row: readonly string[], column: string): string => row[header.indexOf(column)] ?? '';
  return ITEMS.flatMap((id) => rows.filter((row) => cell(row, 'Item id') === id)).map((row) => ({
    remoteId: cell(row, 'Row id'),
    bid: cell(row, 'Bid'),
  }));
}
/** What the service has: read anew, with nothing here that it does not know. */
async function bidsThere(): Promise<readonly string[]> {
  expect((await cli(data, 'refresh')).out).toContain(' 0 changed here, 0 conflicts');
  return (await items()).map(({ bid: amount }) => amount);
}
/** Somebody else changes both bids in the service's own console. */
async function there(...bids: readonly number[]): Promise<void> {
  for (const [at, amount] of bids.entries()) {
    await controlOf(sandbox).console(`ad-items/${remoteIds[at]}`, { bid: amount });
  }
}

const Conflicts = z.object({
  conflicts: z.array(
    z.object({ id: z.string(), field: z.string(), base: z.number(), mine: z.number(), theirs: z.number() }),
  ),
});
const Resolved = z.object({ settled: z.int(), open: z.int() });

beforeEach(async () => {
  bid += 1;
  await here('100', '50', `${bid}.10`, `${bid}.20`);
  await there(bid + 0.5, bid + 0.6);
  expect((await cli(data, 'refresh')).code).toBe(3);
});

test('what was changed here and there is listed with what it was, mine and theirs', async () => {
  const { code, json } = await cliJson(Conflicts, data, 'conflicts');
  expect(code).toBe(3);
  expect(json.conflicts).toMatchObject([
    { id: expect.stringMatching(/^ad-item\/\d+\/bid$/), field: 'bid', base: 160, mine: 310, theirs: 350 },
    { base: 170, mine: 320, theirs: 360 },
  ]);
  const text = (await cli(data, 'conflicts', '--type', 'ad item', '--field', 'bid')).out;
  expect(text).toMatch(/ad-item\/\d+\/bid {2}ad item .*, bid: was 1.60, mine 3.10, theirs 3.50\n/);
  expect(await cli(data, 'conflicts', '--type', 'keyword')).toMatchObject({ code: 0, out: 'No conflicts.\n' });
  // A sync sends nothing of them and says where to look.
  const synced = await cli(data, 'sync', '--yes');
  expect(synced).toMatchObject({ code: 3, out: expect.stringContaining('"adslate conflicts"') });
  await cli(data, 'resolve', 'theirs', '--all');
});

test('one by its id, the other by its row: mine goes with the next sync, theirs is here', async () => {
  const [first, second] = (await cliJson(Conflicts, data, 'conflicts')).json.conflicts;
  const mine = await cliJson(Resolved, data, 'resolve', 'mine', first?.id ?? '');
  expect(mine).toEqual({ code: 3, json: { settled: 1, open: 1 } });
  const row = second?.id.replace(/\/bid$/, '') ?? '';
  expect(await cliJson(Resolved, data, 'resolve', 'theirs', row)).toEqual({ code: 0, json: { settled: 1, open: 0 } });
  expect((await cli(data, 'sync', '--yes')).code).toBe(0);
  expect(await bidsThere()).toEqual([`${bid}.10`, `${bid}.60`]);
  expect(await cli(data, 'conflicts')).toMatchObject({ code: 0 });
});

test('all at once, or by a policy that says which side counts for which field', async () => {
  const asked = await cliJson(Resolved, data, 'resolve', '--policy', 'bid=ask,other=mine');
  expect(asked).toEqual({ code: 3, json: { settled: 0, open: 2 } });
  const decided = await cliJson(Resolved, data, 'resolve', '--policy', 'Daily budget=theirs, BID=mine');
  expect(decided).toEqual({ code: 0, json: { settled: 2, open: 0 } });
  expect((await cli(data, 'sync', '--yes')).code).toBe(0);
  expect(await bidsThere()).toEqual([`${bid}.10`, `${bid}.20`]);
});

test('a policy that is saved settles the next ones by itself', async () => {
  await cliJson(Resolved, data, 'resolve', '--policy', 'bid=theirs', '--save');
  await here('100', '50', `${bid + 3}.10`, `${bid + 3}.20`);
  await there(bid + 0.7, bid + 0.8);
  expect((await cli(data, 'refresh')).code).toBe(0);
  expect(await bidsThere()).toEqual([`${bid}.70`, `${bid}.80`]);
  expect((await cli(data, 'resolve', '--policy', 'other=ask', '--save')).code).toBe(0);
});

test('words that name no conflict are refused with the way that leads on, and settle nothing', async () => {
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['mine'], /ids, or write --all/],
    [['mine', '--all', 'ad-item/1/bid'], /ids, or write --all/],
    [['both', '--all'], /mine\|theirs/],
    [['mine', 'ad-item-1'], /is no conflict/],
    [['mine', 'shoe/1/bid'], /type of a conflict is one of/],
    [['mine', 'ad-item/999999/bid'], /no open conflict ad-item\/999999\/bid/],
    [['--policy', 'bid'], /"bid" is no rule/],
    [['mine', '--policy', 'bid=mine'], /stands alone/],
    [['mine', '--all', '--save'], /keeps a policy/],
  ];
  for (const [words, message] of refused) {
    const { code, json } = await cliJson(Problem, data, 'resolve', ...words);
    expect(code).toBe(2);
    expect(json.error.message).toMatch(message);
  }
  expect((await cliJson(Resolved, data, 'resolve', 'theirs', '--all')).json).toEqual({ settled: 2, open: 0 });
});
