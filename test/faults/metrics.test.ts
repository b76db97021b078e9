import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { type Cube, openCube } from '../../main/cube/cube.ts';
import { openCubeFile } from '../../main/cube/cube-file.ts';
import { ingest } from '../../main/cube/ingest.ts';
import type { ReportFile } from '../../main/cube/read-file-days.ts';
import { numberOf } from '../../main/store/db/db.ts';
import { choiceCode } from '../../main/store/schema/tables.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { zipOf } from '../core/reports-of-an-account.ts';
import { share } from '../share.ts';
import { aClock, aFolder, aSmallCampaign, at, aWorkspace, done, edit } from '../store/a-workspace.ts';
import { HERE } from '../store/without-threads.ts';

const FIRST = '2026-03-06' as PlainDate;
const LAST = '2026-03-10' as PlainDate;
const FETCHED_ON = '2026-05-04' as PlainDate;
const HEAD = 'date,campaignId,campaignName,impressions,clicks,adSpend,attributedSales14days';
const row = (day: string, id = '1', name = 'Towels', spend = '10.00') => `${day},${id},${name},1000,20,${spend},45.00`;
const daysFrom = (first: PlainDate, count: number): readonly PlainDate[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index));
const DAYS = daysFrom(FIRST, 5);
const table = (...rows: readonly string[]): string => `${[HEAD, ...rows].join('\r\n')}\r\n`;
const WHOLE = table(...DAYS.map((day) => row(day)));

/** An account with a live campaign, and its metrics. */
async function metrics() {
  const folder = aFolder();
  const account = join(folder, 'workspace.db');
  const workspace = await aWorkspace(account, aClock());
  onTestFinished(() => workspace.close());
  const [campaign, ...others] = aSmallCampaign();
  if (campaign === undefined) throw new Error('no campaign');
  await edit(workspace, {
    creates: [{ ...campaign, values: { ...campaign.values, startDate: '2026-01-01' } }, ...others],
  });
  // What it is on the service is told by the service alone.
  await expect.poll(async () => (await workspace.campaignFacts())[0]?.state).toBe('draft');
  const db = new DatabaseSync(account, { timeout: 30_000 });
  db.prepare('UPDATE campaign SET "campaignState" = ?').run(choiceCode('campaign', 'campaignState', 'live'));
  db.close();
  const file = join(folder, 'cube.db');
  let cube = await openCube({ file, account, currency: 'USD' }, HERE.account);
  onTestFinished(() => cube.close());
  let files = 0;
  const take = async (content: string | Buffer, more: Partial<ReportFile> = {}) => {
    const path = join(folder, `report-${files++}`);
    writeFileSync(path, content);
    return cube.ingest({
      path,
      sha256: null,
      id: null,
      reportType: 'campaign',
      span: { from: FIRST, to: LAST },
      fetchedAt: 1_000_000 + files,
      fetchedOn: FETCHED_ON,
      attributionWindow: null,
      ...more,
    });
  };
  return {
    folder,
    file,
    workspace,
    take,
    cube: (): Cube => cube,
    reopen: async (meanwhile: () => unknown) => {
      await cube.close();
      await meanwhile();
      cube = await openCube({ file, account, currency: 'USD' }, HERE.account);
    },
    spendOf: async (day: PlainDate): Promise<number | null> => {
      const found = await cube.dayRows('campaign', day);
      return (
        found?.columns.find(({ name }) => name === 'adSpend')?.values.reduce((sum, value) => sum + value, 0) ?? null
      );
    },
    states: async () => (await cube.dayStates('campaign', { from: FIRST, to: LAST }, 14)).map(({ state }) => state),
  };
}

test('a database of another program under its name is refused and stays as it is', () => {
  const file = join(aFolder(), 'cube.db');
  const foreign = new DatabaseSync(file);
  foreign.exec('PRAGMA journal_mode = DELETE; CREATE TABLE note(text)');
  foreign.close();
  const before = readFileSync(file);
  expect(openCubeFile(file)).toMatchObject({ error: { detail: 'cube.db is not a file of Adslate' } });
  expect(readFileSync(file).equals(before)).toBe(true);
});

describe('a file that is not as it should be', () => {
  const REFUSED: readonly (readonly [string, () => Promise<string | Buffer>, string])[] = [
    ['0 bytes', async () => '', 'empty'],
    ['cut inside its last line', async () => WHOLE.slice(0, -20), 'line 6, the last one, has 4 of 7 cells'],
    ['a cut gzip file', async () => gzipSync(WHOLE).subarray(0, 60), 'damaged'],
    ['a cut ZIP archive', async () => (await zipOf({ 'a.csv': WHOLE })).subarray(0, 90), 'cut short'],
    [
      'in another currency',
      async () => `${HEAD},currency\r\n${row(FIRST)},EUR\r\n`,
      'line 2 is in EUR, the account in USD',
    ],
    ['without a day', async () => 'campaignId,clicks\r\n1,2\r\n', 'no column with the day'],
    ['without an ID', async () => 'date,clicks\r\n2026-03-06,2\r\n', 'no column with an ID'],
    ['a web page', async () => '<html>', 'a web page'],
  ];
  test.each(share('reports that are refused', REFUSED, 4))(
    'is refused in words of its own: %s',
    async (_, content, words) => {
      const { take, cube } = await metrics();
      const taken = await take(await content());
      expect(taken).toMatchObject({ ok: false, error: { detail: expect.stringContaining(words) } });
      expect((await cube().sizes()).sources.every(({ days }) => days === 0)).toBe(true);
    },
  );

  test('leaves days out in the middle: a gap while the campaign ran, and never a zero', async () => {
    const { take, states, cube } = await metrics();
    const taken = done(await take(table(row(at(DAYS, 0)), row(at(DAYS, 1)), row(at(DAYS, 4)))));
    expect(taken.gaps).toEqual([DAYS[2], DAYS[3]]);
    expect(await states()).toEqual(['settled', 'settled', 'gap', 'gap', 'settled']);
    // They are asked for again; what comes then takes their place.
    expect((await cube().asked('campaign')).filter(({ is }) => is === 'gap')).toHaveLength(2);
    done(await take(WHOLE));
    expect(await states()).toEqual(['settled', 'settled', 'settled', 'settled', 'settled']);
  });

  test('has its headings twice, columns that nobody knows, an ID beyond 2^53 and both days on which clocks change', async () => {
    const { take, cube, spendOf } = await metrics();
    const days = [...daysFrom('2026-03-07' as PlainDate, 3), ...daysFrom('2025-11-01' as PlainDate, 3)];
    const id = '9007199254740993123';
    const head = `${HEAD},cartAdds`;
    const rows = days.map((day) => `${row(day, id)},7`);
    const span = { from: '2025-11-01' as PlainDate, to: LAST };
    const taken = done(await take([head, ...rows.slice(0, 3), head, ...rows.slice(3), ''].join('\n'), { span }));
    expect(taken).toMatchObject({ rows: 6, skipped: 0, unreadable: 0 });
    for (const day of days) {
      const found = await cube().dayRows('campaign', day);
      expect(found?.columns.find(({ name }) => name === 'cartAdds')?.values).toEqual(new Float64Array([7]));
      expect(await spendOf(day)).toBe(1000);
    }
    expect((await cube().entities('campaign', null)).map(({ keys }) => keys)).toEqual([{ campaignId: id }]);
  });

  test('has days that can be read in more than one way', async () => {
    const { take } = await metrics();
    const taken = await take(`${HEAD}\r\n${row('03/06/2026' as PlainDate)}\r\n`, { span: null });
    expect(taken).toMatchObject({ ok: false, error: { detail: 'no row has an ID and a day such as 2026-05-31' } });
  });

  test('was saved with semicolons and decimal commas by a spreadsheet program', async () => {
    const { take, spendOf } = await metrics();
    const taken = done(await take(WHOLE.replaceAll(',', ';').replaceAll('.', ',')));
    expect(taken).toMatchObject({ rows: 5, skipped: 0, unreadable: 0 });
    expect(await spendOf(FIRST)).toBe(1000);
  });

  test('takes back what was counted, also below zero, and says what has changed', async () => {
    const { take, cube, spendOf } = await metrics();
    done(await take(WHOLE));
    done(
      await take(table(row(FIRST, '1', 'Towels', '-2.50'), row(FIRST, '2', 'Cups', '9.00')), {
        span: { from: FIRST, to: FIRST },
      }),
    );
    expect(await spendOf(FIRST)).toBe(650);
    const [changed] = await cube().dayStates('campaign', { from: FIRST, to: FIRST }, 14);
    expect(changed).toMatchObject({
      state: 'restated',
      changed: { before: { adSpend: 1000 }, after: { adSpend: 650 } },
    });
  });

  test('has less than half of what is settled: it is held back, until the user takes it', async () => {
    const { take, cube, spendOf, states } = await metrics();
    done(await take(WHOLE));
    expect(done(await take(table(...DAYS.map((day) => row(day, '1', 'Towels', '1.00'))))).held).toEqual(DAYS);
    expect([await spendOf(FIRST), at(await states(), 0)]).toEqual([1000, 'held-back']);
    expect(await cube().decide('campaign', [FIRST], true)).toBe(1);
    expect([await spendOf(FIRST), await states()]).toEqual([
      100,
      ['restated', 'held-back', 'held-back', 'held-back', 'held-back'],
    ]);
  });

  test('was fetched by a clock that is a year ahead: the next fetch replaces it', async () => {
    const { take, spendOf } = await metrics();
    const ahead = systemClock.nowMs() + 366 * 86_400_000;
    done(await take(table(...DAYS.map((day) => row(day, '1', 'Towels', '9.00'))), { fetchedAt: ahead }));
    done(await take(WHOLE));
    expect(await spendOf(FIRST)).toBe(1000);
  });

  test('has another item ID and name from the middle on: it is one history with the newest words, in any order', async () => {
    const { take, cube } = await metrics();
    const head = 'date,campaignId,campaignName,adGroupId,adItemId,itemId,clicks';
    const before = `${head}\n${DAYS.slice(0, 2)
      .map((day) => `${day},1,Old,2,3,12345678,5`)
      .join('\n')}\n`;
    const after = `${head}\n${DAYS.slice(2)
      .map((day) => `${day},1,New,2,3,ABC123,5`)
      .join('\n')}\n`;
    const of = (from: number, to: number) => ({
      reportType: 'adItem',
      span: { from: at(DAYS, from), to: at(DAYS, to) },
    });
    done(await take(after, { ...of(2, 4), fetchedAt: 2_000_000 }));
    done(await take(before, { ...of(0, 1), fetchedAt: 1_500_000 }));
    const entities = await cube().entities('adItem', null);
    expect(entities).toMatchObject([{ words: { campaignName: 'New', itemId: 'ABC123' } }]);
    for (const day of DAYS) {
      expect(Array.from((await cube().dayRows('adItem', day))?.ids ?? [])).toEqual([entities[0]?.id]);
    }
  });
});

/** Flips a bit in the content of the first day. */
function flipBit(file: string): void {
  const db = new DatabaseSync(file);
  const found = db.prepare('SELECT source, day, content FROM segment ORDER BY day LIMIT 1').get();
  const content = found?.['content'] as Uint8Array;
  content[content.length - 8] = (content[content.length - 8] ?? 0) ^ 1;
  db.prepare('UPDATE segment SET content = ? WHERE source = ? AND day = ?').run(
    content,
    found?.['source'] ?? 0,
    found?.['day'] ?? 0,
  );
  db.close();
}

describe('a cube that is not as it should be costs no draft', () => {
  test('a damaged day that a full disk keeps from being marked is told, and marked later', async () => {
    const { take, cube, reopen, file, states, spendOf } = await metrics();
    done(await take(WHOLE));
    await reopen(() => flipBit(file));
    const disk = new DatabaseSync(file);
    disk.exec(`CREATE TRIGGER full BEFORE INSERT ON gap BEGIN SELECT RAISE(ABORT, 'disk is full'); END`);
    expect(await spendOf(FIRST)).toBeNull();
    await expect.poll(async () => (await cube().sizes()).problems.damage).toContain('disk is full');
    expect(cube().problem).toBeNull();
    disk.exec('DROP TRIGGER full');
    disk.close();
    expect(await spendOf(FIRST)).toBeNull();
    await expect.poll(states).toEqual(['gap', 'settled', 'settled', 'settled', 'settled']);
    expect((await cube().sizes()).problems.damage).toBe('');
  });

  test('a flipped bit in a day costs that day, which is asked for again', async () => {
    const { take, cube, reopen, file, states, spendOf } = await metrics();
    done(await take(WHOLE));
    await reopen(() => flipBit(file));
    expect(await spendOf(FIRST)).toBeNull();
    await expect.poll(states).toEqual(['gap', 'settled', 'settled', 'settled', 'settled']);
    const [day] = await cube().dayStates('campaign', { from: FIRST, to: FIRST }, 14);
    expect(day).toMatchObject({ why: 'damaged, ask again' });
    expect((await cube().asked('campaign'))[0]).toMatchObject({ day: FIRST, is: 'gap', fetchedOn: '1970-01-01' });
  });

  const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
    ['deleted', (file: string) => rmSync(file)],
    ['cut off', (file: string) => truncateSync(file, 6000)],
    ['overwritten at its beginning', (file: string) => writeFileSync(file, Buffer.alloc(8192, 7))],
    [
      'damaged inside',
      (file: string) => {
        const bytes = readFileSync(file);
        // The pages of the tables, behind the one that says where they are.
        bytes.fill(255, 4096, 4096 * 12);
        writeFileSync(file, bytes);
      },
    ],
  ];
  test.each(share('damaged cubes', DAMAGES, 2))(
    'a file that is %s is replaced by its backup, or else by an empty one',
    async (_, damage) => {
      const { take, cube, reopen, file, folder, spendOf, workspace } = await metrics();
      done(await take(WHOLE));
      await reopen(() => damage(file));
      expect(await spendOf(FIRST)).toBeNull();
      done(await take(WHOLE));
      expect(await spendOf(FIRST)).toBe(1000);
      done(await cube().backUp());
      expect(existsSync(join(folder, 'backups', 'metrics.adslate-cube'))).toBe(true);
      await reopen(() => damage(file));
      expect(await spendOf(FIRST)).toBe(1000);
      expect((await workspace.summary()).rows.campaign).toBe(1);
    },
  );

  test('a damaged day that waits to be marked while the whole file is replaced does not end the thread', async () => {
    const { take, cube, reopen, file, spendOf } = await metrics();
    const days = daysFrom('2020-01-01' as PlainDate, 1500);
    const many = table(...days.map((day) => row(day)));
    const span = { from: at(days, 0), to: at(days, days.length - 1) };
    done(await take(WHOLE));
    await reopen(() => flipBit(file));
    const taken = take(many, { span });
    // It is marked behind the file that is being taken in.
    expect(await spendOf(FIRST)).toBeNull();
    const bytes = readFileSync(file);
    bytes.fill(255, 4096, 4096 * 12);
    writeFileSync(file, bytes);
    await cube().seen('campaign');
    expect(await taken).toMatchObject({ ok: false });
    done(await take(WHOLE));
    expect(await spendOf(FIRST)).toBe(1000);
    expect(cube().problem).toBeNull();
  });

  test('of a newer version is left alone: there are no metrics, and the reason is said', async () => {
    const { take, cube, reopen, file } = await metrics();
    done(await take(WHOLE));
    await reopen(() => {
      const db = new DatabaseSync(file);
      db.exec('PRAGMA user_version = 99');
      db.close();
      copyFileSync(file, `${file}.before`);
    });
    expect(cube().problem?.detail).toContain('newer version');
    expect((await take(WHOLE)).ok).toBe(false);
    expect(await cube().dayRows('campaign', FIRST)).toBeNull();
    expect(readFileSync(file).equals(readFileSync(`${file}.before`))).toBe(true);
  });

  test('one that is deleted while it is open is read on, and made anew at the next start', async () => {
    const { take, file, spendOf, reopen } = await metrics();
    done(await take(WHOLE));
    rmSync(file);
    expect(await spendOf(FIRST)).toBe(1000);
    await reopen(() => undefined);
    expect(await spendOf(FIRST)).toBeNull();
    done(await take(WHOLE));
    expect(await spendOf(FIRST)).toBe(1000);
  });

  test('a full disk ends the file that is taken in: what was there before stays, and edits go on', async () => {
    const { take, cube, file, folder, spendOf, workspace, reopen } = await metrics();
    done(await take(WHOLE));
    const path = join(folder, 'large');
    writeFileSync(path, table(...DAYS.flatMap((day) => Array.from({ length: 2000 }, (_, id) => row(day, `${id}`)))));
    const span = { from: FIRST, to: LAST };
    const told = { path, sha256: null, id: 'r1', reportType: 'campaign', attributionWindow: null, span };
    const facts = { currency: 'USD', campaigns: [] };
    const large = { ...told, fetchedAt: 5_000_000, fetchedOn: FETCHED_ON };
    await reopen(async () => {
      const db = done(openCubeFile(file));
      db.exec(`PRAGMA max_page_count = ${numberOf(db, 'PRAGMA page_count') + 1}`);
      await expect(ingest(db, large, facts, async () => undefined)).rejects.toThrow('full');
      db.close();
    });
    expect(await spendOf(FIRST)).toBe(1000);
    await edit(workspace, { creates: aSmallCampaign('Cups') });
    expect((await workspace.summary()).rows.campaign).toBe(2);
    expect(done(await cube().ingest(large)).taken).toEqual(DAYS);
  });
});

test('an export that the disk takes only a part of fails, and is no shorter file', () => {
  const target = join(aFolder(), 'days.csv');
  const module = pathToFileURL(join(import.meta.dirname, '..', '..', 'main', 'cube', 'export-metrics.ts')).href;
  const work = `
    const { csvTarget } = await import('${module}');
    const rows = 4000;
    const target = csvTarget('${target}');
    await target.begin({ texts: ['keyword'], numbers: [] });
    await target.day({ day: '2026-05-01', rows, texts: [Array(rows).fill('red pot')], numbers: [] });
    await target.end();`;
  // The system then writes the first part of a text, and says how much.
  const limited = `ulimit -f 64; exec "$0" --input-type=module -e "$1"`;
  expect(spawnSync('sh', ['-c', limited, process.execPath, work], { encoding: 'utf8' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('EFBIG'),
  });
});
