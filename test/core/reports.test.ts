import { readdirSync, truncateSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { safe } from '@orpc/client';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { workspaceFolder } from '../../main/accounts/account-record.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { readReportFile } from '../../main/reports/read-report-file.ts';
import type { ReportService, Requested } from '../../main/reports/report-service.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { REPORT_TYPES, type ReportQuery, type ReportRequest, type ReportView } from '../../shared/api/reports.ts';
import { addDays, plainDate } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { fail, ok } from '../../shared/result.ts';
import { cli } from '../cli/cli.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { aFolder, done } from '../store/a-workspace.ts';
import { type Control, controlOf } from '../sync/control.ts';
import { aCoreWithPractice } from './a-core.ts';
import { deployment, LOOK, snapshotOf } from './a-deployment.ts';
import {
  type OpenedReports,
  ROWS,
  renamed,
  reportsOfAnAccount,
  TABLE,
  withEntry,
  zipOf,
} from './reports-of-an-account.ts';

describe('kept reports', () => {
  const notKept = (id: string) => fail('NO_REPORT', { id });

  let sandbox: RunningSandbox;
  let control: Control;
  let folder: string;
  let today: PlainDate;
  let account: OpenedReports;
  let reports: ReportService;
  let wish: ReportRequest;
  let askedBefore: number;

  /** The same service over the same folder, as after a restart. */
  async function open(): Promise<void> {
    account = await reportsOfAnAccount({ sandbox, folder, today: () => today });
    reports = account.reports;
  }
  async function restart(): Promise<void> {
    await account.close();
    await open();
  }
  const fileOf = (name: string): string => join(folder, 'reports', name);

  beforeAll(async () => {
    sandbox = await startSandbox({ credentials: 'owners', scenario: 'demo', clock: 'virtual' });
    control = controlOf(sandbox);
    return () => sandbox.close();
  });
  beforeEach(async () => {
    askedBefore = await askedInAll();
    folder = aFolder();
    const now = plainDate((await control.state()).now.slice(0, 10));
    if (now === null) throw new Error('the service has no date');
    today = now;
    wish = { reportType: 'keyword', startDate: addDays(today, -10), endDate: addDays(today, -2), byDate: true };
    await open();
  });
  afterEach(() => account.close());

  const askedInAll = async (): Promise<number> =>
    (await control.requests()).filter(({ path }) => path.startsWith('/api/v1/snapshot/report')).length;
  /** In this test. */
  const asked = async (): Promise<number> => (await askedInAll()) - askedBefore;

  async function get(again = false): Promise<{ readonly id: string; readonly kept: boolean }> {
    const answer = done(await reports.request(wish, again));
    if (answer.is === 'job') throw new Error('not ready');
    return { id: answer.snapshot.id, kept: answer.kept };
  }

  const look = async (id: string, as: ReportQuery): Promise<ReportView> => done(await reports.view(id, as));

  test('the same wish is sent once a day, unless the user asks again', async () => {
    const first = await get();
    expect(await get()).toEqual({ id: first.id, kept: true });
    expect(await asked()).toBe(1);
    const again = await get(true);
    expect(again.kept).toBe(false);
    today = addDays(today, 1);
    expect((await get()).kept).toBe(false);
    expect(await asked()).toBe(3);
    expect((await reports.list()).snapshots).toHaveLength(3);
  });

  test('two clicks at once send one request', async () => {
    const both = await Promise.all([get(), get()]);
    expect(both[0].id).toBe(both[1].id);
    expect(await asked()).toBe(1);
  });

  test('a kept report survives a restart and is looked at without asking the service', async () => {
    const { id } = await get();
    const before = await look(id, LOOK);
    await restart();
    expect(await look(id, LOOK)).toEqual(before);
    expect(before.page.length).toBeGreaterThan(2);
    expect(await asked()).toBe(1);
  });

  test('however rows are put together, a report has the same total, and its groups add up to it', async () => {
    const { id } = await get();
    const looks = ['campaignName', 'keywordId', 'date'].map((groupBy) => ({ ...LOOK, groupBy, count: 500 }));
    const views = await Promise.all(looks.map((each) => look(id, each)));
    for (const view of views) {
      const sum = view.page.reduce((total, group) => total + (group.figures['impressions'] ?? 0), 0);
      expect(sum).toBe(view.total.figures['impressions']);
    }
    expect(new Set(views.map((view) => JSON.stringify(view.total))).size).toBe(1);
  });

  test('the top rows are those with the most of the figure, whatever order and page is shown', async () => {
    const { id } = await get();
    const names = (rows: readonly { readonly label: string }[]) => rows.map(({ label }) => label);
    const most = names((await look(id, LOOK)).page).slice(0, 8);
    const other = await look(id, { ...LOOK, descending: false, from: 1, count: 2 });
    expect(names(other.top)).toEqual(most);
    expect(names(other.page)).not.toEqual(most);
  });

  test('narrowing to a name narrows total, days and groups alike', async () => {
    const { id } = await get();
    const whole = await look(id, LOOK);
    const name = whole.page[0]?.label ?? '';
    const part = await look(id, { ...LOOK, contains: name.toUpperCase() });
    expect(part.page.map(({ label }) => label)).toEqual([name]);
    expect(part.total.figures['impressions']).toBe(whole.page[0]?.figures['impressions']);
    const overDays = part.days.reduce((total, day) => total + (day.figures['impressions'] ?? 0), 0);
    expect(overDays).toBe(part.total.figures['impressions']);
  });

  test('a grouping that the report does not have gives way to its first column', async () => {
    const { id } = await get();
    const view = await look(id, { ...LOOK, groupBy: 'nothing of the kind' });
    expect(view.groupBy).toBe(view.groupings[0]);
  });

  test('a removed report is gone from the disk, and removing it twice is said', async () => {
    const { id } = await get();
    expect(await reports.remove(id)).toBe(true);
    expect(await reports.remove(id)).toBe(false);
    expect(await readdir(fileOf(''))).toEqual([]);
    expect(await reports.view(id, LOOK)).toEqual(notKept(id));
  });

  test('a description that cannot be read is counted and hides no other report', async () => {
    const { id } = await get();
    await writeFile(fileOf('keyword-broken.json'), '{"half":');
    expect(await reports.list()).toMatchObject({ damaged: 1, snapshots: [{ id }] });
  });

  describe('rows that cannot be read from the disk are said to be that, and never an empty report', () => {
    const UNREADABLE: readonly [what: string, spoil: (file: string) => Promise<unknown>, detail: string][] = [
      ['cut off', (file) => truncate(file, 20), 'SHA-256'],
      ['overwritten', (file) => writeFile(file, 'something else'), 'SHA-256'],
      ['a folder in their place', (file) => rm(file).then(() => mkdir(file)), 'EISDIR'],
    ];
    test.each(UNREADABLE)('%s', async (_what, spoil, detail) => {
      const { id } = await get();
      await spoil(fileOf(`${id}.raw`));
      await restart();
      const unreadable = fail('REPORT_UNREADABLE', { id, detail });
      expect(await reports.view(id, LOOK)).toEqual(unreadable);
      expect(await reports.rows(id)).toEqual(unreadable);
      expect(await reports.ofRows(id, 'keyword', ['1'])).toEqual(unreadable);
      const again = await get(true);
      expect(await look(again.id, LOOK), 'fetched again it is there').toMatchObject({ snapshot: { id: again.id } });
    });
  });

  test('what the service refuses is kept nowhere', async () => {
    wish = { ...wish, reportType: 'horoscope' };
    const answer = await reports.request(wish, false);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'refused' } });
    expect((await reports.list()).snapshots).toEqual([]);
  });

  test('figures stand beside rows by the ids of the service, and add up to the total of the report', async () => {
    const { id } = await get();
    const byKeyword = await look(id, { ...LOOK, groupBy: 'keywordId', count: 500 });
    const ids = byKeyword.page.map(({ label }) => label);
    const rows = done(await reports.ofRows(id, 'keyword', [...ids, 'of nobody']));
    expect(rows.map(({ remoteId }) => remoteId)).toEqual(ids);
    expect(rows.map(({ figures }) => figures)).toEqual(byKeyword.page.map(({ figures }) => figures));
    const groups = await reports.ofRows(id, 'adItem', ids);
    expect(groups, 'a report by keyword says nothing of items').toEqual(ok([]));
    await reports.remove(id);
    expect(await reports.ofRows(id, 'keyword', ids)).toEqual(notKept(id));
  });
});

describe('what is asked for', () => {
  test('an attribution window leaves the others out, and is another wish than none', async () => {
    const { request, reports, wish, sent } = await deployment('');
    const columnsOf = async (asked: Requested): Promise<readonly string[]> => {
      const found = await reports().rows(snapshotOf(asked).id);
      return found.ok ? (found.value.rows[0] ?? []) : [];
    };
    expect(await columnsOf(await request())).toContain('attributedSales3days');
    const columns = await columnsOf(await request({ ...wish, attributionWindow: 'days14' }));
    expect(columns).toContain('attributedSales14days');
    expect(columns).not.toContain('attributedSales3days');
    expect(await request({ ...wish, attributionWindow: 'days14' })).toMatchObject({ is: 'report', kept: true });
    expect(await sent()).toBe(2);
  });

  test('the settings of the account say what is sent where nobody does, and null sends nothing', async () => {
    const { request, wish } = await deployment('', { report: { attributionWindow: 'days30', format: 'gzip' } });
    const usual = snapshotOf(await request());
    expect(usual).toMatchObject({
      attributionWindow: 'days30',
      format: 'gzip',
      raw: { mediaType: 'application/gzip' },
    });
    const own = snapshotOf(await request({ ...wish, attributionWindow: 'days3', format: null }));
    expect(own).toMatchObject({ attributionWindow: 'days3', raw: { mediaType: 'application/json' } });
    expect(own.format).toBeUndefined();
  });

  const packings = [
    ['json', 'application/json'],
    ['csv', 'text/csv'],
    ['gzip', 'application/gzip'],
    ['zip', 'application/zip'],
    ['zip-parts', 'application/zip'],
    ['zip-mixed', 'application/zip'],
  ] as const;
  const some = share('packings of a report', packings, 3);
  test.each(some)('a deployment that packs everything as %s gives the same figures', async (file, mediaType) => {
    const plain = await deployment('');
    const other = await deployment(`report-answer=address,report-file=${file}`);
    const total = async ({ request, reports, wish }: typeof plain) => {
      const snapshot = snapshotOf(await request({ ...wish, reportType: 'campaign' }));
      const view = done(await reports().view(snapshot.id, LOOK));
      return { snapshot, total: view.total };
    };
    const [usual, packed] = [await total(plain), await total(other)];
    expect(packed.total).toEqual(usual.total);
    expect(packed.snapshot.raw?.mediaType).toBe(mediaType);
    expect(packed.snapshot.parts?.map(({ name, used }) => [name, used])).toEqual(PARTS[file]);
  });

  test('a type that only the deployment knows is asked for, kept, and remembered for this account', async () => {
    const { request, reports, restart, wish } = await deployment('report-type=audience_segment', {
      report: { types: ['searchTerm'] },
    });
    expect(await reports().types()).toEqual(['searchTerm']);
    expect(await reports().request({ ...wish, reportType: 'horoscope' }, false)).toMatchObject({ ok: false });
    const snapshot = snapshotOf(await request({ ...wish, reportType: 'audience_segment' }));
    expect(snapshot.rows).toBeGreaterThan(0);
    await request();
    await restart();
    expect(await reports().types()).toEqual(['searchTerm', 'audience_segment']);
    expect(REPORT_TYPES).not.toContain('audience_segment');
    const view = await reports().view(snapshot.id, { ...LOOK, groupBy: 'audience_segment' });
    expect(view).toMatchObject({ ok: true, value: { groupBy: 'audience_segment', groups: 2 } });
  });
});
const PARTS: Readonly<Record<string, unknown>> = {
  'zip-parts': [
    ['report-1.csv', true],
    ['report-2.csv', true],
  ],
  'zip-mixed': [
    ['totals.csv', false],
    ['report-1.csv', true],
    ['report-2.csv', true],
    ['readme.txt', false],
  ],
};

describe('a report is kept', () => {
  test('to the byte, and its rows are read from these bytes', async () => {
    const { request, reports, folder, restart } = await deployment('report-answer=address,report-file=gzip');
    const { id, raw } = snapshotOf(await request());
    await restart();
    const found = done(await reports().raw(id));
    expect(found.bytes).toEqual(await readFile(join(folder, 'reports', `${id}.raw`)));
    expect(found.bytes).toHaveLength(raw?.bytes ?? -1);
    expect(gunzipSync(found.bytes).toString()).toMatch(/^date,campaignId,/);
  });

  test('by the version before is opened, looked at and taken along as ever', async () => {
    const { folder, reports, restart, request, wish } = await deployment('');
    await cp(join(import.meta.dirname, 'kept-reports-before'), join(folder, 'reports'), { recursive: true });
    await restart();
    const { snapshots, damaged } = await reports().list();
    expect(damaged).toBe(0);
    const [kept] = snapshots;
    expect(kept).toMatchObject({ reportType: 'keyword', rows: 2, fetchedOn: '2026-05-03' });
    const id = kept?.id ?? '';
    const view = await reports().view(id, LOOK);
    expect(view).toMatchObject({
      value: {
        groups: 1,
        total: { rows: 2, figures: { impressions: 2000, adSpend: 2075, attributedSales14days: 8810 } },
      },
    });
    const raw = await reports().raw(id);
    expect(raw).toMatchObject({ value: { mediaType: 'text/csv', bytes: expect.any(Buffer) } });
    await request({ ...wish, reportType: 'campaign' });
    expect(await reports().remove(id)).toBe(true);
    expect((await readdir(join(folder, 'reports'))).filter((name) => name.startsWith(id))).toEqual([]);
  });
});

/** Packed data may become as much here; what is real is tested where files are fetched. */
const LIMIT = 1024 * 1024;

/** What the file is called in the problem it is refused with. */
const unreadable = (found: string) => ({ error: { kind: 'not-readable', found: expect.stringContaining(found) } });

describe('a report file is told by its bytes', () => {
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['plain CSV', () => Buffer.from(TABLE), 'text/csv'],
    ['CSV that begins with a mark of its order of bytes', () => Buffer.from(`\uFEFF${TABLE}`), 'text/csv'],
    ['gzip', () => gzipSync(TABLE), 'application/gzip'],
    ['JSON', () => Buffer.from('[{"keyword":"paper, towel","impressions":12}]'), 'application/json'],
    [
      'JSON of lists',
      () => Buffer.from('{"rows":[["keyword","impressions"],["paper, towel",12]]}'),
      'application/json',
    ],
    ['ZIP with one file', () => zipOf({ 'without-an-ending': TABLE }), 'application/zip'],
    [
      'ZIP with JSON',
      () => zipOf({ 'a.json': '{"rows":[{"keyword":"paper, towel","impressions":12}]}' }),
      'application/zip',
    ],
    ['ZIP with gzip in it', () => zipOf({ 'a.csv.gz': gzipSync(TABLE) }), 'application/zip'],
  ])('%s', async (_what, make, mediaType) => {
    const file = await make();
    const asked = await readReportFile(file);
    expect(asked).toEqual({ ok: true, value: { rows: ROWS, mediaType, parts: [] } });
  });

  test('files of an archive with the same columns are one table, whatever lies beside them', async () => {
    const more = 'keyword,impressions\r\nkitchen roll,7\r\n';
    const file = await zipOf({
      'may/1.csv': TABLE,
      'may/2.csv': more,
      '__MACOSX/may/._1.csv': 'x',
      'readme.txt': 'Figures.\r\n',
    });
    expect(await readReportFile(file)).toMatchObject({
      value: {
        rows: [...ROWS, ['kitchen roll', '7']],
        parts: [
          { name: 'may/1.csv', rows: 1, used: true },
          { name: 'may/2.csv', rows: 1, used: true },
          { name: 'readme.txt', rows: 0, used: false },
        ],
      },
    });
  });

  test('where columns differ, the table with the most rows counts and the others are listed', async () => {
    const file = await zipOf({ 'totals.csv': 'total,spend\r\nall,9\r\n', 'a.csv': TABLE, 'b.csv': TABLE });
    expect(await readReportFile(file)).toMatchObject({
      value: {
        rows: [...ROWS, ROWS[1]],
        parts: [
          { name: 'totals.csv', rows: 1, used: false },
          { name: 'a.csv', used: true },
          { name: 'b.csv', used: true },
        ],
      },
    });
  });
});

describe('an archive that is not what it should be is refused in words of its own', () => {
  const one = () => zipOf({ 'report-of-may.csv': TABLE });
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['an archive in an archive', async () => zipOf({ 'inner.zip': await one() }), 'another one in it (inner.zip)'],
    [
      'a name that climbs',
      async () => renamed(await one(), 'report-of-may.csv', '../report-may.csv'),
      'leads out of its folder',
    ],
    [
      'an absolute name',
      async () => renamed(await one(), 'report-of-may.csv', '/eport-of-may.csv'),
      'leads out of its folder',
    ],
    ['a bomb that states its size', () => zipOf({ 'a.csv': Buffer.alloc(3 * LIMIT) }), 'more than 1 MB'],
    [
      'a bomb that states a small size',
      async () => withEntry(await zipOf({ 'a.csv': Buffer.alloc(3 * LIMIT) }), 24, [9, 0, 0, 0]),
      'damaged',
    ],
    ['two files that are too much together', () => zipOf({ 'a.csv': HALF, 'b.csv': HALF }), 'more than 1 MB'],
    [
      'too many files',
      () => zipOf(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.csv`, 'a'])), false),
      '1000 files',
    ],
    ['a password', async () => withEntry(await one(), 8, [9, 0]), 'an encrypted ZIP archive'],
    ['strong encryption', async () => withEntry(await one(), 8, [0x41, 0]), 'an encrypted ZIP archive'],
    ['a checksum that does not agree', async () => withEntry(await one(), 16, [1, 2, 3, 4]), 'not what was packed'],
    ['a packing nobody knows', async () => withEntry(await one(), 10, [99, 0]), 'packed in a way'],
    ['an end that is missing', async () => (await one()).subarray(0, 60), 'cut short'],
    ['bytes in the middle that are missing', async () => cut(await one()), 'damaged'],
    ['no file at all', () => zipOf({}), 'without a file'],
    ['no table at all', () => zipOf({ 'a.txt': 'Figures.', 'b.txt': 'More.' }), 'without a table'],
    ['gzip that is cut off', () => gzipSync(TABLE).subarray(0, 20), 'a damaged archive'],
    ['gzip in gzip', () => gzipSync(gzipSync(TABLE)), 'an archive within an archive'],
    ['a web page', () => Buffer.from('<!doctype html><title>Sign in</title>'), 'a web page'],
    ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'neither text nor an archive'],
    ['JSON that breaks off', () => Buffer.from('[{"keyword":"a'), 'not JSON'],
    ['gzip that is too much', () => gzipSync(Buffer.alloc(3 * LIMIT)), 'more than 1 MB'],
    ['JSON that is too much to be read losslessly', () => Buffer.from(`["${'a'.repeat(5_000_000)}"]`), 'choose CSV'],
    ['JSON without rows', () => Buffer.from('{"message":"later"}'), 'JSON without rows'],
  ])('%s', async (_what, make, found) => {
    expect(await readReportFile(await make(), LIMIT)).toMatchObject(unreadable(found));
  });
});

const HALF = Buffer.alloc(0.6 * LIMIT, 'a');
const cut = (zip: Buffer): Buffer => Buffer.concat([zip.subarray(0, 20), zip.subarray(30)]);

describe('damaged report', () => {
  /** A report whose rows were cut off on the disk, as windows and the command line meet it. */
  const WISH = { reportType: 'keyword', startDate: '2026-05-01', endDate: '2026-05-07', byDate: false };
  const LOOK = { groupBy: 'keywordId', sortBy: 'clicks', figure: 'clicks', from: 0, count: 10 };

  const folder = testFolder('damaged-report');

  function reportId(answer: Awaited<ReturnType<Client['reports']['request']>>): string {
    if (answer.is === 'job') throw new Error('not ready');
    return answer.snapshot.id;
  }

  function cutOff(accountFolder: string): void {
    const reports = join(accountFolder, 'reports');
    const files = readdirSync(reports).filter((name) => name.endsWith('.raw'));
    expect(files).toHaveLength(1);
    for (const file of files) truncateSync(join(reports, file), 12);
  }

  test('a window is told that the report is damaged, its lists open all the same, and the service has it still', async () => {
    const { client, dataDir, workspaceId, reopen } = await aCoreWithPractice();
    const id = reportId(await client().reports.request({ workspaceId, wish: WISH }));
    await reopen(() => cutOff(workspaceFolder(dataDir, workspaceId)));
    const { reports, workspace } = client();
    const told = { code: 'REPORT_UNREADABLE', defined: true, data: { id, detail: 'SHA-256' } };
    expect((await safe(reports.view({ workspaceId, id, look: LOOK }))).error).toMatchObject(told);
    expect((await safe(reports.csv({ workspaceId, id }))).error).toMatchObject(told);
    expect((await safe(reports.ofRows({ workspaceId, id, kind: 'keyword', remoteIds: ['1'] }))).error).toMatchObject(
      told,
    );
    const sort = [{ column: 'metric.clicks', descending: true }];
    await workspace.openView({ workspaceId, view: { kind: 'keyword', report: id, sort } });

    const again = await reports.request({ workspaceId, wish: WISH, again: true });
    const fresh = reportId(again);
    expect(await reports.view({ workspaceId, id: fresh, look: LOOK })).toMatchObject({ snapshot: { id: fresh } });
  });

  test('the command line says so as well, and that --refetch gets the report again', async () => {
    const ask = (...more: readonly string[]) =>
      cli(folder, 'report', '--from', WISH.startDate, '--to', WISH.endDate, ...more);
    await cli(folder, 'account', 'add', '--name', 'Shop', '--practice');
    expect((await ask()).code).toBe(0);
    const [account] = readdirSync(join(folder, 'workspaces'));
    cutOff(join(folder, 'workspaces', account ?? ''));
    expect(await ask()).toMatchObject({ code: 1, err: expect.stringContaining('--refetch to get it again') });
    expect((await ask('--refetch')).code).toBe(0);
  });
});
