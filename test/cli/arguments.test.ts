import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../main/app/clock.ts';
import { CliError, EXIT_CODE } from '../../main/hosts/cli/cli-error.ts';
import { helpText, readArguments, usageOf } from '../../main/hosts/cli/command.ts';
import { runDemo } from '../../main/hosts/cli/demo/demo.ts';
import { printable, table } from '../../main/hosts/cli/output.ts';
import { COMMANDS, runCli } from '../../main/hosts/cli/run.ts';
import { defaultDataDir } from '../../main/hosts/start/start-options.ts';
import { AddCampaignOutcome, RemoteIdEntry } from '../../shared/api/campaigns.ts';
import { testFolder } from '../folder.ts';
import { HERE } from '../store/without-threads.ts';
import { cli, cliJson, keptOpen, practiceData } from './cli.ts';

const read = (...args: string[]) => readArguments(COMMANDS, args);

test('a command of two words is found wherever the options stand', () => {
  expect(read('--data', '/tmp/x', 'account', 'add', '--name', 'A', '--practice')).toMatchObject({
    command: { name: 'account add' },
    options: { data: '/tmp/x', name: 'A', practice: true },
    positionals: [],
  });
  expect(read('media', 'add', 'a.mp4', 'b.vtt', '--json').positionals).toEqual(['a.mp4', 'b.vtt']);
});
test('every command that scripts rely on is there', () => {
  const names = COMMANDS.map(({ name }) => name);
  const promised = [
    'account add',
    'account list',
    'account remove',
    'refresh',
    'import',
    'export',
    'media add',
    'media list',
  ];
  promised.push(
    'check',
    'plan',
    'sync',
    'review submit',
    'review status',
    'review cancel',
    'report fetch',
    'backup',
    'restore',
  );
  promised.push('questions', 'answer', 'practice clock', 'practice decide');
  expect(names).toEqual(expect.arrayContaining(promised));
});
test.each([
  [['acount', 'add'], 'Unknown command "acount add"'],
  [['take-back'], 'Unknown command "take-back"'],
  [['account'], 'Did you mean: account add, account list, account remove?'],
  [['check', '--colour'], 'adslate check'],
  [['import'], 'adslate import FILE'],
  [['answer', '3'], 'adslate answer ID'],
  [['status', '--data', ''], '--data is empty'],
  [['status', '--account='], '--account is empty'],
])('%j is answered with what to run instead', (args, hint) => expect(() => read(...args)).toThrow(hint));
test('no command at all shows the help with every command and its purpose', () => {
  expect(read().command).toBeNull();
  const help = helpText(COMMANDS, null).split('\n');
  for (const { name, purpose } of COMMANDS) {
    expect(help.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${purpose}`))).toHaveLength(1);
  }
  for (const line of help) expect(line.length, line).toBeLessThanOrEqual(100);
});

/** Words of a usage that a parameter explains: options, words in capitals, and choices such as `mine|theirs`. */
const wordsOf = (usage: string): readonly string[] =>
  (usage.match(/--[a-z-]+(?: [A-Z_]+)?|[A-Za-z_]+(?:=[A-Z_]+)?/g) ?? []).filter((word) => word !== 'options');

describe.each(COMMANDS.map((command) => [command.name, command] as const))('the help of %s', (name, command) => {
  const help = helpText(COMMANDS, command);
  const lines = help.split('\n');

  test('fits a screen and begins with the usage and one sentence in the third person', () => {
    expect(lines.length).toBeLessThanOrEqual(40);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
    expect(lines.slice(0, 2)).toEqual([usageOf(command), '']);
    expect(lines[2]).toMatch(/^[A-Z][a-z]+s [^.]+\.$/);
  });

  test('explains every word of the usage, with a line for each option', () => {
    const explained = Object.keys(command.parameters ?? {});
    for (const word of wordsOf(command.takes ?? '')) {
      expect(
        explained.some((one) => one === word || one.startsWith(`${word} `) || one.startsWith(`${word}=`)),
        word,
      ).toBe(true);
    }
    for (const [parameter, text] of Object.entries(command.parameters ?? {})) {
      expect(text.trim().length, parameter).toBeGreaterThan(4);
      expect(
        lines.some((line) => line.startsWith(`  ${parameter} `) && line.endsWith(`  ${text}`)),
        parameter,
      ).toBe(true);
    }
  });

  test('has an example that is understood', () => {
    const words = [...command.example.replace(/ > .*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    expect(words[0]).toBe('adslate');
    expect(read(...words.slice(1)).command?.name).toBe(name);
  });
});
test('texts from outside cannot steer the terminal', () => {
  expect(printable('a\u001b[31mb\u009bc')).toBe('a\uFFFD[31mb\uFFFDc');
});
test('tables line up', () => {
  expect(table(['A', 'Long'], [['xxx', '1']])).toEqual(['A    Long', 'xxx  1']);
});

/** The last section of the page is written from the commands: `npx vitest run test/cli/arguments.test.ts -u`. */
const page = join(import.meta.dirname, '..', '..', 'docs', 'command-line.md');
const HEADING = '## All commands and options';

const commandText = (command: (typeof COMMANDS)[number]): string => {
  const parts = helpText(COMMANDS, command).split('\n\n').slice(0, -1);
  return `\`\`\`text\n${parts.join('\n\n')}\n\`\`\`\n`;
};

test('the page of the command line has the help of every command', async () => {
  const [guide = ''] = readFileSync(page, 'utf8').split(`\n${HEADING}`);
  const section = `${HEADING}\n\nWritten from the program; \`--help\` shows the same.\n\n${COMMANDS.map(commandText).join('\n')}`;
  await expect(`${guide}\n${section}`).toMatchFileSnapshot(page);
});

describe('data dir', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test('a folder for data that is named empty or relative is not taken for one', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    for (const named of ['', 'data', './data']) {
      vi.stubEnv('XDG_DATA_HOME', named);
      expect(defaultDataDir()).toBe(join(homedir(), '.local', 'share', 'adslate'));
    }
    vi.stubEnv('XDG_DATA_HOME', '/srv/data');
    expect(defaultDataDir()).toBe(join('/srv/data', 'adslate'));
  });
});

describe('demo', () => {
  const folder = testFolder('demo');

  test('the demo brings every campaign of the examples live with the fewest requests and nothing sent twice', async () => {
    const lines: string[] = [];
    await runDemo({ dataDir: folder, examples: resolve('examples'), say: (line) => lines.push(line) });
    const text = lines.join('\n');
    expect(text).toMatch(/6 campaigns live/);
    expect(text).toMatch(/Nothing was sent twice/);
    // One campaign and one kind a batch, and one by one what has no batches: logos, videos, uploads and reviews.
    expect(text).toMatch(/ 52 write requests\./);
  });
});

test('a sample account is added with one command and has exactly one error', async () => {
  const data = testFolder('sample-cli');
  const added = await cli(data, 'account', 'add', '--name', 'Northwind Home', '--sample');
  expect([added.code, added.out]).toEqual([0, 'Added "Northwind Home", advertiser 900001.\n']);
  const Checked = z.object({ counts: z.object({ error: z.int(), warning: z.int() }) });
  const { json } = await cliJson(Checked, data, 'check');
  expect(json.counts).toEqual({ error: 1, warning: 0 });
});

describe('an account without a team', () => {
  const data = keptOpen(practiceData(testFolder('no-team')));

  test.each(['status', 'log', 'watch'])('"team %s" is a usage mistake', async (command) => {
    const { code, err } = await cli(data, 'team', command);
    expect([code, err]).toEqual([EXIT_CODE.usage, expect.stringContaining('This account has no team.')]);
  });
});

test('an export without a file name is named after the day at the business', async () => {
  const folder = testFolder('export-day');
  const data = practiceData(folder);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const output: string[] = [];
  const streams = { out: (text: string) => output.push(text), err: () => undefined };
  // 3 AM in London is the evening before in America.
  const clock = { ...systemClock, nowMs: () => Date.UTC(2031, 4, 5, 3) };
  await runCli(['export', '--data', data], streams, { clock, threads: HERE });
  vi.restoreAllMocks();
  expect(output.join('')).toMatch(/adslate-.+-2031-05-04\.csv/);
});

describe('item IDs', () => {
  /** Damaged item IDs on the command line, against the simulated service and its catalog. */
  const folder = testFolder('ids');
  const data = keptOpen(practiceData(folder));
  const file = (name: string): string => join(folder, name);

  /** Items of the practice catalog with the default seed; the first begins with a zero, which spreadsheets drop. */
  const ITEM = '0799650557';
  const OTHER = '0553680321';

  const Scan = z.object({
    ids: z.int(),
    damaged: z.array(
      z.object({ itemId: z.string(), damage: z.string(), rows: z.int(), proposed: z.string().nullable() }),
    ),
    notSearched: z.string().nullable(),
  });

  const sheet = (ids: readonly string[]): string =>
    [
      'Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start,Item id,Bid',
      'campaign,Towels,,sponsoredProducts,auto,500,50,2030-03-04,,',
      'ad group,Towels,Towels group,,,,,,,',
      ...ids.map((id) => `ad item,Towels,Towels group,,,,,,"${id}",1.60`),
    ].join('\r\n');

  test('a spreadsheet with damaged item IDs is checked, repaired and imported', async () => {
    writeFileSync(file('damaged.csv'), sheet(['799650557', '553680321.0', '0999999999', '12 of 34']));
    const args = [
      'item-ids',
      'check',
      file('damaged.csv'),
      '--report',
      file('mapping.csv'),
      '--repair',
      file('repaired.csv'),
    ];
    const { code, json } = await cliJson(Scan, data, ...args);
    expect(code).toBe(1);
    expect(json).toMatchObject({
      ids: 4,
      notSearched: null,
      damaged: [
        { itemId: '799650557', damage: 'lost-zeros', rows: 1, proposed: ITEM },
        { itemId: '553680321.0', damage: 'decimal-ending', rows: 1, proposed: OTHER },
        { itemId: '12 of 34', damage: 'unreadable', rows: 1, proposed: null },
      ],
    });
    expect(readFileSync(file('mapping.csv'), 'utf8')).toMatch(
      /^799650557,fewer than 10 digits,1,"Towels, line 4",0799650557,[^,]+,\d+\.\d\d,https:[^,]+0799650557,[^,]+,"item search, by ID"/m,
    );
    expect((await cli(data, 'import', file('damaged.csv'), '--dry-run')).out).toContain('line 4, Item id');
    const imported = await cli(data, 'import', file('repaired.csv'));
    expect(imported.out).not.toContain('line 4');
    expect(imported.out).not.toContain('line 5');
  });

  test('unsynced rows with damaged IDs are found and replaced in one step', async () => {
    const { json } = await cliJson(Scan, data, 'item-ids', 'check');
    expect(json.damaged).toMatchObject([{ itemId: '12 of 34', proposed: null }]);
    const mapping = 'Item id,Replaced by\r\n12 of 34,0999999998\r\n';
    writeFileSync(file('by-hand.csv'), mapping);
    const applied = await cliJson(
      z.object({ rows: z.int() }),
      data,
      'item-ids',
      'repair',
      '--map',
      file('by-hand.csv'),
    );
    expect(applied).toEqual({ code: 0, json: { rows: 1 } });
    expect((await cliJson(Scan, data, 'item-ids', 'check')).json.damaged).toEqual([]);
    expect((await cli(data, 'item-ids', 'repair')).out).toContain('0 rows changed');
    const spread = await cli(data, 'keywords', 'spread', '--campaign', 'Towels');
    expect([spread.code, spread.err]).toEqual([1, expect.stringContaining('There is nothing left to do here.')]);
  });

  test('a file that cannot be used is refused with the next step', async () => {
    expect(await cli(data, 'item-ids', 'check', file('nowhere.csv'))).toMatchObject({ code: 1 });
    expect((await cli(data, 'item-ids', 'check', '--repair', file('x.csv'))).err).toContain('needs a spreadsheet');
    expect((await cli(data, 'item-ids', 'repair', '--map', file('nowhere.csv'))).err).toContain(
      'item-ids check --report',
    );
  });
});

describe('items', () => {
  /** The catalog on the command line, against the practice service. */
  const data = keptOpen(practiceData(testFolder('items')));

  const Items = z.strictObject({
    items: z.array(
      z.strictObject({
        itemId: z.string(),
        name: z.string(),
        suggestedBidCents: z.int().nullable(),
        imageUrl: z.string().nullable(),
        pageUrl: z.string().nullable(),
        variants: z.array(z.strictObject({ itemId: z.string(), name: z.string(), imageUrl: z.string().nullable() })),
      }),
    ),
    notFound: z.array(z.string()),
  });

  test('items are found by words with their variants, and looked up by the very ids that were given', async () => {
    const searched = await cliJson(Items, data, 'items', 'search', 'coffee', 'maker');
    expect(searched.code).toBe(0);
    const item = searched.json.items.find(({ variants }) => variants.length > 0);
    const variant = item?.variants[0];
    if (item === undefined || variant === undefined) throw new Error('no item with variants');
    expect(item.name).toMatch(/coffee maker/i);

    const got = await cliJson(Items, data, 'items', 'get', item.itemId, variant.itemId, 'prod1');
    expect(got.code).toBe(1);
    expect(got.json.items.map(({ itemId, name }) => [itemId, name])).toEqual([
      [item.itemId, item.name],
      [variant.itemId, variant.name],
    ]);
    expect(got.json.notFound).toEqual(['prod1']);

    const { out } = await cli(data, 'items', 'get', item.itemId);
    expect(out).toContain(variant.name);
  });

  test('a search without words is a wrong use', async () => {
    expect((await cli(data, 'items', 'search', ' ')).code).toBe(2);
  });
});

describe('campaign IDs', () => {
  /** The list of campaign IDs on the command line, against the simulated service. */
  const folder = testFolder('known');
  const data = keptOpen(practiceData(folder));
  const file = join(folder, 'ids.csv');

  const Listed = z.object({ ids: z.array(RemoteIdEntry) });
  const Added = z.object({
    outcomes: z.array(AddCampaignOutcome),
    withoutGroup: z.array(z.string()),
    stoppedBy: z.string().nullable(),
    leftOut: z.array(z.object({ line: z.int(), text: z.string(), problem: z.string() })),
  });

  const SHEET = [
    'Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start',
    'campaign,Towels,,sponsoredProducts,auto,500,50,2030-03-04',
    'ad group,Towels,Towels group,,,,,',
  ].join('\r\n');

  beforeAll(async () => {
    writeFileSync(file, SHEET);
    expect((await cli(data, 'import', file)).code).toBe(0);
    expect((await cli(data, 'sync', '--yes')).code).toBe(0);
  });

  test('IDs of what was created here are listed with that source, and found by a word', async () => {
    const { code, json } = await cliJson(Listed, data, 'campaign', 'ids');
    expect(code).toBe(0);
    expect(json.ids.map(({ kind, source, name }) => [kind, source, name])).toEqual([
      ['campaign', 'made', 'Towels'],
      ['adGroup', 'made', 'Towels group'],
    ]);
    const id = json.ids[0]?.id ?? '';
    const found = await cliJson(Listed, data, 'campaign', 'ids', id);
    expect(found.json.ids[0]?.id).toBe(id);
    expect((await cli(data, 'campaign', 'ids')).out).toContain('created here');
  });

  test('a file of IDs is read line by line: each line gets its result', async () => {
    const { json: known } = await cliJson(Listed, data, 'campaign', 'ids');
    const id = known.ids.find(({ kind }) => kind === 'campaign')?.id ?? '';
    writeFileSync(file, `Campaign id,Name\r\n${id},Mine\r\n999999999,Nowhere\r\n1.23E+09,Spoiled\r\n`);
    const { code, json } = await cliJson(Added, data, 'campaign', 'add', '--file', file);
    expect(code).toBe(1);
    expect(Object.fromEntries(json.outcomes.map(({ id: of, outcome }) => [of, outcome]))).toEqual({
      [id]: 'known',
      '999999999': 'not-found',
    });
    expect(json.leftOut).toEqual([{ line: 4, text: '1.23E+09', problem: 'not-an-id' }]);
    expect((await cliJson(Listed, data, 'campaign', 'ids', '999999999')).json.ids).toEqual([]);
  });

  test('without an ID there is a usage message, and a name applies to a single ID only', async () => {
    expect((await cli(data, 'campaign', 'add')).code).toBe(2);
    expect((await cli(data, 'campaign', 'add', '1', '2', '--name', 'Both')).code).toBe(2);
  });
});

test('a run that is stopped at a question ends the question, and deletes nothing', async () => {
  const data = practiceData(testFolder('stopped'));
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const [stdin, isTTY] = [Reflect.getOwnPropertyDescriptor(process, 'stdin'), process.stdout.isTTY];
  Object.defineProperty(process, 'stdin', { value: terminal, configurable: true });
  process.stdout.isTTY = true;
  onTestFinished(() => {
    if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin);
    process.stdout.isTTY = isTTY;
  });
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => undefined);
  const err: string[] = [];
  const streams = { out: () => undefined, err: (text: string) => void err.push(text) };
  const running = runCli(['account', 'remove', 'Shop', '--data', data], streams, { threads: HERE, stopped });
  await expect.poll(() => terminal.listenerCount('data')).toBe(1);
  reject(new CliError(130, 'STOPPED', 'Stopped by SIGINT. Saved data is kept.'));
  expect(await running).toBe(130);
  expect(err.join('')).toBe('Stopped by SIGINT. Saved data is kept.\n');
  expect(terminal.listenerCount('data')).toBe(0);
  expect((await cli(data, 'account', 'list')).out).toContain('Shop');
});
