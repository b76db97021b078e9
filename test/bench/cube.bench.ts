import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import papaparse from 'papaparse';
import { type Cube, openCube } from '../../main/cube/cube.ts';
import type { SpanLook } from '../../main/cube/span-sums.ts';
import { numberOf } from '../../main/store/db/db.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import { asRowId, type PlainDate } from '../../shared/model/scalars.ts';
import { SUMMED } from '../../shared/reports/account-metrics.ts';
import { median, repeated, said, share } from './figure.ts';

/**
 * Metrics of keywords over a hundred days, then over two years: `node test/bench/cube.bench.ts [ROWS]`, or
 * `npm run bench -- cube --rows 10000000`. A million rows unless told otherwise; the limits are those of ten million, and limits
 * of time for all rows shrink with them. Two years are the same hundred days again and again, so seven times the rows.
 */
const [first, file] = process.argv.slice(2);
/** Parses a file with papaparse in a process of its own, whose memory is not that of the metrics. */
const PEER = '--peer';
const ROWS = first === PEER ? 0 : Number(first ?? 1_000_000);
const DAYS = 100;
const KEYWORDS = Math.max(100, Math.floor(ROWS / DAYS));
const PART = Math.min(1, ROWS / 10_000_000);
const FIRST = '2026-01-01' as PlainDate;
const FETCHED = addDays(FIRST, DAYS);
const folder = mkdtempSync(join(tmpdir(), 'adslate-cube-bench-'));

const COLUMNS = [
  'impressions',
  'clicks',
  'adSpend',
  ...['3days', '14days', '30days'].flatMap((window) =>
    ['attributedOrders', 'attributedUnits', 'attributedSales'].map((name) => name + window),
  ),
];

/** Long-tailed: few rows with a click, fewer with an order. */
async function writeReport(path: string, from: number, days: number): Promise<void> {
  const out = createWriteStream(path);
  out.write(`date,campaignId,adGroupId,keywordId,keywordText,matchType,${COLUMNS.join(',')}\n`);
  let state = 42;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let day = from; day < from + days; day++) {
    const date = addDays(FIRST, day);
    for (let at = 0; at < KEYWORDS; at += 1000) {
      let text = '';
      for (let keyword = at; keyword < Math.min(KEYWORDS, at + 1000); keyword++) {
        const clicks = random() < 0.18 ? Math.ceil(random() ** 3 * 20) : 0;
        const orders = clicks > 0 && random() < 0.08 ? 1 : 0;
        const sales = orders * Math.round(random() * 5000);
        const sums = [Math.ceil(random() ** 4 * 400), clicks, (clicks * 0.61).toFixed(2)];
        const bought = Array.from({ length: 3 }, () => [orders, orders, (sales / 100).toFixed(2)]).flat();
        text += `${date},${keyword % 500},${keyword % 500},${keyword},word ${keyword},exact,${[...sums, ...bought].join(',')}\n`;
      }
      if (!out.write(text)) await once(out, 'drain');
    }
  }
  out.end();
  await finished(out);
}

const parseAlone = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    papaparse.parse(createReadStream(path), {
      dynamicTyping: true,
      step: () => undefined,
      complete: () => resolve(),
      error: reject,
    });
  });

async function take(cube: Cube, path: string, from: number, days: number, fetchedAt: number): Promise<void> {
  const span = { from: addDays(FIRST, from), to: addDays(FIRST, from + days - 1) };
  const file = {
    path,
    sha256: null,
    id: null,
    reportType: 'keyword',
    attributionWindow: null,
    fetchedAt,
    fetchedOn: FETCHED,
  };
  const taken = await cube.ingest({ ...file, span });
  if (!taken.ok) throw new Error(taken.error.detail);
}

/** The same sums over typed arrays that are there already. */
function bareLoop(): number {
  const sums = SUMMED.map(() => new Float64Array(KEYWORDS));
  const day = new Int16Array(KEYWORDS).fill(3);
  const start = performance.now();
  for (let days = 0; days < 56; days++) {
    for (const sum of sums) for (let at = 0; at < KEYWORDS; at++) sum[at] = (sum[at] ?? 0) + (day[at] ?? 0);
  }
  return performance.now() - start;
}

async function main(): Promise<boolean> {
  const account = join(folder, 'workspace.db');
  const db = openDb(account);
  migrate(db);
  // The rows that the reports are about.
  db.exec('PRAGMA foreign_keys = OFF');
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${KEYWORDS - 1})
    INSERT INTO keyword(id, campaign_id, ad_group_id, remote_id, text, bid, sort_key)
    SELECT i + 1, 1 + i % 500, 1 + i % 500, i, 'word ' || i, 80, 'word ' || i FROM n`);
  db.close();
  const report = join(folder, 'all.csv');
  await writeReport(report, 0, DAYS);
  const open = () => openCube({ file: join(folder, 'cube.db'), account, currency: 'USD' });
  const withoutBytes = process.memoryUsage.rss();
  let cube = await open();
  const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const load = await timeOf(() => take(cube, report, 0, DAYS, 1));
  const alone = Number(execFileSync(process.execPath, [import.meta.filename, PEER, report], { encoding: 'utf8' }));
  const verdicts = [
    said(`Q1 load ${KEYWORDS * DAYS} rows of CSV`, load / 1000, 's', {
      bar: 30 * PART,
      peer: 'papaparse alone',
      peerValue: alone / 1000,
      ratioBar: 1.6,
    }),
  ];
  await cube.close();
  cube = await open();
  const lookAt = (to: number, days = 28): SpanLook => ({
    span: { from: addDays(FIRST, to - days + 1), to: addDays(FIRST, to) },
    window: 14,
    settledOnly: false,
  });
  const both = async (to: number) => {
    await cube.grouped('campaign', 'keyword', lookAt(to), lookAt(to).span);
    await cube.grouped('campaign', 'keyword', lookAt(to - 28), lookAt(to).span);
  };
  verdicts.push(
    said('Q2 by campaign, 28 days and 28 before, first after the start', await timeOf(() => both(99)), 'ms', {
      bar: 400,
    }),
  );
  const bare = median(await repeated(5, bareLoop));
  // Other days each time, so that nothing is added up already.
  verdicts.push(
    said('Q2 the same, warm', median(await repeated(5, (i) => both(98 - i))), 'ms', {
      bar: 100,
      peer: 'a bare loop over typed arrays',
      peerValue: bare,
      ratioBar: PART < 1 ? null : 3,
    }),
  );
  const refresh = join(folder, 'refresh.csv');
  await writeReport(refresh, DAYS - 31, 31);
  let isOver = false;
  const refreshed = timeOf(() => take(cube, refresh, DAYS - 31, 31, 2)).finally(() => {
    isOver = true;
  });
  const asked: number[] = [];
  // A screen of rows, further down each time, as somebody reads who scrolls.
  const screen = (first: number) => Array.from({ length: 100 }, (_, i) => asRowId(1 + ((first + i) % KEYWORDS)));
  await cube.ofRows('keyword', screen(0), lookAt(99), true);
  while (!isOver) {
    const ids = screen(100 * asked.length);
    asked.push(await timeOf(() => cube.ofRows('keyword', ids, lookAt(99), true)));
  }
  verdicts.push(said('Q7 daily refresh of 31 days', (await refreshed) / 1000, 's', { bar: Math.max(1, 6 * PART) }));
  verdicts.push(
    said(
      'Q4 metrics and trends of 100 rows while a fetch is taken in, p95',
      share(
        asked.toSorted((a, b) => a - b),
        0.95,
      ),
      'ms',
      { bar: 10 },
    ),
  );
  verdicts.push(
    said('Q9 memory that the metrics add to the process', (process.memoryUsage.rss() - withoutBytes) / 2 ** 20, 'MB', {
      bar: 200,
    }),
  );
  await cube.close();
  const years = openDb(join(folder, 'cube.db'));
  for (let copy = 1; copy * DAYS < 730; copy++)
    years.exec(`INSERT INTO segment SELECT source, day - ${copy * DAYS}, fetched_at, fetched_on, rows, crc, content FROM segment
      WHERE day >= (SELECT max(day) - ${DAYS - 1} FROM segment)`);
  years.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'revision'");
  years.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const months = (): number => numberOf(years, 'SELECT count(*) FROM rollup');
  const year = (): Promise<unknown> => cube.grouped('campaign', 'keyword', lookAt(60, 365), lookAt(60, 365).span);
  cube = await open();
  verdicts.push(
    said(`Q10 two years, ${DAYS * 8 * KEYWORDS} rows: Q2 first after the start`, await timeOf(() => both(99)), 'ms', {
      bar: 400,
    }),
    said('Q10 two years: Q2 warm', median(await repeated(5, (i) => both(98 - i))), 'ms', { bar: 100 }),
  );
  await year();
  for (let before = -1; before < months(); await new Promise((resolve) => setTimeout(resolve, 1000))) before = months();
  await cube.close();
  cube = await open();
  await cube.grouped('campaign', 'keyword', lookAt(60, 1), lookAt(60, 1).span);
  verdicts.push(
    said(`Q3 365 days by campaign, ${months()} months in one piece`, await timeOf(year), 'ms', { bar: 150 }),
  );
  await cube.close();
  years.close();
  return verdicts.every(Boolean);
}

try {
  if (first === PEER) {
    const start = performance.now();
    await parseAlone(file ?? '');
    process.stdout.write(`${performance.now() - start}`);
  } else process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
