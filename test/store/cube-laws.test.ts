import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Cube } from '../../main/cube/cube.ts';
import { openCubeFile } from '../../main/cube/cube-file.ts';
import { createDays } from '../../main/cube/days.ts';
import { createQueries } from '../../main/cube/queries.ts';
import { addColumn, decodeSegment, denseValues, encodeSegment, valueAt } from '../../main/cube/segment.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { weekOf } from '../../shared/model/plain-date.ts';
import { asRowId, type PlainDate } from '../../shared/model/scalars.ts';
import { metricFrom, metricsFrom, type Sums } from '../../shared/reports/account-metrics.ts';
import { SIGNALS } from '../../shared/search/query.ts';
import { runs } from '../share.ts';
import { aCube, anAccount, csvOf, dayAt, EMPTY, FIRST, lookAt, money, type Row, take, world } from './a-cube.ts';
import { aFolder, done } from './a-workspace.ts';

/** The same rows in SQL. */
function aTable(rows: readonly Row[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => void (db.isOpen && db.close()));
  db.exec('CREATE TABLE r(day INTEGER, keyword INTEGER, clicks INTEGER, spend INTEGER, sales INTEGER) STRICT');
  const insert = db.prepare('INSERT INTO r VALUES (?, ?, ?, ?, ?)');
  for (const { day, keyword, clicks, cents, sales } of rows) insert.run(day, keyword, clicks, cents, sales);
  return db;
}

const summed = 'sum(clicks) * 10 impressions, sum(clicks) clicks, sum(spend) spend, sum(sales) sales';

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
