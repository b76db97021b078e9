import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Cube, openCube } from '../../main/cube/cube.ts';
import { openCubeFile } from '../../main/cube/cube-file.ts';
import { createDays } from '../../main/cube/days.ts';
import { createQueries } from '../../main/cube/queries.ts';
import { addColumn, decodeSegment, denseValues, encodeSegment, valueAt } from '../../main/cube/segment.ts';
import type { SpanLook } from '../../main/cube/span-sums.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { addDays, weekOf } from '../../shared/model/plain-date.ts';
import { asRowId, type PlainDate } from '../../shared/model/scalars.ts';
import { metricFrom, metricsFrom, type Sums } from '../../shared/reports/account-metrics.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { SIGNALS } from '../../shared/search/query.ts';
import { runs, SEED } from '../share.ts';
import { acceptAll, aFolder, aSmallCampaign, aStore, create, createAll, done } from './a-workspace.ts';
import { HERE } from './without-threads.ts';

/** Reports of keywords as the service writes them, and the same rows in a plain table. */
interface Row {
  readonly day: number;
  readonly keyword: number;
  readonly clicks: number;
  readonly cents: number;
  readonly sales: number;
}
const FIRST = '2026-03-01' as PlainDate;
const dayAt = (day: number): PlainDate => addDays(FIRST, day);
const KEYWORDS = 6;
const row = fc.record<Row>({
  day: fc.integer({ min: 0, max: 9 }),
  keyword: fc.integer({ min: 0, max: KEYWORDS - 1 }),
  clicks: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70_000 })),
  cents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_000 })),
  sales: fc.oneof(fc.constant(0), fc.integer({ min: -900, max: 9_000_000 })),
});
/** At least one row on every day, so that nothing is missing. */
const world = fc
  .array(row, { maxLength: 60 })
  .map((rows) => [...rows, ...Array.from({ length: 10 }, (_, day) => ({ ...EMPTY, day }))]);
const EMPTY: Row = { day: 0, keyword: 0, clicks: 0, cents: 0, sales: 0 };

const money = (cents: number): string => (cents / 100).toFixed(2);

/** A folder with an account of six keywords that the service knows, and the IDs it gave them. */
function anAccount() {
  const store = aStore();
  const keywords = Array.from({ length: KEYWORDS }, (_, i) =>
    create('keyword', { at: 1 }, { text: `word ${i % 3}`, matchType: i % 2 === 0 ? 'exact' : 'broad', bid: 100 }),
  );
  acceptAll(store, createAll(store, [...aSmallCampaign().slice(0, 2), ...keywords]));
  const known = store.db.all('SELECT id, remote_id FROM keyword ORDER BY id');
  const file = String(store.db.get('PRAGMA database_list')?.[2]);
  const rowIds = known.map(([id]) => Number(id));
  return { store, file, rowIds, remoteIds: known.map(([, id]) => String(id)) };
}

type Account = ReturnType<typeof anAccount>;

async function aCube({ file }: Account, folder = aFolder()): Promise<Cube> {
  const cube = await openCube({ file: join(folder, 'cube.db'), account: file, currency: 'USD' }, HERE.account);
  expect(cube.problem).toBeNull();
  return cube;
}

const HEADER =
  'date,campaignId,adGroupId,keywordId,keywordText,matchType,impressions,clicks,adSpend,attributedSales14days';

function csvOf({ remoteIds }: Account, rows: readonly Row[]): string {
  const lines = rows.map(
    ({ day, keyword, clicks, cents, sales }) =>
      `${dayAt(day)},7,8,${remoteIds[keyword]},word ${keyword % 3},${keyword % 2 === 0 ? 'exact' : 'broad'},${clicks * 10},${clicks},${money(cents)},${money(sales)}`,
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}

async function take(
  cube: Cube,
  text: string,
  {
    at = 1,
    on = '2026-06-01',
    from = FIRST,
    to = dayAt(9),
    reportType = 'keyword',
    span = { from, to } as DaySpan | null,
  } = {},
) {
  const path = join(aFolder(), 'report.csv');
  writeFileSync(path, text);
  const taken = await cube.ingest({
    ...{ path, sha256: null, id: null, reportType, attributionWindow: null },
    span,
    fetchedAt: at,
    fetchedOn: on as PlainDate,
  });
  if (!taken.ok) throw new Error(taken.error.detail);
  return taken.value;
}

/** The same rows in SQL. */
function aTable(rows: readonly Row[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => void (db.isOpen && db.close()));
  db.exec('CREATE TABLE r(day INTEGER, keyword INTEGER, clicks INTEGER, spend INTEGER, sales INTEGER) STRICT');
  const insert = db.prepare('INSERT INTO r VALUES (?, ?, ?, ?, ?)');
  for (const { day, keyword, clicks, cents, sales } of rows) insert.run(day, keyword, clicks, cents, sales);
  return db;
}

/** The same numbers for the same seed. */
function aRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const summed = 'sum(clicks) * 10 impressions, sum(clicks) clicks, sum(spend) spend, sum(sales) sales';
const lookAt = (from: number, to: number): SpanLook => ({
  span: { from: dayAt(from), to: dayAt(to) },
  window: 14,
  settledOnly: false,
});

/** Everything that is known, by names and days instead of numbers that depend on the order of files. */
async function contentOf(cube: Cube): Promise<unknown> {
  const entities = new Map((await cube.entities('keyword', 'keyword')).map((each) => [each.id, each]));
  const days = [];
  for (let day = 0; day < 10; day++) {
    const found = await cube.dayRows('keyword', dayAt(day));
    const lines = Array.from(found?.ids ?? [], (id, at) => {
      const { keys, words, rowId } = entities.get(id) ?? {};
      return JSON.stringify([keys, words, rowId, found?.columns.map(({ name, values }) => [name, values[at]])]);
    });
    days.push(lines.toSorted());
  }
  return { days, seen: await cube.seen('keyword') };
}

test('a segment reads back what was written: gaps, wide numbers, nothing, one entity twice, no rows', () => {
  const values = fc.oneof(fc.constant(0), fc.integer({ min: -128, max: 127 }), fc.integer(), fc.maxSafeInteger());
  const rows = fc.array(fc.tuple(fc.nat({ max: 2 ** 31 }), values, values), { maxLength: 50 });
  fc.assert(
    fc.property(rows, fc.boolean(), (given, isSparse) => {
      const kept: readonly (readonly [number, number, number])[] = isSparse
        ? given.map(([id, one], at) => [id, at % 9 === 0 ? one : 0, 0])
        : given;
      const bytes = encodeSegment({
        ids: Uint32Array.from(kept.map(([id]) => id)),
        columns: [
          { metric: 3, adds: true, values: Float64Array.from(kept.map(([, one]) => one)) },
          { metric: 9, adds: false, values: Float64Array.from(kept.map(([, , other]) => Math.abs(other))) },
        ],
      });
      const segment = decodeSegment(bytes);
      if (segment === null) throw new Error('not read');
      const expected = new Map<number, readonly [number, number]>();
      for (const [id, one, other] of kept) {
        const [sum, most] = expected.get(id) ?? [0, 0];
        expected.set(id, [sum + one, Math.max(most, Math.abs(other))]);
      }
      const [first, second] = segment.columns.map((column) => denseValues(segment, column));
      const read = Array.from(segment.ids, (id, at) => [id, [first?.[at], second?.[at]]]);
      expect(read).toEqual([...expected].toSorted(([a], [b]) => a - b));
      // By place instead of by ID, which may be too large to add up by: each way to read a column says the same.
      const places = { ...segment, ids: Uint32Array.from(segment.ids.keys()) };
      for (const column of segment.columns) {
        const dense = denseValues(segment, column);
        const added = new Float64Array(segment.rows);
        addColumn(places, column, added);
        expect(added).toEqual(dense);
        expect(Float64Array.from(places.ids, (place) => valueAt(column, place))).toEqual(dense);
      }
      const crc = crc32(bytes);
      const bit = (7 * bytes.length) % bytes.length;
      bytes[bit] = (bytes[bit] ?? 0) ^ 1;
      expect(crc32(bytes)).not.toBe(crc);
      expect(decodeSegment(bytes.subarray(0, 20))).toBeNull();
    }),
    { numRuns: runs(1000, 100) },
  );
});

test('every question has the answer that SQL has over the same rows, and every order is the same', async () => {
  const account = anAccount();
  await fc.assert(
    fc.asyncProperty(world, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), async (rows, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const cube = await aCube(account);
      const table = aTable(rows);
      await take(cube, csvOf(account, rows));
      const look = lookAt(from, to);
      const ask = (sql: string) => table.prepare(sql).all(from, to) as readonly Record<string, number>[];
      const groups = {
        keyword: ask(`SELECT keyword key, ${summed} FROM r WHERE day BETWEEN ? AND ? GROUP BY 1`),
        text: ask(`SELECT keyword % 3 key, ${summed} FROM r WHERE day BETWEEN ? AND ? GROUP BY 1`),
        match: ask(`SELECT keyword % 2 key, ${summed} FROM r WHERE day BETWEEN ? AND ? GROUP BY 1`),
        day: ask(`SELECT day key, ${summed} FROM r WHERE day BETWEEN ? AND ? GROUP BY 1`),
      };
      const keyOf = {
        keyword: (key: number) => account.remoteIds[key],
        text: (key: number) => `word ${key}`,
        match: (key: number) => (key === 0 ? 'exact' : 'broad'),
        day: (key: number) => dayAt(key),
      };
      for (const group of ['keyword', 'text', 'match', 'day'] as const) {
        const answer = await cube.grouped(group, 'keyword', look, look.span);
        const expected = groups[group].map(({ key = 0, ...sums }) => [keyOf[group](key), sums]);
        expect(Object.fromEntries(answer.groups.map(({ key, sums }) => [key, sums]))).toEqual(
          Object.fromEntries(expected),
        );
        expect(answer.sum).toEqual(answer.total);
      }
      const [days, weeks] = [
        await cube.grouped('day', 'keyword', look, look.span),
        await cube.grouped('week', 'keyword', look, look.span),
      ];
      const byWeek = Map.groupBy(days.groups, ({ key }) => weekOf(key as PlainDate));
      for (const { key, sums } of weeks.groups) {
        const own = byWeek.get(key as PlainDate) ?? [];
        expect(sums.spend).toBe(own.reduce((sum, day) => sum + (day.sums.spend ?? 0), 0));
      }
      for (const name of ['roas', 'spend', 'ctr'] as const) {
        const [values] = await cube.rowColumns('keyword', look, null, [{ name, window: null, isChange: false }]);
        const byRow = new Map(
          groups.keyword.map(({ key = 0, ...sums }) => [account.rowIds[key], metricFrom(name, sums)]),
        );
        for (const id of account.rowIds) expect(values?.[id] ?? Number.NaN).toBe(byRow.get(id) ?? Number.NaN);
      }
      const { rows: own } = await cube.ofRows('keyword', account.rowIds as never, look, true);
      own.forEach((one, at) => {
        const expected = groups.keyword.find(({ key }) => key === at);
        expect(one?.sums.sales).toBe(expected?.['sales']);
        if (one !== undefined) expect(one.trend.at(-1)).toBe(spendOf(rows, at, to));
      });
      await cube.close();
    }),
    { numRuns: runs(60, 8) },
  );
});

const spendOf = (rows: readonly Row[], keyword: number, on: number): number =>
  rows.filter(({ day, keyword: of }) => of === keyword && day === on).reduce((sum, { cents }) => sum + cents, 0);

test('a trend compares only days that are reported in both weeks', async () => {
  const account = anAccount();
  const days = Array.from({ length: 14 }, (_, day) => day);
  const rows = days.flatMap((day) => [
    { ...EMPTY, day, keyword: 0, cents: 100 },
    { ...EMPTY, day, keyword: 1, cents: day < 7 ? 100 : 80 },
    { ...EMPTY, day, keyword: 2, cents: day === 3 ? 700 : 0 },
  ]);
  const trendOf = async (first: number, to: number) => {
    const cube = await aCube(account);
    const some = rows.filter(({ day }) => day >= first && day <= to);
    await take(cube, csvOf(account, some), { from: dayAt(first), to: dayAt(to) });
    const [trend] = await cube.rowColumns('keyword', lookAt(0, 13), null, ['trend']);
    await cube.close();
    return account.rowIds.slice(0, 4).map((id) => SIGNALS.trend[trend?.[id] ?? Number.NaN]);
  };
  expect(await trendOf(0, 13)).toEqual(['flat', 'down', 'down', undefined]);
  // The last days are not reported yet.
  expect(await trendOf(0, 9)).toEqual(['flat', 'down', 'flat', undefined]);
  // Nothing to compare with.
  expect(await trendOf(7, 13)).toEqual([undefined, undefined, undefined, undefined]);
});

test('metrics follow a row that gets another service ID, also if two rows exchange theirs', async () => {
  const account = anAccount();
  const { store, rowIds, remoteIds } = account;
  const cube = await aCube(account);
  await take(
    cube,
    csvOf(
      account,
      [0, 1, 2].map((keyword) => ({ ...EMPTY, keyword, clicks: keyword + 1 })),
    ),
  );
  const clicks = async () => {
    const [column] = await cube.rowColumns('keyword', lookAt(0, 9), null, ['clicks']);
    return rowIds.slice(0, 3).map((id) => column?.[id]);
  };
  const become = (id: number | undefined, remoteId: string | undefined) =>
    store.db.run('UPDATE keyword SET remote_id = ? WHERE id = ?', remoteId ?? null, id ?? 0);
  const bump = () => store.db.run("UPDATE counter SET value = value + 1 WHERE name = 'revision'");
  expect(await clicks()).toEqual([1, 2, 3]);
  become(rowIds[0], '900000001');
  bump();
  expect(await clicks()).toEqual([Number.NaN, 2, 3]);
  become(rowIds[1], 'none');
  become(rowIds[2], remoteIds[1]);
  become(rowIds[1], remoteIds[2]);
  bump();
  expect(await clicks()).toEqual([Number.NaN, 3, 2]);
  await cube.close();
});

const SETUP: Parameters<Cube['suggestions']>[0] = {
  ...{ today: '2026-06-01' as PlainDate, zone: 'UTC', plans: [], dismissals: [] },
  goals: [{ scope: { of: 'account' }, goal: { is: 'roas', target: 400 } }],
  limits: { floorItem: null, floorVideoKeyword: null, max: null, multiplierMax: 90_000, textsMax: 200 },
  keywordEffect: 'needs-review',
  budgetEffect: 'immediate',
};

test('days whose report has no bids count with the bid of the row', async () => {
  const account = anAccount();
  const [campaignId] = account.store.db.get('SELECT remote_id FROM campaign') ?? [];
  const report = (days: readonly number[], hasBids: boolean) => {
    const rows = days.map((day) =>
      [
        dayAt(day),
        campaignId,
        8,
        account.remoteIds[0],
        100,
        10,
        '50.00',
        '500.00',
        ...(hasBids ? ['1.00'] : []),
      ].join(),
    );
    const head = 'date,campaignId,adGroupId,keywordId,clicks,attributedOrders14days,adSpend,attributedSales14days';
    return [`${head}${hasBids ? ',bid' : ''}`, ...rows].join('\n');
  };
  const numbersOf = async (reports: readonly string[]) => {
    const cube = await aCube(account);
    for (const [at, text] of reports.entries()) await take(cube, text, { at, on: '2026-03-11', span: null });
    const page = { is: 'page', kinds: ['bid'], campaignId: null, from: 0, count: 9 } as const;
    const { suggestions, dropped } = await cube.suggestions({ ...SETUP, today: dayAt(10) }, page);
    await cube.close();
    return { numbers: suggestions.map(({ numbers }) => numbers), dropped };
  };
  const all = Array.from({ length: 10 }, (_, day) => day);
  const whole = await numbersOf([report(all, true)]);
  expect(whole.numbers).toMatchObject([{ bid: 100, suggested: 115 }]);
  // Older days, from a file of the user.
  expect(await numbersOf([report(all.slice(0, 8), false), report(all.slice(8), true)])).toEqual(whole);
  // A recent day: that is no change of the bid.
  expect(await numbersOf([report(all.slice(0, 9), true), report(all.slice(9), false)])).toEqual(whole);
});

test('a metric that only this deployment has keeps its unit, whatever the numbers of later files look like', async () => {
  const account = anAccount();
  const cube = await aCube(account);
  const text = csvOf(account, [{ ...EMPTY, clicks: 3 }]).replace('impressions', 'newBuyers');
  await take(cube, text, { to: FIRST });
  const next = text.replaceAll(FIRST, dayAt(1)).replace(',30,', ',12.5,');
  await take(cube, next, { from: dayAt(1), to: dayAt(1) });
  const look = lookAt(0, 9);
  const { groups } = await cube.grouped('keyword', 'keyword', look, look.span);
  expect(groups.map(({ others }) => others)).toEqual([{ newBuyers: 42 }]);
  expect(await cube.units()).toMatchObject({ newBuyers: 'count' });
  await cube.close();
});

test('a platform has one suggestion, whichever columns its reports have', async () => {
  const account = anAccount();
  const [campaignId] = account.store.db.get('SELECT remote_id FROM campaign') ?? [];
  const places = [
    ['App', 400, 20, 100_000],
    ['Site', 400, 8, 40_000],
  ] as const;
  const report = (days: readonly number[], groups: readonly string[]) => {
    const rows = days.flatMap((day) =>
      places.flatMap(([platform, clicks, orders, cents]) =>
        groups.map((group) =>
          [dayAt(day), campaignId, ...(group === '' ? [] : [group]), platform, clicks / groups.length]
            .concat([orders / groups.length, money(cents / groups.length)])
            .join(),
        ),
      ),
    );
    const head = `date,campaignId,${groups.includes('') ? '' : 'adGroupId,'}platform,clicks`;
    return [`${head},attributedOrders14days,attributedSales14days`, ...rows].join('\n');
  };
  const suggested = async (reports: readonly string[]) => {
    const cube = await aCube(account);
    for (const [at, text] of reports.entries()) await take(cube, text, { at, reportType: 'platform', span: null });
    const page = { is: 'page', kinds: ['multiplier'], campaignId: null, from: 0, count: 9 } as const;
    const { suggestions, dropped } = await cube.suggestions(SETUP, page);
    await cube.close();
    return { suggestions, dropped };
  };
  const whole = await suggested([report([0, 1, 2, 3], [''])]);
  expect(whole.suggestions.map(({ label, current, suggested: next }) => [label, current, next])).toEqual([
    ['App', 0, 2500],
  ]);
  expect(await suggested([report([0, 1, 2, 3], ['8', '9'])])).toEqual(whole);
  expect(await suggested([report([0, 1], ['8', '9']), report([2, 3], [''])])).toEqual(whole);
});

test('a row with two labels counts in both, also with metrics that only this deployment has', async () => {
  const account = anAccount();
  const rows = [{ kind: 'keyword' as const, ids: account.rowIds.slice(0, 1).map(asRowId) }];
  for (const name of ['One', 'Two']) {
    const { id } = done(account.store.note({ do: 'save-label', id: null, name, color: 'blue' }));
    account.store.note({ do: 'label', rows, add: [id], remove: [] });
  }
  const cube = await aCube(account);
  const text = csvOf(account, [{ ...EMPTY, clicks: 3 }]);
  await take(cube, text.replace('impressions', 'newBuyers'));
  const look = lookAt(0, 9);
  const { groups } = await cube.grouped('label', 'keyword', look, look.span);
  expect(groups.map(({ label, sums, others }) => [label, sums.clicks, others])).toEqual([
    ['One', 3, { newBuyers: 30 }],
    ['Two', 3, { newBuyers: 30 }],
  ]);
  await cube.close();
});

test('a rate of a union lies between those of its parts, and is the quotient of sums', () => {
  expect(metricFrom('roas', { sales: 1000 + 100, spend: 100 + 900 })).toBe(110);
  const part = fc.record({
    spend: fc.integer({ min: 1, max: 1e9 }),
    sales: fc.nat({ max: 1e9 }),
    clicks: fc.nat({ max: 1e6 }),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 9 }), (parts) => {
      const all: Sums = {
        spend: parts.reduce((sum, { spend }) => sum + spend, 0),
        sales: parts.reduce((sum, { sales }) => sum + sales, 0),
      };
      const rates = parts.map((one) => metricsFrom(one).roas ?? 0);
      const whole = metricsFrom(all).roas ?? Number.NaN;
      expect(whole).toBeGreaterThanOrEqual(Math.min(...rates));
      expect(whole).toBeLessThanOrEqual(Math.max(...rates));
      expect(whole).toBe(Number((BigInt(all.sales ?? 0) * 100n) / BigInt(all.spend ?? 1)));
    }),
  );
});

test('files that come twice or in any order make the same cube, and the newest answer about a day wins', async () => {
  const account = anAccount();
  await fc.assert(
    fc.asyncProperty(fc.array(world, { minLength: 2, maxLength: 3 }), fc.boolean(), async (worlds, isLast) => {
      // Fetched before they are settled: what shrinks then is taken.
      const files = worlds.map((rows, at) => ({ text: csvOf(account, rows), at: at + 1, on: '2026-03-12' }));
      const orders = [files, files.toReversed(), [...files, ...files], isLast ? files.slice(-1) : files];
      const contents = [];
      for (const order of orders) {
        const cube = await aCube(account);
        for (const { text, at, on } of order) await take(cube, text, { at, on });
        contents.push((await contentOf(cube)) as { readonly days: unknown });
        await cube.close();
      }
      expect(contents[1]).toEqual(contents[0]);
      expect(contents[2]).toEqual(contents[0]);
      expect(contents[3]?.days).toEqual(contents[0]?.days);
    }),
    { numRuns: runs(30, 2) },
  );
});

test('rows in any order, in one piece or with a second header, make the same days', async () => {
  const account = anAccount();
  const rows = Array.from({ length: 40 }, (_, i) => ({
    ...EMPTY,
    day: (i * 7) % 10,
    keyword: i % 6,
    clicks: i,
    cents: 3 * i,
  }));
  const cubes = await Promise.all([aCube(account), aCube(account)]);
  const [plain, twisted] = cubes;
  await take(plain as Cube, csvOf(account, rows));
  const lines = csvOf(account, rows.toReversed()).split('\n');
  await take(twisted as Cube, [...lines.slice(0, 9), HEADER, ...lines.slice(9)].join('\r\n'));
  expect(await contentOf(twisted as Cube)).toEqual(await contentOf(plain as Cube));
  await Promise.all(cubes.map((cube) => cube.close()));
});

test('headings in another case lead to the same metrics', async () => {
  const account = anAccount();
  const cubes = await Promise.all([aCube(account), aCube(account)]);
  const [plain, shouted] = cubes;
  const text = csvOf(account, [{ ...EMPTY, clicks: 3, cents: 250, sales: 900 }]);
  await take(plain as Cube, text);
  await take(shouted as Cube, text.replace(HEADER, HEADER.toUpperCase()));
  const metricsOf = async (cube: Cube) => (await cube.dayRows('keyword', FIRST))?.columns;
  expect(await metricsOf(shouted as Cube)).toEqual(await metricsOf(plain as Cube));
  await Promise.all(cubes.map((cube) => cube.close()));
});

test('a file that is only viewed or is refused leaves nothing in the metrics', async () => {
  const account = anAccount();
  const folder = aFolder();
  const cube = await aCube(account, folder);
  const path = join(folder, 'report.csv');
  const give = (carts: string, tail: string, isPreview: boolean) => {
    writeFileSync(path, `date,keywordId,carts\n${FIRST},${account.remoteIds[0]},${carts}\n${tail}`);
    const at = { fetchedAt: 1, fetchedOn: '2026-06-01' as PlainDate, attributionWindow: null };
    return cube.ingest({ path, sha256: null, id: null, reportType: 'keyword', span: null, ...at }, isPreview);
  };
  expect((await give('3', '', true)).ok).toBe(true);
  expect((await give('3', `${FIRST},`, false)).ok).toBe(false);
  expect((await cube.sizes()).sources).toEqual([]);
  // The unit of an unknown metric is that of the first file that is taken: with cents here, without them above.
  expect((await give('2.50', '', false)).ok).toBe(true);
  expect([...((await cube.dayRows('keyword', FIRST))?.columns[0]?.values ?? [])]).toEqual([250]);
  await cube.close();
});

test('lines that are read as bytes have the cells that were written, odd lines among them, wherever a piece of the file ends', async () => {
  const account = anAccount();
  const random = aRandom(SEED);
  const texts = ['plain', 'with, comma', 'say "hi", twice', 'two\nlines', 'Größe 漢字', 'a " inside'];
  const needsQuotes = [1, 2, 3];
  const sums = new Map<string, readonly [number, number]>();
  const names = new Map<string, readonly [number, string]>();
  const lines = Array.from({ length: 9000 }, (_, at) => {
    // The odd ones are rare, so that most lines are read as bytes and some pieces have none.
    const keyword = random() < 0.002 ? 2 + Math.floor(random() * 2) : ([0, 1, 4, 5][Math.floor(random() * 4)] ?? 0);
    const [day, clicks, cents] = [at % 10, Math.floor(random() * 3) * 7, Math.floor(random() * 90_000) - 100];
    const text = `${texts[keyword]}${day > 4 ? ' renamed' : ''}`;
    const quoted = `"${text.replaceAll('"', '""')}"`;
    // A file whose last line is short is refused.
    const isShort = at < 8999 && random() < 0.1;
    const key = `${dayAt(day)} ${account.remoteIds[keyword]}`;
    const [sum, spend] = sums.get(key) ?? [0, 0];
    sums.set(key, [sum + clicks, spend + (isShort ? 0 : cents)]);
    const name = account.remoteIds[keyword] ?? '';
    if (day >= (names.get(name)?.[0] ?? 0)) names.set(name, [day, text]);
    const number = [`${clicks}`, ` ${clicks}`, `${clicks}.0`, `${clicks / 10}e1`][Math.floor(random() * 4)];
    // A quote within quotes is odd.
    const isQuoted = needsQuotes.includes(keyword) || (!text.includes('"') && random() < 0.2);
    const cells = [isQuoted ? quoted : text, dayAt(day), '7', '8'];
    const rest = [account.remoteIds[keyword], number, ...(isShort ? [] : [money(cents)])];
    return `${[...cells, ...rest].join()}${random() < 0.05 ? '\r\n\n' : random() < 0.5 ? '\r\n' : '\n'}`;
  });
  const cube = await aCube(account);
  const taken = await take(cube, `keywordText,date,campaignId,adGroupId,keywordId,clicks,adSpend\n${lines.join('')}`);
  expect(taken).toMatchObject({ rows: 9000, skipped: 0, unreadable: 0 });
  const entities = new Map((await cube.entities('keyword', 'keyword')).map((each) => [each.id, each]));
  const found = new Map<string, readonly number[]>();
  for (let day = 0; day < 10; day++) {
    const { ids, columns } = (await cube.dayRows('keyword', dayAt(day))) ?? { ids: [], columns: [] };
    for (const [at, id] of [...ids].entries())
      found.set(`${dayAt(day)} ${entities.get(id)?.keys['keywordId']}`, [
        ...['clicks', 'adSpend'].map((name) => columns.find((column) => column.name === name)?.values[at] ?? 0),
      ]);
  }
  expect(found).toEqual(sums);
  expect(
    new Map(Array.from(entities.values(), ({ keys, words }) => [keys['keywordId'], words['keywordText']])),
  ).toEqual(new Map(Array.from(names, ([id, [, text]]) => [id, text])));
  await cube.close();
});

test('days settle, are restated and held back, and a flipped bit costs one day and is said', async () => {
  const account = anAccount();
  const folder = aFolder();
  const cube = await aCube(account, folder);
  const rows = Array.from({ length: 60 }, (_, i) => ({ ...EMPTY, day: i % 10, keyword: i % 6, clicks: 5, cents: 100 }));
  const span = { from: FIRST, to: dayAt(9) };
  const states = async () => (await cube.dayStates('keyword', span, 14)).map(({ state }) => state);
  await take(cube, csvOf(account, rows), { at: 1, on: '2026-03-18' });
  expect(await states()).toEqual([...Array(2).fill('settled'), ...Array(8).fill('not-settled')]);
  const more = rows.map((one) => (one.day === 0 || one.day === 5 ? { ...one, sales: 7 } : one));
  await take(cube, csvOf(account, more), { at: 2, on: '2026-03-28' });
  expect(await states()).toEqual(['restated', ...Array(9).fill('settled')]);
  const [changed] = await cube.dayStates('keyword', span, 14);
  expect(changed?.changed).toMatchObject({
    at: 2,
    before: { attributedSales14days: 0 },
    after: { attributedSales14days: 42 },
  });
  const cut = more.filter(({ day, keyword }) => day !== 3 || keyword === 1);
  expect((await take(cube, csvOf(account, cut), { at: 3, on: '2026-03-29' })).held).toEqual([dayAt(3)]);
  expect((await states())[3]).toBe('held-back');
  const spend = async () => (await cube.grouped('day', 'keyword', lookAt(3, 3), span)).sum.spend;
  expect(await spend()).toBe(600);
  expect(await cube.decide('keyword', [dayAt(3)], true)).toBe(1);
  expect([(await states())[3], await spend()]).toEqual(['restated', 200]);
  await cube.close();

  const raw = new DatabaseSync(join(folder, 'cube.db'));
  raw.exec(`UPDATE segment SET content = CAST(substr(content, 1, 40) || x'ff' || substr(content, 42) AS BLOB)
    WHERE day = (SELECT min(day) + 6 FROM segment)`);
  raw.close();
  const again = await aCube(account, folder);
  const look = lookAt(0, 9);
  expect((await again.grouped('keyword', 'keyword', look, look.span)).sum.spend).toBe(200 + 8 * 600);
  await expect
    .poll(async () => (await again.dayStates('keyword', span, 14))[6])
    .toMatchObject({ state: 'gap', why: expect.stringContaining('damaged') });
  await again.close();
});

test('another currency is refused and nothing of the file is taken; unknown metrics are kept', async () => {
  const account = anAccount();
  const cube = await aCube(account);
  const [header = '', ...lines] = csvOf(account, [{ ...EMPTY, clicks: 3, cents: 200 }])
    .trim()
    .split('\n');
  const withMore = (more: string, cell: string) =>
    [`${header},${more}`, ...lines.map((line) => `${line},${cell}`)].join('\n');
  await expect(take(cube, withMore('currency', 'EUR'))).rejects.toThrow('EUR');
  expect((await cube.sizes()).sources.reduce((sum, { days }) => sum + days, 0)).toBe(0);
  await take(cube, withMore('wishlistAdds', '12'));
  const look = lookAt(0, 0);
  const [group] = (await cube.grouped('keyword', 'keyword', look, look.span)).groups;
  expect(group?.others).toEqual({ wishlistAdds: 12 });
  await cube.close();
});

test('a settled month is one segment from the second question on, until one of its days is restated', async () => {
  const account = anAccount();
  const folder = aFolder();
  let cube = await aCube(account, folder);
  const rows = Array.from({ length: 75 * 2 }, (_, i) => ({
    ...EMPTY,
    day: i >> 1,
    keyword: (i * 5) % 6,
    clicks: i,
    cents: 7 * i,
    sales: i % 4 === 0 ? 90 * i : 0,
  }));
  const file = (on: string, to: number) => ({ at: on === '2026-08-01' ? 1 : 2, on, to: dayAt(to) });
  await take(cube, csvOf(account, rows), file('2026-08-01', 74));
  const look = lookAt(0, 74);
  const answers = async () => [
    await cube.grouped('keyword', 'keyword', look, look.span),
    await cube.grouped('month', 'keyword', look, look.span),
  ];
  const daily = await answers();
  const months = () => {
    const raw = new DatabaseSync(join(folder, 'cube.db'), { readOnly: true });
    const found = raw.prepare('SELECT month FROM rollup ORDER BY month').all();
    raw.close();
    return found.map(({ month }) => month);
  };
  await expect.poll(months).toEqual(['2026-03', '2026-04']);
  const { bytes: all, sources, problems } = await cube.sizes();
  expect(problems.month).toBe('');
  await cube.close();
  const full = new DatabaseSync(join(folder, 'cube.db'));
  const stored = full.prepare(
    'SELECT sum(length(content)) AS bytes FROM (SELECT content FROM segment UNION ALL SELECT content FROM rollup)',
  );
  expect(sources.map(({ bytes }) => bytes)).toEqual([stored.get()?.['bytes']]);
  expect(all).toBe(statSync(join(folder, 'cube.db')).size);
  full.exec(
    `DELETE FROM rollup; CREATE TRIGGER full BEFORE INSERT ON rollup BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
  );
  cube = await aCube(account, folder);
  expect(await answers()).toEqual(daily);
  await expect.poll(async () => (await cube.sizes()).problems.month).toContain('disk is full');
  full.exec('DROP TRIGGER full');
  full.close();
  await cube.close();
  cube = await aCube(account, folder);
  await answers();
  await expect.poll(months).toEqual(['2026-03', '2026-04']);
  await cube.close();

  cube = await aCube(account, folder);
  expect(await answers()).toEqual(daily);
  await cube.close();
  // Nothing but the months can answer now.
  const raw = new DatabaseSync(join(folder, 'cube.db'));
  raw.exec("UPDATE segment SET content = x'00' WHERE day < (SELECT min(day) + 61 FROM segment)");
  raw.close();
  cube = await aCube(account, folder);
  expect(await answers()).toEqual(daily);
  const twice = rows.filter(({ day }) => day === 3).map((one) => ({ ...one, cents: 2 * one.cents }));
  await take(cube, csvOf(account, twice), { ...file('2026-08-02', 3), at: 2 });
  const own = lookAt(0, 74);
  const after = (await cube.grouped('month', 'keyword', own, own.span)).groups.find(({ key }) => key === '2026-04');
  expect(after).toEqual(daily[1]?.groups.find(({ key }) => key === '2026-04'));
  expect((await cube.grouped('keyword', 'keyword', lookAt(3, 3), own.span)).sum.spend).toBe(2 * 7 * (6 + 7));
  await cube.close();
});

test('days that are reduced to months answer for whole months only, take less room, and no file replaces them', async () => {
  const account = anAccount();
  const folder = aFolder();
  let cube = await aCube(account, folder);
  // March and April are whole; of May a day is missing.
  const rows = Array.from({ length: 75 * KEYWORDS }, (_, i) => ({
    ...{ ...EMPTY, day: Math.floor(i / KEYWORDS), keyword: i % KEYWORDS },
    ...{ clicks: 1 + i, cents: 7 * i, sales: i % 4 === 0 ? 90 * i : 0 },
  }));
  await take(cube, csvOf(account, rows), { on: '2027-03-01', to: dayAt(74) });
  const [whole, part, days] = [lookAt(0, 60), lookAt(10, 74), lookAt(31, 74)];
  const wholeAnswers = async () => [
    await cube.grouped('keyword', 'keyword', whole, whole.span),
    await cube.grouped('month', 'keyword', whole, whole.span),
    await cube.total(whole),
  ];
  const strip = (answers: readonly object[]) => answers.map((one) => ({ ...one, version: '', fetchedAt: 0 }));
  const before = strip(await wholeAnswers());
  const may = lookAt(61, 74);
  const mayBefore = (await cube.grouped('day', 'keyword', may, may.span)).groups;
  const { bytes } = await cube.sizes();
  expect(await cube.keepMonths('2026-06')).toEqual({
    days: 61,
    left: [{ reportType: 'keyword', month: '2026-05' }],
    problem: '',
  });
  const check = async () => {
    expect(strip(await wholeAnswers())).toEqual(before);
    const { sources, bytes: now } = await cube.sizes();
    expect(sources).toMatchObject([
      { days: 75, reduced: 61, lastReduced: '2026-04-30', firstDaily: '2026-05-01', first: FIRST },
    ]);
    expect(now).toBeLessThan(bytes);
    // Half of March is as unknown as its days; April is whole.
    expect((await cube.grouped('keyword', 'keyword', part, part.span)).unknownDays).toBe(21);
    const daily = await cube.grouped('day', 'keyword', days, days.span);
    expect(daily).toMatchObject({ unknownDays: 30, groups: mayBefore });
    expect(daily.sum).toEqual((await cube.grouped('keyword', 'keyword', may, may.span)).sum);
    expect(await cube.dayRows('keyword', FIRST)).toBeNull();
    expect(await cube.dayStates('keyword', whole.span, 14)).toEqual(
      Array.from({ length: 61 }, () => expect.objectContaining({ state: 'settled', rows: KEYWORDS })),
    );
  };
  await check();
  // Suggestions say which days they miss, as long as they would use them.
  const reducedTo = async (today: string) => {
    const setup = {
      ...{ today: today as PlainDate, zone: 'UTC', goals: [], plans: [], dismissals: [] },
      limits: { floorItem: null, floorVideoKeyword: null, max: null, multiplierMax: 90_000, textsMax: 200 },
      keywordEffect: 'immediate',
      budgetEffect: 'immediate',
    } as const;
    return (await cube.suggestions(setup, { is: 'keys', keys: [] })).reducedTo;
  };
  expect([await reducedTo('2027-03-01'), await reducedTo('2028-05-01')]).toEqual(['2026-04-30', null]);
  const twice = rows.map((one) => ({ ...one, cents: 2 * one.cents }));
  const file = { at: 2, on: '2027-03-02', to: dayAt(40) };
  const taken = await take(
    cube,
    csvOf(
      account,
      twice.filter(({ day }) => day <= 40),
    ),
    file,
  );
  expect(taken).toMatchObject({ taken: [], older: { length: 41 } });
  expect((await cube.asked('keyword')).filter(({ is }) => is === 'received')).toHaveLength(75);
  await check();
  expect(await cube.keepMonths('2026-06')).toMatchObject({ days: 0 });
  await cube.close();
  cube = await aCube(account, folder);
  await check();
  await cube.close();

  // A month that is damaged is a gap, and then its days come again.
  const raw = new DatabaseSync(join(folder, 'cube.db'));
  raw.exec("UPDATE rollup SET content = x'00' WHERE month = '2026-03'");
  raw.close();
  cube = await aCube(account, folder);
  await wholeAnswers();
  await expect.poll(async () => (await cube.grouped('keyword', 'keyword', whole, whole.span)).unknownDays).toBe(31);
  const gaps = await cube.asked('keyword');
  expect(gaps.filter(({ is }) => is === 'gap')).toHaveLength(31);
  await take(
    cube,
    csvOf(
      account,
      rows.filter(({ day }) => day <= 30),
    ),
    { ...file, at: 3, to: dayAt(30) },
  );
  expect(strip(await wholeAnswers())).toEqual(before);
  await cube.close();
});

test('a day that is replaced or reduced to its month after a query found it is not damaged', async () => {
  const account = anAccount();
  const folder = aFolder();
  const cube = await aCube(account, folder);
  const rows = Array.from({ length: 32 }, (_, day) => ({ ...EMPTY, day, clicks: 1, cents: 10 }));
  await take(cube, csvOf(account, rows), { on: '2027-03-01', to: dayAt(31) });
  const reading = openDb(join(folder, 'cube.db'), { readOnly: true });
  const damaged: number[] = [];
  const days = createDays(
    reading,
    ({ day }) => damaged.push(day),
    () => {},
  );
  const known = days.of('keyword', lookAt(0, 31).span, 14).days;
  const newer = rows.map((one) => ({ ...one, cents: 20 }));
  await take(cube, csvOf(account, newer), { at: 2, on: '2027-03-02', to: dayAt(31) });
  expect(await cube.keepMonths('2026-04')).toMatchObject({ days: 31 });
  const [last, ...reduced] = known.map((day) => days.read(day)).toReversed();
  expect(reduced).toEqual(reduced.map(() => null));
  expect(last?.columns.map((column) => Math.max(...column.values))).toContain(20);
  expect(damaged).toEqual([]);
  reading.close();
  await cube.close();
});

test('a bid that changed once is told with two weeks on each side, and no other one', async () => {
  const account = anAccount();
  const cube = await aCube(account);
  const days = Array.from({ length: 40 }, (_, day) => day);
  const bidOn = [
    (day: number) => (day < 20 ? 0.5 : 0.6),
    (day: number) => (day < 5 ? 0.5 : 0.6),
    (day: number) => (day < 18 ? 0.5 : day < 22 ? 0.55 : 0.6),
    () => 0.5,
  ];
  const lines = days.flatMap((day) =>
    bidOn.map(
      (bid, at) => `${dayAt(day)},7,8,${account.remoteIds[at]},${day < 20 ? 3 : 4},1.00,${bid(day).toFixed(2)}`,
    ),
  );
  const text = ['date,campaignId,adGroupId,keywordId,clicks,adSpend,bid', ...lines, ''].join('\n');
  await take(cube, text, { to: dayAt(39) });
  const sides = { clicks: 14 * 3, newClicks: 14 * 4, spend: 1400, newSpend: 1400 };
  expect(await cube.bidChanges('keyword', lookAt(0, 39).span, 14)).toEqual([{ ratio: 1.2, ...sides }]);
  expect(await cube.bidChanges('keyword', lookAt(0, 40).span, 14)).toEqual([]);
  await cube.close();
});

test('a question that nobody waits for ends between two days; one that somebody else waits for goes on', async () => {
  const account = anAccount();
  const folder = aFolder();
  const cube = await aCube(account, folder);
  await take(
    cube,
    csvOf(
      account,
      Array.from({ length: 10 }, (_, day) => ({ ...EMPTY, day, clicks: 1, cents: 10 })),
    ),
  );
  const look = lookAt(0, 9);
  const stop = new AbortController();
  const asked = cube.until(stop.signal).grouped('keyword', 'keyword', look, look.span);
  stop.abort();
  await expect(asked).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect((await cube.grouped('keyword', 'keyword', look, look.span)).sum.spend).toBe(100);
  await cube.close();

  const file = openCubeFile(join(folder, 'cube.db'));
  if (!file.ok) throw new Error(file.error.detail);
  const rows = openDb(account.file, { readOnly: true });
  const days = createDays(
    file.value,
    () => {},
    () => {},
  );
  let [rests, ask] = [0, 1];
  const rest = async () => void rests++;
  const queries = createQueries(file.value, rows, days, rest, {
    current: () => ask,
    isDropped: (each) => each === 1 && rests >= 3,
  });
  const clicks = async () =>
    (await queries.rowColumns('keyword', look, null, ['clicks']))[0]?.at(account.rowIds[0] ?? 0);
  await expect(clicks()).rejects.toThrow();
  expect(rests).toBe(3);
  rests = 0;
  const first = clicks();
  ask = 2;
  expect([await clicks(), await first]).toEqual([10, 10]);
  rows.close();
  file.value.close();
});
