import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../main/app/clock.ts';
import { openCube } from '../../main/cube/cube.ts';
import { ingestReport } from '../../main/cube/ingest-reports.ts';
import { createMetricsFetch } from '../../main/reports/metrics-fetch.ts';
import { addDays, daysBetween, wallTimeInZone } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { cli, cliJson, keptOpen, practiceData, written } from '../cli/cli.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { HERE } from '../store/without-threads.ts';
import { deployment } from './a-deployment.ts';

/** Of one report, which has 60 of them unless the profile says so: the fewer, the less there is to put together. */
const REPORT_DAYS = 15;
/** More than one report has, so that each type takes two of them. */
const SINCE_DAYS = REPORT_DAYS + 1;

/** The requests of metrics of an account of a practice service that answers in some way, with its cube. */
async function fetching(quirks: string) {
  const service = await deployment(quirks, { report: { daysMax: REPORT_DAYS } });
  const { control, folder } = service;
  const cube = await openCube(
    { file: join(folder, 'cube.db'), account: join(folder, 'workspace.db'), currency: 'USD' },
    HERE.account,
  );
  onTestFinished(() => cube.close());
  const serviceNowMs = async (): Promise<number> => Date.parse((await control.state()).now);
  const today = async () => (await control.state()).now.slice(0, 10) as PlainDate;
  const meta = new Map<string, string>();
  let mayAsk = true;
  let held: Promise<void> | null = null;
  let isHeld = false;
  const { reports } = service.account();
  const { store } = reports;
  const fetch = createMetricsFetch({
    reports,
    store,
    workspace: {
      getMeta: async (key) => meta.get(key) ?? null,
      setMeta: async (key, value) => void meta.set(key, value),
    },
    profile: { ...service.profile, business: { zone: 'UTC' } },
    sleepState: undefined,
    serviceNowMs,
    nowMs: service.clock.nowMs,
    known: async (type) => new Map((await cube.asked(type)).map((record) => [record.day, record])),
    rowsPerDay: async () => 10,
    since: async () => addDays(await today(), -SINCE_DAYS),
    takeIn: async (id) => {
      const snapshot = await store.find(id);
      if (snapshot === null) return 'it is not kept';
      const taken = await ingestReport(cube, snapshot, store.fileOf(snapshot));
      return taken === null || taken.ok ? '' : taken.error.detail;
    },
    mayAsk: async () => {
      isHeld = held !== null;
      await held;
      return mayAsk;
    },
  });
  return {
    ...service,
    cube,
    fetch,
    store,
    today,
    /** Metrics of yesterday are there. */
    noon: async () => service.advance(`PT${36 - Number((await control.state()).now.slice(11, 13))}H`),
    block: (isBlocked: boolean) => {
      mayAsk = !isBlocked;
    },
    /** The next request waits until the promise resolves. */
    hold: (until: Promise<void>) => {
      held = until;
    },
    isHeld: () => isHeld,
  };
}

const states = (fetched: readonly { readonly state: string }[]) => [...new Set(fetched.map(({ state }) => state))];

describe('days of metrics are requested', () => {
  const ANSWERS = [
    ['rows in the answer', ''],
    ['an address', 'report-answer=address,report-file=csv'],
    ['a packed file', 'report-answer=address,report-file=zip-parts'],
  ] as const;
  test.each(share('answers with metrics', ANSWERS, 3))(
    'by documented calls alone, answered with %s: once, newest first, and not again on that day',
    async (_, quirks) => {
      const { fetch, sent, cube, reports, advance, noon, today } = await fetching(quirks);
      await noon();
      expect(await fetch.keepsFresh()).toBe(false);
      const all = await fetch.fetch({ waits: true });
      expect(states(all)).toEqual(['received']);
      expect(all).toHaveLength(16);
      expect(await sent()).toBe(16);
      const days = all.map(({ startDate, endDate }) => daysBetween(startDate, endDate) + 1);
      expect(days).toEqual([...Array.from({ length: 8 }, () => REPORT_DAYS), ...Array.from({ length: 8 }, () => 1)]);
      expect(all[0]?.endDate).toBe(addDays(await today(), -1));
      expect((await cube.sizes()).sources.map(({ days }) => days)).toEqual(Array.from({ length: 8 }, () => SINCE_DAYS));
      expect(await fetch.due()).toEqual([]);
      // The user asked for metrics, so they are kept fresh; nobody is bothered with the reports behind them.
      expect(await fetch.keepsFresh()).toBe(true);
      expect((await reports().list()).snapshots).toEqual([]);
      await advance('P1D');
      expect(await fetch.due()).toHaveLength(16);
      await fetch.tick();
      expect(await fetch.due()).toEqual([]);
    },
    120_000,
  );

  test('by nobody unless the user wants it, while a sync needs the service, and what is refused tomorrow', async () => {
    const { fetch, sent, advance, noon, block } = await fetching('');
    await noon();
    await fetch.tick();
    expect(await sent()).toBe(0);
    await fetch.setFresh(true);
    block(true);
    await fetch.tick();
    expect(await sent()).toBe(0);
    block(false);
    const [refused] = await fetch.fetch({ types: ['keywords'], waits: true });
    expect(refused).toMatchObject({ state: 'failed', reportType: 'keywords' });
    // Its earlier days were not asked about, and nothing of it is due before tomorrow.
    expect(await sent()).toBe(1);
    expect(await fetch.due(['keywords'])).toEqual([]);
    await advance('P1D');
    expect(await fetch.due(['keywords'])).toHaveLength(2);
  });

  test('as jobs, four at a time, that are waited for without a word; a finished file is dropped after a week', async () => {
    const { fetch, sent, reports, advance, noon, clock, store, folder } = await fetching(
      'report-answer=job,report-minutes=30,report-file=zip',
    );
    await noon();
    await fetch.setFresh(true);
    await fetch.tick();
    await fetch.tick();
    expect(await sent()).toBe(4);
    expect(await fetch.due()).toHaveLength(12);
    expect((await reports().jobsToRead()).jobs).toEqual([]);
    await advance('PT31M');
    const done = await fetch.fetch({ waits: true, types: [] });
    expect(done.map(({ state }) => state)).toEqual(['received', 'received', 'received', 'received']);
    expect((await store.list()).snapshots).toHaveLength(4);
    // Who asks for one of them to read it, keeps it.
    const [first] = (await store.list()).snapshots;
    if (first === undefined) throw new Error('no report');
    const { reportType, startDate, endDate, byDate } = first;
    await reports().request({ reportType, startDate, endDate, byDate }, false);
    expect((await reports().list()).snapshots).toMatchObject([{ id: first.id, rows: expect.any(Number) }]);
    await fetch.setFresh(false);
    await clock.sleep(8 * 86_400_000);
    await fetch.tick();
    expect((await store.list()).snapshots.map(({ id }) => id)).toEqual([first.id]);
    expect(readdirSync(join(folder, 'reports')).filter((name) => name.endsWith('.raw'))).toHaveLength(1);
  });
});

test('a second wish for metrics takes no job from the first, which waits for it', async () => {
  const { fetch, reports, advance, noon, block, hold, isHeld } = await fetching('report-answer=job,report-minutes=30');
  await noon();
  await fetch.setFresh(true);
  await fetch.tick();
  await advance('PT31M');
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  block(true);
  const first = fetch.fetch({ waits: true });
  await expect.poll(isHeld).toBe(true);
  for (const { snapshotId } of (await reports().jobs.list()).jobs) await reports().jobs.look(snapshotId);
  const second = fetch.fetch({ waits: true, types: [] });
  await Promise.race([second, systemClock.sleep(200)]);
  resolve();
  expect(states(await first)).toEqual(['received', 'later']);
  await second;
});

const Status = z.object({ keepFresh: z.boolean(), due: z.array(z.unknown()), sources: z.array(z.unknown()) });
/** The reader that comes with the writer. */
async function parquetReader(): Promise<{
  readonly asyncBufferFromFile: (path: string) => Promise<unknown>;
  readonly parquetReadObjects: (from: { readonly file: unknown }) => Promise<readonly unknown[]>;
}> {
  const beside = createRequire(import.meta.resolve('hyparquet-writer'));
  return import(pathToFileURL(beside.resolve('hyparquet')).href);
}

const Imported = z.object({
  reportType: z.string(),
  rows: z.int(),
  taken: z.array(z.string()),
  older: z.array(z.string()),
});
const Exported = z.object({ reportType: z.string(), rows: z.int(), days: z.int(), missing: z.int() });
const Fetched = z.object({ received: z.int(), failed: z.int(), reports: z.array(z.unknown()) });

const data = keptOpen(practiceData(testFolder('metrics-fetch')));
test('the command line fetches the metrics, says what is saved, and exports them', async () => {
  // Noon of tomorrow at the business, whatever time it is here: metrics of yesterday are there.
  const hour = Number(wallTimeInZone(Date.now(), 'America/Los_Angeles').slice(11, 13));
  expect((await cli(data, 'practice', 'clock', `PT${36 - hour}H`)).code).toBe(0);
  expect((await cliJson(Status, data, 'cube', 'status')).json).toMatchObject({ keepFresh: false, sources: [] });
  const fetched = await cliJson(Fetched, data, 'cube', 'fetch', '--type', 'campaign', '--keep-fresh', 'off');
  expect(fetched).toMatchObject({ code: 0, json: { failed: 0 } });
  expect((await cliJson(Status, data, 'cube', 'status')).json).toMatchObject({
    keepFresh: false,
    sources: [{ reportType: 'campaign', days: 730 }],
  });
  const path = written(data, 'may.csv', 'date,campaignId,clicks\n2026-05-01,77,3\n2026-05-02,77,4\n');
  // As old as its file: what was fetched since stays.
  utimesSync(path, 1_778_400_000, 1_778_400_000);
  const imported = await cliJson(Imported, data, 'report', 'import', path);
  expect(imported.json).toEqual({ reportType: 'campaign', rows: 2, taken: [], older: ['2026-05-01', '2026-05-02'] });
  const other = written(data, 'old.csv', 'date,keywordId,clicks,newMetric\n2020-05-01,77,3,8\n2020-05-02,77,4,9\n');
  expect((await cliJson(Imported, data, 'report', 'import', other)).json.taken).toEqual(['2020-05-01', '2020-05-02']);
  const out = join(data, 'out.csv');
  const span = ['--from', '2020-05-01', '--to', '2020-05-03'];
  const exported = await cliJson(Exported, data, 'cube', 'export', '--type', 'keyword', ...span, '--out', out);
  expect(exported.json).toEqual({ reportType: 'keyword', rows: 2, days: 2, missing: 1 });
  expect(readFileSync(out, 'utf8')).toBe(
    '\uFEFFdate,keywordId,clicks,newMetric\r\n2020-05-01,77,3,8\r\n2020-05-02,77,4,9\r\n',
  );
  const parquet = join(data, 'out.parquet');
  await cliJson(Exported, data, 'cube', 'export', '--type', 'keyword', ...span, '--out', parquet);
  const { parquetReadObjects, asyncBufferFromFile } = await parquetReader();
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
  expect(rows.at(-1)).toEqual({ date: new Date('2020-05-02'), keywordId: '77', clicks: 4n, newMetric: 9n });
  const cut = written(data, 'cut.csv', 'date,campaignId,clicks\n2026-05-01,77,3\n2026-05-');
  const refused = await cli(data, 'report', 'import', cut);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('cut.csv: the file is cut short: line 3') });
});
