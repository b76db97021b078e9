import { expect } from 'vitest';
import { startSandbox } from '../../sandbox/start.ts';
import { conform } from './case.ts';
import { createClient } from './client.ts';
import { createWorld, START } from './world.ts';

/** The figures of reports among each other, over the whole shop of the demo and all of its 90 days. */
const world = createWorld({ scenario: 'demo', operationsPerHour: null });
const section = 'Video measurement metrics';

type Row = Readonly<Record<string, number | string>>;
const reportTypes = ['campaign', 'adGroup', 'adItem', 'keyword', 'platform', 'pageType', 'brand', 'category'] as const;
const request = { advertiserId: 900001, startDate: '2026-02-04', endDate: '2026-05-04' };
const rowsOf = async (reportType: string, fields: object = {}): Promise<readonly Row[]> => {
  const answer = await world.as('owner').post('/api/v1/snapshot/report', { ...request, reportType, ...fields });
  expect(answer.status).toBe(200);
  return answer.body as Row[];
};
/** Of the shop as it is after every reset, which the seed decides: asked for once for all cases. */
const atStart = new Map<string, Promise<readonly Row[]>>();
function rowsAtStart(reportType: string, fields: object = {}): Promise<readonly Row[]> {
  const wish = JSON.stringify([reportType, fields]);
  const rows = atStart.get(wish) ?? rowsOf(reportType, fields);
  atStart.set(wish, rows);
  return rows;
}
const byDate = { extraFields: ['date'] };
const numberIn = (row: Row, name: string): number => Number(row[name]);
/** Money in cents, so that sums are exact. */
const centsIn = (row: Row, name: string): number => Math.round(numberIn(row, name) * 100);
const windows = ['3days', '14days', '30days'] as const;
const isVideo = (row: Row) => row['videoImpressions'] !== undefined;

/** Each is contained in the one before it. */
const chains: readonly (readonly string[])[] = [
  [
    'videoImpressions',
    'viewableImpressions',
    'videoFirstQuartileViews',
    'videoMidpointViews',
    'videoThirdQuartileViews',
    'videoCompleteViews',
    'videoUnmutes',
  ],
  ['videoImpressions', 'viewableImpressions', 'video5SecondViews'],
  ['videoImpressions', 'viewableImpressions', 'clicks'],
  ['impressions', 'clicks', 'attributedOrders30days'],
];
const families = [
  'attributedSales',
  'attributedOrders',
  'attributedUnits',
  'viewThroughSales',
  'viewThroughOrders',
  'viewThroughUnitsSold',
  'totalCompleteViewAttributedSales',
  'completeViewRevenue',
  'haloCompleteViewRevenue',
  'totalCompleteViewOrders',
  'totalCompleteViewUnits',
];

conform(section, 'a video campaign has every metric and family, in every window', async () => {
  const video = (await rowsAtStart('campaign')).find((row) => row['campaignName'] === 'Spring video') ?? {};
  const metrics = [...new Set([...chains.flat(), 'viewThroughRate', 'ctrForViews', 'video5SecondViewRate'])];
  const names = [...metrics, ...families.flatMap((family) => windows.map((window) => family + window))];
  for (const name of names) expect([name, typeof video[name]]).toEqual([name, 'number']);
});

function isFalling(row: Row, names: readonly string[]): boolean {
  const values = names.filter((name) => row[name] !== undefined).map((name) => numberIn(row, name));
  return values.every((value, index) => index === 0 || value <= (values[index - 1] ?? 0));
}

for (const reportType of reportTypes) {
  conform(section, `in a ${reportType} report quartiles fall, and the wider window has no less`, async () => {
    const days = await rowsAtStart(reportType, byDate);
    for (const rows of [await rowsAtStart(reportType), days]) {
      expect(rows.filter(isVideo).length).toBeGreaterThan(3);
      for (const chain of chains) expect(rows.filter((row) => !isFalling(row, chain)).slice(0, 3)).toEqual([]);
    }
    for (const family of families) {
      const names = windows.toReversed().map((window) => family + window);
      expect(days.filter((row) => !isFalling(row, names)).slice(0, 3)).toEqual([]);
    }
  });
}

conform(section, 'own and halo revenue make the total of complete views', async () => {
  const rows = [...(await rowsAtStart('campaign')), ...(await rowsAtStart('keyword', byDate))].filter(isVideo);
  for (const window of windows) {
    const broken = rows.filter(
      (row) =>
        centsIn(row, `completeViewRevenue${window}`) + centsIn(row, `haloCompleteViewRevenue${window}`) !==
        centsIn(row, `totalCompleteViewAttributedSales${window}`),
    );
    expect(broken.slice(0, 3)).toEqual([]);
  }
  // Sums of nothing would prove nothing.
  const halo = rows.map((row) => centsIn(row, 'haloCompleteViewRevenue30days'));
  expect(halo.filter((cents) => cents > 0).length).toBeGreaterThan(20);
});

conform(section, 'rates are the quotients of their definitions, cut to two decimals', async () => {
  const rows = [...(await rowsAtStart('campaign', byDate)), ...(await rowsAtStart('adItem'))].filter(isVideo);
  const rates = [
    ['viewThroughRate', 'viewableImpressions', 'videoImpressions'],
    ['ctrForViews', 'clicks', 'viewableImpressions'],
    ['video5SecondViewRate', 'video5SecondViews', 'videoImpressions'],
  ] as const;
  for (const [rate, part, whole] of rates) {
    for (const row of rows) {
      const quotient = numberIn(row, whole) === 0 ? 0 : (numberIn(row, part) * 100) / numberIn(row, whole);
      expect(Math.abs(numberIn(row, rate) - quotient)).toBeLessThan(0.01);
      expect(numberIn(row, rate)).toBeLessThanOrEqual(quotient + 1e-9);
    }
  }
});

const shownNames = (row: Row) =>
  Object.keys(row).filter((name) => typeof row[name] === 'number' && !/Id$|^bid$|Rate$|^ctrForViews$|Name$/.test(name));

/** Sums of every column, in cents or hundredths, by campaign and name. */
const totals = async (reportType: string) => {
  const sums = new Map<string, number>();
  for (const row of await rowsAtStart(reportType)) {
    for (const name of shownNames(row)) {
      const key = `${String(row['campaignName'])}: ${name}`;
      sums.set(key, (sums.get(key) ?? 0) + centsIn(row, name));
    }
  }
  return sums;
};

conform('Reports', 'the same days have the same totals in every report, column by column', async () => {
  const whole = await totals('campaign');
  for (const reportType of reportTypes.filter((type) => type !== 'adItem' && type !== 'keyword')) {
    const parts = await totals(reportType);
    expect(parts.size).toBeGreaterThan(100);
    for (const [key, cents] of parts) expect([reportType, key, cents]).toEqual([reportType, key, whole.get(key)]);
  }
});

conform('Reports', 'on the ad of a brand, impressions and clicks count for every item; the rest agrees', async () => {
  const whole = await totals('campaign');
  const items = await totals('adItem');
  expect(items.size).toBeGreaterThan(100);
  for (const [key, cents] of items) {
    if (/brand: (?:impressions|clicks)$/.test(key)) expect(cents).toBeGreaterThan((whole.get(key) ?? 0) * 2);
    else expect([key, cents]).toEqual([key, whole.get(key)]);
  }
});

conform('Reports', 'keywords are of manual campaigns, and rows with next to nothing are left out', async () => {
  const whole = await totals('campaign');
  const words = await totals('keyword');
  expect(words.size).toBeGreaterThan(100);
  expect([...words.keys()].filter((key) => key.includes('automatic'))).toEqual([]);
  for (const [key, cents] of words) {
    if (/mpressions$|Views$|Unmutes$|VideoMidpoint/.test(key)) expect(cents).toBeLessThanOrEqual(whole.get(key) ?? 0);
    else expect([key, cents]).toEqual([key, whole.get(key)]);
  }
  const days = await rowsAtStart('keyword', byDate);
  const isShown = (row: Row) => ['adSpend', 'attributedSales30days'].some((name) => numberIn(row, name) > 0);
  expect(days.filter((row) => numberIn(row, 'impressions') <= 10 && !isShown(row))).toEqual([]);
  const seen = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + numberIn(row, 'impressions'), 0);
  // Some days are below ten impressions: nobody may take the sum of these rows for the whole.
  expect(seen(days)).toBeLessThan(seen(await rowsAtStart('keyword')));
});

conform('Reports', 'the days add up to the whole', async () => {
  const whole = await rowsAtStart('campaign');
  const days = await rowsAtStart('campaign', byDate);
  for (const row of whole) {
    const mine = days.filter((day) => day['campaignId'] === row['campaignId']);
    for (const name of shownNames(row)) {
      expect([name, mine.reduce((sum, day) => sum + centsIn(day, name), 0)]).toEqual([name, centsIn(row, name)]);
    }
  }
});

conform('Reports', 'there are 90 days', async () => {
  const days = await rowsAtStart('campaign', byDate);
  const dates = new Set(days.filter((row) => row['campaignName'] === 'Spring video').map((row) => row['date']));
  expect([dates.size, dates.has('2026-02-04'), dates.has('2026-05-04')]).toEqual([90, true, true]);
});

conform('Reports', 'figures follow from the seed: the same again, and others from another', async () => {
  const figures = async (seed: number) => {
    const sandbox = await startSandbox({ scenario: 'demo', now: START, clock: 'virtual', seed });
    try {
      const [account] = sandbox.ready.accounts;
      if (account === undefined) throw new Error('no account');
      const client = createClient(sandbox.ready.baseUrl, account);
      return (await client.post('/api/v1/snapshot/report', { ...request, reportType: 'keyword' })).body;
    } finally {
      await sandbox.close();
    }
  };
  const first = await figures(7);
  expect(await figures(7)).toEqual(first);
  expect(await figures(8)).not.toEqual(first);
});

/** The age of a day at START: yesterday is 1. */
const ageOf = (row: Row) => (Date.parse('2026-05-05') - Date.parse(String(row['date']))) / 86_400_000;

conform(
  'Reports',
  'late orders come in, a few clicks are taken back after three days, and nothing else changes',
  async () => {
    const before = await rowsOf('platform', byDate);
    await world.advance('P40D');
    const keyOf = (row: Row) => `${String(row['campaignId'])} ${String(row['platform'])} ${String(row['date'])}`;
    const after = new Map((await rowsOf('platform', byDate)).map((row) => [keyOf(row), row]));
    const sum = (rows: readonly Row[], name: string) => rows.reduce((all, row) => all + centsIn(row, name), 0);
    for (const row of before) {
      const later = after.get(keyOf(row)) ?? {};
      if (ageOf(row) >= 30) expect(later).toEqual(row);
      expect(later['impressions']).toBe(row['impressions']);
      const delta = (name: string) => centsIn(later, name) - centsIn(row, name);
      if (ageOf(row) >= 3) {
        expect([delta('clicks'), delta('adSpend')]).toEqual([0, 0]);
        for (const name of shownNames(row)) expect(delta(name)).toBeGreaterThanOrEqual(0);
      } else expect(delta('clicks')).toBeLessThanOrEqual(0);
    }
    const recent = before.filter((row) => ageOf(row) <= 7);
    const settled = recent.map((row) => after.get(keyOf(row)) ?? {});
    expect(sum(settled, 'attributedOrders14days')).toBeGreaterThan(sum(recent, 'attributedOrders14days') * 1.15);
    const fresh = before.filter((row) => ageOf(row) < 3);
    const kept =
      sum(
        fresh.map((row) => after.get(keyOf(row)) ?? {}),
        'clicks',
      ) / sum(fresh, 'clicks');
    expect([kept > 0.97, kept < 1]).toEqual([true, true]);
  },
);

conform('Reports', 'a day keeps the bids that were in force at its start', async () => {
  const sumOf = (rows: readonly Row[], date: string) =>
    rows.filter((row) => row['date'] === date).reduce((all, row) => all + numberIn(row, 'adSpend'), 0);
  const rows = async () =>
    (await rowsOf('keyword', { ...byDate, endDate: '2026-05-09' })).filter(
      (row) => row['campaignName'] === 'Spring products',
    );
  const before = await rows();
  const words = new Set(before.map((row) => row['keywordId']));
  await world.advance('P1D');
  for (const id of words) await world.control('POST', `/console/keywords/${String(id)}`, { bid: 2.5 });
  await world.advance('P4D');
  const after = await rows();
  const bids = (date: string) => [...new Set(after.filter((row) => row['date'] === date).map((row) => row['bid']))];
  expect([bids('2026-05-04'), bids('2026-05-06'), bids('2026-05-07')]).toEqual([[0.85], [0.85], [2.5]]);
  const old = before.filter((row) => ageOf(row) >= 30);
  expect(after.filter((row) => ageOf(row) >= 30)).toEqual(old);
  expect(sumOf(after, '2026-05-07')).toBeGreaterThan(sumOf(after, '2026-05-06'));
});
