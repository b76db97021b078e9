import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readSheet } from '../../main/files/spreadsheet/read-sheet.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { ResponseLogInfo, ResponseSummary } from '../../shared/api/requests.ts';
import { OutdatedSummary } from '../../shared/api/sync.ts';
import { testFolder } from '../folder.ts';
import { aPng } from '../media/builders.ts';
import { controlOf } from '../sync/control.ts';
import { cli, cliJson, connecting, keptOpen, Problem, practiceData, written } from './cli.ts';

describe('sync times', () => {
  /** When a sync goes and until when, against a service that is away or busy. */
  const folder = testFolder('sync-times');
  const data = join(folder, 'data');
  let sandbox: RunningSandbox;

  const importCampaign = (name: string) => {
    const rows = [
      'Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,End,Item id,Bid',
      `campaign,${name},,sponsoredProducts,auto,enabled,1200.00,37.50,2030-03-04,2030-06-30,,`,
      `ad group,${name},${name} group,,,enabled,,,,,,`,
      `ad item,${name},${name} group,,,enabled,,,,,0553680321,2.80`,
    ];
    return cli(data, 'import', written(folder, 'sheet.csv', `${rows.join('\n')}\n`));
  };
  const Report = z.object({
    done: z.int(),
    untouched: z.int(),
    state: z.string(),
    stoppedBy: z.object({ cause: z.string(), detail: z.string() }).nullable(),
  });
  /** The next reads of uploads fail: those are the probes. */
  const failProbes = (times: number) =>
    controlOf(sandbox).fault({ match: { path: '/api/v1/media' }, times, kind: 'status', status: 503 });
  /** The next campaign that is sent is to be sent again in two hours. */
  const rateLimit = () =>
    controlOf(sandbox).answer('POST', '/api/v1/campaigns', 429, { headers: { 'retry-after': '7200' } });
  const writes = async () =>
    (await controlOf(sandbox).requests()).filter(({ method, path }) => method === 'POST' && path.includes('campaigns'))
      .length;

  beforeAll(async () => {
    sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty' });
    expect(await cli(data, ...connecting(sandbox, folder))).toMatchObject({ code: 0 });
    return () => sandbox.close();
  });

  test.each([
    [
      ['--deadline', 'tomorrow'],
      '--deadline must be a time such as 2026-11-30T18:00 (in America/Los_Angeles) or 2h, not "tomorrow"',
    ],
    [['--deadline', '2020-01-01T10:00'], 'has passed'],
    [['--after', '2h'], '--after needs --when-healthy'],
    [['--healthy-for', '5'], '--healthy-for needs --when-healthy'],
    [['--when-healthy', '--healthy-for', '0'], '--healthy-for must be a number of minutes from 1 to 1440'],
    [['--when-healthy', '--after', '3h', '--deadline', '2h'], '--after is not before --deadline'],
  ])('%s is refused', async (options, message) => {
    expect(await cli(data, 'sync', ...options)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test('a sync with --when-healthy sends once the probes succeed, and with --wait goes on when the service is back', async () => {
    await importCampaign('Rolls');
    await failProbes(3);
    expect(await cliJson(Report, data, 'sync', '--when-healthy', '--healthy-for', '2')).toMatchObject({
      code: 0,
      json: { done: 3, state: 'finished' },
    });
    await importCampaign('Towels');
    await rateLimit();
    const stopped = await cliJson(Report, data, 'sync');
    expect(stopped).toMatchObject({ code: 1, json: { state: 'stopped', stoppedBy: { cause: 'rate-limited' } } });
    await rateLimit();
    expect(await cliJson(Report, data, 'sync', '--wait')).toMatchObject({
      code: 0,
      json: { done: 3, state: 'finished' },
    });
  });

  test('at the deadline nothing is sent, what is left is said, and nothing is pending', async () => {
    await importCampaign('Napkins');
    const before = await writes();
    await failProbes(1000);
    expect(await cliJson(Report, data, 'sync', '--when-healthy', '--deadline', '30m')).toMatchObject({
      code: 1,
      json: { done: 0, untouched: 3, stoppedBy: { cause: 'deadline', detail: expect.stringContaining('not healthy') } },
    });
    await controlOf(sandbox).clearFaults();
    expect(await writes()).toBe(before);
    expect(await cli(data, 'sync', '--cancel')).toMatchObject({
      code: 0,
      out: expect.stringContaining('No sync is paused, waiting or scheduled.'),
    });
    expect(await cli(data, 'sync', '--deadline', '1d')).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 sent'),
    });
  });
});

describe('conflicts', () => {
  /** Two people change the same fields; the command line shows both sides and says which counts. */
  const folder = testFolder('conflicts');
  const data = keptOpen(join(folder, 'data'));
  let sandbox: RunningSandbox;
  /** Advances with every test, so that each begins with fields that nobody disputes. */
  let bid = 2;
  let remoteIds: readonly string[] = [];

  beforeAll(async () => {
    sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', extensions: true });
    await cli(data, ...connecting(sandbox, folder, { extensions: 'on' }));
    await here('100', '50', '1.60', '1.70');
    expect((await cli(data, 'sync', '--yes')).code).toBe(0);
    remoteIds = (await items()).map(({ remoteId }) => remoteId);
    return () => sandbox.close();
  });

  const TITLE = 'Type,Campaign,Campaign type,Targeting,Start,Total budget,Daily budget,Item id,Bid';
  /** What the user has in the drafts. */
  async function here(total: string, daily: string, ...bids: readonly string[]): Promise<void> {
    const items = bids.map((amount, at) => `ad item,Towels,,,,,,${ITEMS[at]},${amount}`);
    const campaign = `campaign,Towels,sponsoredProducts,auto,2030-05-01,${total},${daily},,`;
    writeFileSync(join(folder, 'sheet.csv'), [TITLE, campaign, ...items].join('\n'));
    expect((await cli(data, 'import', join(folder, 'sheet.csv'))).out).toContain('0 errors');
  }
  const ITEMS = ['0799650557', '0553680321'];

  /** The two items as a sheet shows them: their ids on the service, and their bids. */
  async function items(): Promise<readonly { readonly remoteId: string; readonly bid: string }[]> {
    const file = join(folder, `out-${bid}.csv`);
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
    expect((await cli(data, 'refresh')).out).toContain(' 0 unsynced changes, 0 conflicts');
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
    expect(text).toMatch(/ad-item\/\d+\/bid {2}ad item .*, Bid: was 1.60, mine 3.10, theirs 3.50\n/);
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
      [['mine'], /IDs of the conflicts, or add --all/],
      [['mine', '--all', 'ad-item/1/bid'], /IDs of the conflicts, or add --all/],
      [['both', '--all'], /mine\|theirs/],
      [['mine', 'ad-item-1'], /is not a conflict/],
      [['mine', 'shoe/1/bid'], /type of a conflict must be one of/],
      [['mine', 'ad-item/999999/bid'], /Open conflict ad-item\/999999\/bid not found/],
      [['--policy', 'bid'], /"bid" is not a rule/],
      [['mine', '--policy', 'bid=mine'], /can't be combined/],
      [['mine', '--all', '--save'], /needs a policy/],
    ];
    for (const [words, message] of refused) {
      const { code, json } = await cliJson(Problem, data, 'resolve', ...words);
      expect(code).toBe(2);
      expect(json.error.message).toMatch(message);
    }
    expect((await cliJson(Resolved, data, 'resolve', 'theirs', '--all')).json).toEqual({ settled: 2, open: 0 });
  });
});

test('the status of a rejected review names the rows with what the reviewer wrote', async () => {
  const folder = testFolder('review-status');
  const data = join(folder, 'data');
  const sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true });
  onTestFinished(() => sandbox.close());
  const control = controlOf(sandbox);
  await cli(data, ...connecting(sandbox, folder));
  written(folder, 'logo.png', aPng(100, 100));
  const rows = [
    'Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,Item id,Bid,Keyword,Match type,Brand,Headline,Click URL,Logo',
    'campaign,Rolls,,sba,manual,enabled,4500,37.50,2030-03-04,,,,,,,,',
    'ad group,Rolls,All,,,enabled,,,,,,,,,,,',
    'sba profile,Rolls,All,,,enabled,,,,,,,,Northwind,Rolls for every day,https://shop.example/browse/rolls,logo.png',
    'ad item,Rolls,All,,,enabled,,,,0799650557,1.60,,,,,,',
    'keyword,Rolls,All,,,enabled,,,,,1.85,kitchen roll,exact,,,,',
  ];
  expect(await cli(data, 'import', written(folder, 'sheet.csv', rows.join('\n')))).toMatchObject({ code: 0 });
  await cli(data, 'sync', '--yes');
  // A new campaign takes a review a moment later.
  await control.advance('PT31M');
  await cli(data, 'review', 'submit');
  const Reviews = z.looseObject({ reviews: z.array(z.looseObject({ reviewId: z.string() })) });
  const { json } = await cliJson(Reviews, data, 'review', 'status');
  await control.decideAll(json.reviews[0]?.reviewId ?? '', 'rejected');
  const { code, out } = await cli(data, 'review', 'status');
  expect(code).toBe(1);
  expect(out).toMatch(/; Rolls for every day: "[^"]+"; Northwind [^:]+: "[^"]+"; kitchen roll, exact: "[^"]+"\)$/m);
});

describe('responses', () => {
  /** What may be out of date, and what the service answered, on the command line against the practice service. */
  const folder = testFolder('responses');
  const data = keptOpen(practiceData(folder));
  const out = join(folder, 'out.jsonl');
  const Refreshed = z.looseObject({ outdated: OutdatedSummary.optional() });
  const Responses = ResponseLogInfo.omit({ answers: true, boundMb: true }).extend({
    responses: z.int(),
    limitMb: z.int(),
    total: z.int(),
    listed: z.array(ResponseSummary),
  });
  const Line = z.looseObject({ correlationId: z.string(), responses: z.array(z.looseObject({ body: z.string() })) });

  beforeAll(async () => {
    const sheet = join(folder, 'sheet.csv');
    writeFileSync(
      sheet,
      'Type,Campaign,Campaign type,Targeting,Total budget,Daily budget,Start\r\ncampaign,Towels,sponsoredProducts,auto,500,50,2030-03-04',
    );
    expect((await cli(data, 'import', sheet)).code).toBe(0);
    expect((await cli(data, 'sync', '--yes')).code).toBe(0);
  });

  test('a refresh of what may be out of date says first how many it reads, and then has nothing to read', async () => {
    const first = await cliJson(Refreshed, data, 'refresh', '--outdated', '1');
    expect(first).toMatchObject({ code: 0, json: { outdated: { campaigns: 1, all: 1, why: { old: 1 } } } });
    const again = await cli(data, 'refresh', '--outdated', '1');
    expect(again.out).toContain('0 of 1 campaign to refresh.');
    expect((await cli(data, 'refresh', '--outdated', 'soon')).code).toBe(2);
    expect((await cli(data, 'refresh', '--outdated', '1', '--campaign', 'Towels')).code).toBe(2);
    expect((await cli(data, 'refresh', '--campaign', 'Towels')).code).toBe(0);
  });

  test('responses are found by words, exported as received, and listed with their requests', async () => {
    const { json } = await cliJson(Responses, data, 'responses', 'v1/campaigns', '200');
    expect(json.listed.map(({ method }) => method)).toContain('POST');
    expect(json).toMatchObject({ limitMb: 64, lost: 0 });
    expect((await cli(data, 'responses', '--out', out)).code).toBe(0);
    const written = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ResponseSummary);
    expect(written).toHaveLength(json.responses);
    expect((await cli(data, 'requests', '--out', out)).code).toBe(2);
    expect((await cli(data, 'requests', '--out', out, '--force')).code).toBe(0);
    const sent = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Line.parse(JSON.parse(line)));
    expect(sent.map(({ responses }) => responses.length)).toEqual(sent.map(() => 1));
    expect(sent[0]?.responses[0]?.body).toContain('"code":"success"');
  });

  test('a limit of 0 deletes all stored responses', async () => {
    const { json } = await cliJson(Responses, data, 'responses', '--limit', '0');
    expect(json).toMatchObject({ responses: 0, bytes: 0, limitMb: 0, total: 0 });
    expect((await cli(data, 'responses', '--limit', 'all')).code).toBe(2);
  });
});

describe('rollback', () => {
  /** A sync taken back on the command line. */
  const folder = testFolder('rollback');
  const data = keptOpen(practiceData(folder));
  const Preview = z.object({ changes: z.int(), notReversible: z.int(), changedSince: z.int() });

  test('before the first sync there is nothing to roll back', async () => {
    expect((await cli(data, 'rollback', '--list')).out).toContain('No past syncs.');
    expect(await cli(data, 'rollback')).toMatchObject({ code: 2 });
  });

  test('the last sync is shown, restored as unsynced changes and sent like any edit', async () => {
    await cli(data, 'import', resolve('examples/campaigns.csv'));
    await cli(data, 'sync', '--yes');
    const { code, json } = await cliJson(Preview, data, 'rollback');
    expect(code).toBe(0);
    expect(json.changes).toBeGreaterThan(10);
    expect(json.notReversible).toBeGreaterThan(5);
    expect((await cli(data, 'plan')).out).toContain('Nothing to sync');
    const staged = await cliJson(z.object({ cells: z.int() }), data, 'rollback', '--apply');
    expect(staged.json.cells).toBe(json.changes);
    expect((await cli(data, 'plan')).out).toMatch(/PUT .*\/api\/v1\/adItems/);
    expect((await cli(data, 'rollback', 'no-such-run')).err).toContain('--list');
  });
});

describe('chosen rows', () => {
  /** A sync of some rows only, on the command line. */
  const folder = testFolder('only');
  const data = keptOpen(practiceData(folder));
  beforeAll(async () => {
    const sheet = join(folder, 'sheet.csv');
    const lines = [
      'Type,Campaign,Ad group,Campaign type,Targeting,Status,Start,Daily budget,Keyword,Match type,Bid',
      'campaign,Lamps,,sponsoredProducts,manual,enabled,2030-05-01,75,,,',
      'ad group,Lamps,Lamps group,,,enabled,,,,,',
      'keyword,Lamps,Lamps group,,,enabled,,,reading lamp,exact,2.50',
      'keyword,Lamps,Lamps group,,,enabled,,,night light,exact,1.50',
    ];
    writeFileSync(sheet, lines.join('\n'));
    expect(await cli(data, 'import', sheet)).toMatchObject({ code: 0 });
  });

  test('--only plans and sends the rows of a filter with their new parents, and names what stays', async () => {
    const plan = await cli(data, 'plan', '--only', 'keyword: bid>2');
    expect(plan.out).toContain('also included (new parent of a selected row): Lamps, Lamps group');
    expect(plan.out).toContain('not included (not selected): night light');
    expect((await cli(data, 'sync', '--yes', '--only', 'keyword: bid>2')).out).toContain('3 sent');
    expect((await cli(data, 'plan')).out).toMatch(/create 1 keyword/);
  });

  test('--only that names nothing, or no type, sends nothing and says so', async () => {
    expect(await cli(data, 'sync', '--yes', '--only', 'keyword: bid>99')).toMatchObject({ code: 2 });
    expect((await cli(data, 'sync', '--yes', '--only', 'banner')).err).toContain(
      '--only must be one of campaign, ad group',
    );
  });

  test('a plan lists the warnings of the rows that it sends', async () => {
    const sheet = join(folder, 'high.csv');
    writeFileSync(
      sheet,
      'Type,Campaign,Ad group,Keyword,Match type,State,Bid\nkeyword,Lamps,Lamps group,desk lamp,exact,enabled,9999\n',
    );
    expect(await cli(data, 'import', sheet)).toMatchObject({ code: 0 });
    expect((await cli(data, 'plan')).out).toMatch(/warning \(.*\): desk lamp/);
    const Warned = z.object({ warnings: z.array(z.object({ reason: z.string(), rows: z.int() })) });
    expect((await cliJson(Warned, data, 'plan')).json.warnings).toContainEqual({ reason: 'keyword.bid-high', rows: 1 });
  });
});
