import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cube } from '../../main/cube/cube.ts';
import { createDays } from '../../main/cube/days.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { runs, SEED } from '../share.ts';
import {
  aCube,
  anAccount,
  csvOf,
  dayAt,
  EMPTY,
  FIRST,
  HEADER,
  KEYWORDS,
  lookAt,
  money,
  take,
  world,
} from './a-cube.ts';
import { aFolder } from './a-workspace.ts';

/** The same numbers for the same seed. */
function aRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

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
