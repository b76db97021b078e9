import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { aZip } from '../faults/bad-sheets.ts';
import { testFolder } from '../folder.ts';
import { aFilm, aPng } from '../media/builders.ts';
import { at } from '../store/a-workspace.ts';
import { controlOf } from '../sync/control.ts';
import { cli, cliJson, connecting, keptOpen, practiceData, written } from './cli.ts';

describe('bad input', () => {
  /** What a marketer gets wrong, and the sentence that says so: it names the thing, the rule and the next step. */
  const folder = testFolder('bad-input');
  const data = keptOpen(practiceData(folder));
  const file = (name: string, content: string | Buffer): string => written(folder, name, content);

  const Import = z.object({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    dates: z.string().optional(),
    errors: z.array(z.object({ line: z.int(), column: z.string(), message: z.string() })),
  });
  const Check = z.object({
    counts: z.object({ error: z.int(), warning: z.int(), advice: z.int() }),
    findings: z.array(
      z.object({
        rule: z.string(),
        severity: z.string(),
        type: z.string(),
        campaign: z.string(),
        row: z.int().nullable(),
        field: z.string().nullable(),
        message: z.string(),
      }),
    ),
  });
  const Media = z.object({
    files: z.array(z.object({ file: z.string(), outcome: z.string(), message: z.string().optional() })),
    findings: z.array(z.object({ rule: z.string(), severity: z.string(), message: z.string() })),
  });

  test('a text renamed .mp4 is refused and named, and its neighbour is added', async () => {
    const text = file('notes.mp4', 'Meeting notes\n');
    const good = file('good.mp4', aFilm({ durationMs: 20_000, mdatBytes: 777 }));
    const { code, json } = await cliJson(Media, data, 'media', 'add', text, good);
    expect(code).toBe(1);
    expect(json.files).toMatchObject([
      { file: 'notes.mp4', outcome: 'refused', message: expect.stringMatching(/notes\.mp4 is a text.*\.mp4, \.mov/) },
      { file: 'good.mp4', outcome: 'added' },
    ]);
  });
  test.each([
    ['a video of 3 s', 'clip.mp4', aFilm({ durationMs: 3000 }), /3 s long.*5/],
    ['a logo of 99 x 100', 'logo.png', aPng(99, 100), /100 ?x ?100/],
  ])('%s is kept with an error that names the rule', async (_, name, bytes, rule) => {
    const { code, json } = await cliJson(Media, data, 'media', 'add', file(name, bytes));
    expect(code).toBe(1);
    expect(json.files).toMatchObject([{ outcome: 'added' }]);
    expect(json.findings.find(({ severity }) => severity === 'error')?.message).toMatch(rule);
  });
  test('a folder stands for the media in it, and one without media is named', async () => {
    const { code, json } = await cliJson(Media, data, 'media', 'add', 'examples');
    expect(code).toBe(0);
    expect(json.files.map((found) => found.outcome)).toEqual(['added', 'added', 'added', 'added', 'added']);
    expect(await cli(data, 'media', 'add', 'scripts')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/contains no videos/),
    });
  });

  const HEADER =
    'Type,Campaign,Campaign type,Targeting,Total budget,Daily budget,Start,End,Item id,Bid,Keyword,Match type,Brand,Headline,Click URL';
  const sheetOf = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;

  test('a long headline, a low bid and an http address come in and are found at their lines', async () => {
    const sheet = sheetOf(
      'campaign,Brand A,sba,manual,500,20,2030-01-07,2030-02-07',
      `sba profile,Brand A,,,,,,,,,,,Northwind,${'H'.repeat(46)},http://shop.example/brand`,
      'campaign,Video A,video,manual,500,20,2030-01-07,2030-02-07',
      'keyword,Video A,,,,,,,,1.49,paper towel,exact',
    );
    const imported = await cliJson(Import, data, 'import', file('a.csv', sheet));
    expect(imported).toMatchObject({ code: 0, json: { added: 4, errors: [] } });
    const { code, json } = await cliJson(Check, data, 'check');
    expect(code).toBe(1);
    const errorAt = (row: number, field: string) =>
      json.findings.find((found) => found.severity === 'error' && found.row === row && found.field === field);
    expect(errorAt(3, 'headline')?.message).toMatch(/46.*45|45.*46/);
    expect(errorAt(3, 'clickUrl')?.message).toMatch(/https/);
    expect(errorAt(5, 'bid')?.message).toMatch(/1\.50/);
    expect(errorAt(5, 'bid')).toMatchObject({ type: 'keyword', campaign: 'Video A' });
  });
  test('an amount that may be read in two ways is asked about, never guessed', async () => {
    const sheet = file('d.csv', sheetOf('campaign,Auto D,sponsoredProducts,auto,"500,50",20,2030-01-07,2030-02-07'));
    const { code, json } = await cliJson(Import, data, 'import', sheet);
    expect(code).toBe(1);
    expect(json).toMatchObject({ added: 0, errors: [{ line: 2, column: 'Total budget' }] });
    expect(json.errors[0]?.message).toMatch(/"500,50" can mean two amounts.*--decimals comma/);
    expect(await cliJson(Import, data, 'import', sheet, '--decimals', 'comma')).toMatchObject({
      code: 0,
      json: { added: 1 },
    });
  });
  test('dates that may be read in two orders are asked about, never guessed; one that proves the order decides', async () => {
    const dated = (name: string, ...days: readonly string[]) =>
      file(
        name,
        sheetOf(...days.map((day, at) => `campaign,${name} ${at},sponsoredProducts,auto,500,20,${day},2030-12-31`)),
      );
    const sheet = dated('e.csv', '5/4/2030', '6/7/2030');
    const { code, json } = await cliJson(Import, data, 'import', sheet);
    expect(code).toBe(1);
    expect(json).toMatchObject({ added: 0, errors: [{ line: 2, column: 'Start' }] });
    expect(json.errors[0]?.message).toMatch(
      /^e\.csv, line 2, Start: "5\/4\/2030" can mean two dates\..*--dates month-first \(12\/31\/2026\) or --dates day-first/,
    );
    const chosen = await cliJson(Import, data, 'import', sheet, '--dates', 'day-first');
    expect(chosen).toMatchObject({ code: 0, json: { added: 2 } });
    const again = file('e2.csv', sheetOf('campaign,e.csv 0,sponsoredProducts,auto,500,20,2030-04-05,2030-12-31'));
    expect(await cliJson(Import, data, 'import', again)).toMatchObject({
      json: { added: 0, changed: 0, unchanged: 1 },
    });
    const proven = dated('f.csv', '5/4/2030', '12/15/2030');
    expect(await cliJson(Import, data, 'import', proven, '--dry-run')).toMatchObject({
      code: 0,
      json: { added: 2, dates: 'month-first' },
    });
    expect((await cli(data, 'import', proven, '--dry-run')).out).toContain('Dates read as month/day/year.');
    const mixed = dated('g.csv', '12/15/2030', '15/12/2030');
    const refused = await cliJson(Import, data, 'import', mixed, '--dry-run');
    expect(refused.json.errors[0]?.message).toMatch(
      /line 3, Start: "15\/12\/2030" is in another order than "12\/15\/2030"/,
    );
    const partly = await cliJson(Import, data, 'import', mixed, '--dry-run', '--dates', 'month-first');
    expect(partly.json).toMatchObject({ added: 1, errors: [{ line: 3, column: 'Start' }] });
    expect(await cli(data, 'import', mixed, '--dates', 'mdy')).toMatchObject({ code: 2 });
  });
  test('a sheet names files beside it, and only there', async () => {
    file('beside.png', aPng(100, 100));
    const header =
      'Type,Campaign,Campaign type,Targeting,Total budget,Daily budget,Start,Brand,Headline,Click URL,Logo';
    const rows = ['beside.png', 'none.png', '/etc/hostname', '../../x.png', 'notes.mp4'].map(
      (logo, at) => `sba profile,Brand E${at},,,,,,Northwind,Hello ${at},https://shop.example/a,${logo}`,
    );
    const campaigns = rows.map((_row, at) => `campaign,Brand E${at},sba,manual,500,20,2030-01-07,,,,`);
    const { code, json } = await cliJson(
      Import,
      data,
      'import',
      file('e.csv', [header, ...campaigns, ...rows].join('\n')),
    );
    expect(code).toBe(1);
    expect(json.errors.map(({ line, column }) => [line, column])).toEqual([
      [8, 'Logo'],
      [9, 'Logo'],
      [10, 'Logo'],
      [11, 'Logo'],
    ]);
    expect(json.added).toBe(6);
  });
  test('a missing file and a missing account are named', async () => {
    expect(await cli(data, 'import', join(folder, 'none.csv'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/none\.csv can't be read/),
    });
    expect(await cli(data, 'check', '--account', 'Nobody')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Account "Nobody" not found/),
    });
    expect(await cli(join(folder, 'fresh'), 'check')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/account add/),
    });
  });
  test('a name that is taken is refused', async () => {
    expect(await cli(data, 'account', 'add', '--name', 'shop', '--practice')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/"shop".*another name/),
    });
  });
});

describe('import columns', () => {
  /** Columns of a sheet that are chosen on the command line. */
  const folder = testFolder('import-columns');
  const data = keptOpen(practiceData(folder));
  const Imported = z.object({ added: z.int(), changed: z.int(), unchanged: z.int(), leftOut: z.int() });

  const HEAD = 'Type,Campaign,Ad group,Campaign type,Targeting,Daily budget,Keyword,Match type,Bid';
  const sheet = (name: string, lines: readonly string[]): string =>
    written(folder, name, [HEAD, ...lines].join('\r\n'));

  beforeAll(async () => {
    const first = [
      'campaign,Pans,,sponsoredProducts,manual,50,,,',
      'ad group,Pans,Group,,,,,,',
      'keyword,Pans,Group,,,,iron pan,exact,1.50',
    ];
    expect((await cli(data, 'import', sheet('first.csv', first))).code).toBe(0);
  });

  const EDITED = [
    'campaign,Pans,,,,60,,,',
    'keyword,Pans,Group,,,,iron pan,exact,1.75',
    'keyword,Pans,Group,,,,pot,exact,2',
  ];

  test('only the columns that are named count, and all but those', async () => {
    const edited = sheet('edited.csv', EDITED);
    const dry = (...columns: readonly string[]) => cliJson(Imported, data, 'import', edited, '--dry-run', ...columns);
    expect((await dry('--only-columns', 'Daily budget')).json).toMatchObject({ added: 0, changed: 1, leftOut: 2 });
    expect((await dry('--only-columns', 'bid, daily budget')).json).toMatchObject({ added: 1, changed: 2, leftOut: 0 });
    expect((await dry('--skip-columns', 'Bid')).json).toMatchObject({ added: 1, changed: 1, leftOut: 1 });
    const said = await cli(data, 'import', edited, '--skip-columns', 'Keyword');
    expect(said.out).toContain('Also imported for new rows, which require it: Keyword.');
    expect(said.out).toContain('1 added, 2 changed, 0 unchanged, 0 errors.');
  });

  test('a name that is no column, and both ways at once, are no usage', async () => {
    const edited = sheet('again.csv', EDITED);
    const wrong = await cli(data, 'import', edited, '--only-columns', 'Colour');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Column "Colour" not found.')]);
    const both = await cli(data, 'import', edited, '--only-columns', 'Bid', '--skip-columns', 'Bid');
    expect(both.code).toBe(2);
  });

  test('a column is imported as another one, which is remembered, said, and forgotten', async () => {
    const Mapped = Imported.extend({
      unknownColumns: z.array(z.string()),
      mapped: z.array(z.object({ heading: z.string(), column: z.string().nullable(), by: z.string() })),
    });
    const path = written(
      folder,
      'theirs.csv',
      'Campaign,Ad group,Search phrase,Match type,CPC limit\r\nPans,Group,iron pan,exact,1.90\r\n',
    );
    const dry = (...more: readonly string[]) => cliJson(Mapped, data, 'import', path, '--dry-run', ...more);
    const asKeywords = ['--type', 'keyword', '--column', 'search phrase=keyword'];
    expect((await cli(data, 'import', path)).out).toContain('choose one type for all rows');
    const { json } = await dry(...asKeywords);
    expect(json).toMatchObject({ changed: 0, unchanged: 1, unknownColumns: ['CPC limit'] });
    const said = await cli(data, 'import', path, ...asKeywords, '--column', 'CPC limit=Bid');
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('0 added, 1 changed') });
    expect(said.out).toContain('Columns as chosen: Search phrase = Keyword, CPC limit = Bid.');
    // The next file comes in mapped.
    expect((await dry('--type', 'keyword')).json).toMatchObject({
      unchanged: 1,
      mapped: [
        { heading: 'Search phrase', column: 'Keyword', by: 'remembered' },
        { heading: 'CPC limit', column: 'Bid', by: 'remembered' },
      ],
    });
    expect((await cli(data, 'import', path, '--dry-run', '--type', 'keyword')).out).toContain(
      'Add --column "Search phrase=auto" to forget one.',
    );
    expect((await dry(...asKeywords, '--column', 'CPC limit=auto')).json.unknownColumns).toEqual(['CPC limit']);
  });

  test('the second of two columns with one heading is named by its number', async () => {
    const path = written(
      folder,
      'twice.csv',
      'Type,Campaign,Ad group,Keyword,Match type,CPC,CPC\r\nkeyword,Pans,Group,iron pan,exact,note,1.95\r\n',
    );
    const dry = (column: string) => cli(data, 'import', path, '--dry-run', '--column', column);
    expect((await dry('CPC[2]=Bid')).out).toContain('Columns as chosen: CPC[2] = Bid.');
    expect((await dry('CPC=Bid')).out).toContain('"CPC[1]" and "CPC[2]" are both imported as Bid.');
    expect((await dry('CPC[3]=Bid')).err).toContain('twice.csv has no column "CPC[3]".');
  });

  test('an unused column of another editor that is headed like one of ours is mapped, and a converted one is not', async () => {
    const path = written(
      folder,
      'google.csv',
      'Campaign,Ad group,Keyword,Criterion Type,Campaign status,Budget,Bid\r\nHoses,Reels,hose reel,Exact,,,1.20\r\n',
    );
    const dry = (column: string) => cli(data, 'import', path, '--dry-run', '--column', column);
    expect((await dry('Bid=Bid')).out).toContain('Columns as chosen: Bid = Bid.');
    expect((await dry('Keyword=skip')).err).toContain('Column "Keyword" is converted from Google Ads Editor.');
  });

  test.each([
    ['Search phrase', /is incomplete. Use HEADING=NAME/],
    ['Search phrase=Colour', /Column "Search phrase" can't be imported as "Colour". Use one of: Type, Campaign,/],
    [
      'Phrase=Keyword',
      /theirs\.csv has no column "Phrase". Use one of its columns: Campaign, Ad group, Search phrase,/,
    ],
  ])('a mapping that cannot be is no usage: %s', async (column, sentence) => {
    const path = join(folder, 'theirs.csv');
    const wrong = await cli(data, 'import', path, '--dry-run', '--type', 'keyword', '--column', column);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(sentence)]);
  });

  test('two columns as one are refused, and both are named', async () => {
    const path = join(folder, 'theirs.csv');
    const both = ['--column', 'Search phrase=Keyword', '--column', 'CPC limit=Keyword'];
    const refused = await cli(data, 'import', path, '--type', 'keyword', ...both);
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringContaining('"Search phrase" and "CPC limit" are both imported as Keyword.'),
    ]);
  });

  test('rows that cannot come in are saved although the others do', async () => {
    const path = sheet('partly.csv', ['campaign,Pans,,,,70,,,', 'keyword,Pans,Group,,,,wok,sideways,1']);
    const failed = join(folder, 'failed.csv');
    const done = await cli(data, 'import', path, '--errors', failed);
    expect([done.code, existsSync(failed)]).toEqual([1, true]);
    expect(readFileSync(failed, 'utf8')).toContain('wok');
  });
});

describe('import warnings', () => {
  /** What the command line says of cells that come in otherwise than they are written, and of the sheets of a workbook. */
  const folder = testFolder('import-warnings');
  const data = keptOpen(practiceData(folder));
  const Place = z.object({ line: z.int(), column: z.string(), message: z.string() });
  const Imported = z.object({
    added: z.int(),
    changed: z.int(),
    errors: z.array(Place),
    warnings: z.array(Place),
    sheet: z.string().optional(),
    otherSheets: z.array(z.unknown()).optional(),
  });

  const HEAD = 'Type,Campaign,Ad group,Campaign type,Targeting,Daily budget,Keyword,Match type,Bid'.split(',');
  const ROWS = [
    ['campaign', 'Pans', '', 'sponsoredProducts', 'manual', '50.005', '', '', ''],
    ['ad group', 'Pans', 'Group', '', '', '', '', '', ''],
    ['keyword', 'Pans', 'Group', '', '', '', 'iron pan', 'exact', '1.239'],
    ['keyword', 'Pans', 'Group', '', '', '', 'steel pan', 'exact', '1.239'],
    ['keyword', 'Pans', 'Group', '', '', '', 'pan', 'sideways', '1.239'],
    ['keyword', 'Pans', 'Group', '', '', '', 'wok', 'exact', '1.230'],
  ];
  const cut = (text: string, kept: string) => `${text} is imported as ${kept}. Only two decimals are kept.`;

  test('a number with more decimals than are kept is named in each row that comes in, with both values', async () => {
    const path = join(folder, 'cut.csv');
    writeFileSync(path, [HEAD, ...ROWS].map((cells) => cells.join(',')).join('\n'));
    const { json } = await cliJson(Imported, data, 'import', path, '--dry-run');
    expect(json.warnings).toEqual([
      { line: 2, column: 'Daily budget', message: cut('50.005', '50.00') },
      { line: 4, column: 'Bid', message: cut('1.239', '1.23') },
      { line: 5, column: 'Bid', message: cut('1.239', '1.23') },
    ]);
    expect(json.errors.map(({ line }) => line)).toEqual([6]);
    expect(json).not.toHaveProperty('sheet');
    expect(json).not.toHaveProperty('otherSheets');
    const without = await cliJson(Imported, data, 'import', path, '--dry-run', '--skip-columns', 'Bid');
    expect(without.json.warnings.map(({ line }) => line)).toEqual([2]);
    const said = await cli(data, 'import', path, '--dry-run');
    expect(said.out).toContain(`line 4, Bid: ${cut('1.239', '1.23')}`);
  });

  test('a multiplier and a decimal comma are cut and named the same way', async () => {
    const path = join(folder, 'factors.csv');
    const lines = [
      'Type;Campaign;Campaign type;Targeting;Placement;Multiplier',
      'campaign;Pots;sponsoredProducts;manual;;',
      'placement multiplier;Pots;;;Search Ingrid;150,555',
    ];
    writeFileSync(path, lines.join('\n'));
    const { json } = await cliJson(Imported, data, 'import', path, '--dry-run', '--decimals', 'comma');
    expect(json.warnings).toEqual([{ line: 3, column: 'Multiplier', message: cut('150,555', '150.55') }]);
  });

  test('numbers that were cut and what is odd about quotes and cells stand in one list, in the order of the file', async () => {
    const path = join(folder, 'odd.csv');
    const lines = [
      'Type,Campaign,Campaign type,Targeting,Daily budget',
      'campaign,"Lids" and more,sponsoredProducts,manual,50.005',
      'campaign,Jars,sponsoredProducts,manual,20,99',
      'campaign,Tins,sponsoredProducts,manual,1.999',
    ];
    writeFileSync(path, lines.join('\n'));
    const { json } = await cliJson(Imported, data, 'import', path, '--dry-run');
    expect(json.warnings).toEqual([
      { line: 2, column: 'Campaign', message: expect.stringContaining('It was read as "Lids and more"') },
      { line: 2, column: 'Daily budget', message: cut('50.005', '50.00') },
      { line: 3, column: '', message: expect.stringContaining('6 cells, but the header has 5') },
      { line: 4, column: 'Daily budget', message: cut('1.999', '1.99') },
    ]);
    expect(json).toMatchObject({ added: 3, errors: [] });
    const said = await cli(data, 'import', path, '--dry-run');
    expect(said.out).toContain(`Warning: line 4, Daily budget: ${cut('1.999', '1.99')}`);
    expect(said.out).toContain('Warning: line 3: This row has 6 cells');
  });

  test('files of a folder that are no media are named as skipped, and an archive that is named is refused', async () => {
    const inside = join(folder, 'media');
    mkdirSync(join(inside, 'deep'), { recursive: true });
    writeFileSync(join(inside, 'logo.png'), aPng(100, 100));
    const archive = join(inside, 'deep', 'more.zip');
    writeFileSync(archive, aZip({ '../logo.png': 'x' }));
    const Added = z.object({
      files: z.array(z.object({ file: z.string(), outcome: z.string() })),
      skipped: z.array(z.string()),
    });
    const { json } = await cliJson(Added, data, 'media', 'add', inside, archive);
    expect(json).toEqual({
      files: [
        { file: 'logo.png', outcome: 'added' },
        { file: 'more.zip', outcome: 'refused' },
      ],
      skipped: [archive],
    });
  });

  test('the sheet of a workbook that was read is named, and another can be', async () => {
    const path = join(folder, 'plan.xlsx');
    const sheets = [
      { name: 'Notes', rows: [['Read me']] },
      { name: 'Plan', rows: [HEAD, ...ROWS.slice(0, 2)] },
      { name: 'Next', rows: [HEAD, ['campaign', 'Lids', '', 'sponsoredProducts', 'manual', '20', '', '', '']] },
    ];
    writeFileSync(path, await writeXlsx({ sheets }));
    const first = await cliJson(Imported, data, 'import', path, '--dry-run');
    expect(first.json).toMatchObject({
      sheet: 'Plan',
      otherSheets: [
        { name: 'Notes', hidden: false, rows: 1 },
        { name: 'Next', hidden: false, rows: 2 },
      ],
    });
    const said = await cli(data, 'import', path, '--sheet', 'Next');
    expect(said.out).toContain(
      'Imported the sheet "Next". Other sheets: "Notes" (1 row), "Plan" (3 rows). Add --sheet NAME to import another one.',
    );
    expect(said.out).toContain('1 added');
    const wrong = await cliJson(Imported.partial(), data, 'import', path, '--sheet', 'Later');
    expect(wrong.json.errors?.[0]?.message).toContain('Choose one of its sheets: "Notes", "Plan", "Next".');
  });

  test('a file of one table has no sheets to choose from', async () => {
    const csv = join(folder, 'plain.csv');
    writeFileSync(csv, 'Type,Campaign\ncampaign,Solo\n');
    const table = await cliJson(Imported.partial(), data, 'import', csv, '--sheet', 'Plan');
    expect(table.json.errors?.[0]?.message).toContain('is not a workbook');
  });
});

describe('rows of another account', () => {
  const folder = testFolder('import-as-new');
  const [theirs, ours] = [keptOpen(join(folder, 'theirs')), keptOpen(join(folder, 'ours'))];
  const Imported = z.object({ added: z.int(), changed: z.int(), unknownRows: z.int(), errors: z.array(z.unknown()) });
  const Report = z.object({ state: z.string(), refused: z.array(z.unknown()), untouched: z.int() });
  const archive = join(folder, 'theirs.adslate');
  const services: RunningSandbox[] = [];
  let rows = 0;

  /** Sends everything: videos are processed for a while before their profiles can be sent. */
  const sync = async (data: string, n: number) => {
    expect(await cliJson(Report, data, 'sync')).toMatchObject({ json: { state: 'finished', refused: [] } });
    await controlOf(at(services, n)).advance('PT1H');
    return (await cliJson(Report, data, 'sync')).json;
  };

  /** The account as a table, without the IDs of its service. */
  const tableOf = async (data: string, name: string): Promise<readonly string[]> => {
    const path = join(folder, name);
    expect(await cli(data, 'export', path)).toMatchObject({ code: 0 });
    const cells = readFileSync(path, 'utf8').trimEnd().split(/\r?\n/);
    return cells.map((line) => line.replace(/,\d*,\d*,\d*,$/, ''));
  };

  beforeAll(async () => {
    for (const _ of [theirs, ours]) services.push(await startSandbox({ credentials: 'owners', scenario: 'empty' }));
    for (const [n, data] of [theirs, ours].entries()) {
      expect(await cli(data, ...connecting(at(services, n), join(folder, `service-${n}`)))).toMatchObject({ code: 0 });
    }
    expect(await cli(theirs, 'import', 'examples/campaigns.csv')).toMatchObject({ code: 0 });
    rows = (await tableOf(theirs, 'drafts.csv')).length - 1;
    expect(await sync(theirs, 0)).toMatchObject({ state: 'finished', refused: [], untouched: 0 });
    expect(await cli(theirs, 'export', archive)).toMatchObject({ code: 0 });
    return () => Promise.all(services.map((service) => service.close()));
  });

  test('are errors, and the way to import them is said', async () => {
    const said = await cli(ours, 'import', archive);
    expect(said.code).toBe(1);
    expect(said.out).toContain(`IDs not in this account: ${rows} rows. Add --as-new to import them as new rows.`);
    expect((await cliJson(Imported, ours, 'import', archive)).json).toMatchObject({ added: 0, unknownRows: rows });
  });

  test('come in whole with --as-new and can be sent', async () => {
    const imported = await cliJson(Imported, ours, 'import', archive, '--as-new');
    expect(imported).toMatchObject({ code: 0, json: { added: rows, changed: 0, unknownRows: 0, errors: [] } });
    const whole = await tableOf(theirs, 'sent.csv');
    expect(await tableOf(ours, 'imported.csv')).toEqual(whole);
    expect(await sync(ours, 1)).toMatchObject({ state: 'finished', refused: [], untouched: 0 });
    expect(await tableOf(ours, 'sent-again.csv')).toEqual(whole);
  });
});
