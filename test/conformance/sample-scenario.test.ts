import { expect, test } from 'vitest';
import { z } from 'zod';
import { readPngSize } from '../../sandbox/pictures.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { createClient } from './client.ts';

const Campaigns = z.array(
  z.object({ campaignId: z.int(), name: z.string(), status: z.string(), startDate: z.string(), endDate: z.string() }),
);
const Items = z.array(z.object({ itemName: z.string(), itemImageUrl: z.string() }));
const Rows = z.array(
  z.object({
    campaignName: z.string(),
    date: z.string().optional(),
    itemName: z.string().optional(),
    adSpend: z.number(),
    clicks: z.int(),
    attributedOrders30days: z.int(),
    attributedSales30days: z.number(),
  }),
);
const State = z.object({ counts: z.record(z.string(), z.int()), reviews: z.array(z.unknown()) });

const dayFrom = (today: string, days: number): string =>
  new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

/** The sample at an instant, which is noon of `today` at the business. */
async function sampleAt(today: string) {
  const sandbox = await startSandbox({
    scenario: 'sample',
    now: `${today}T20:00:00Z`,
    clock: 'virtual',
    extensions: true,
    credentials: 'owners',
  });
  try {
    const { baseUrl, controlUrl, accounts } = sandbox.ready;
    const [account] = accounts;
    if (account === undefined) throw new Error('nobody may ask');
    const client = createClient(baseUrl, account);
    const { advertiserId } = account;
    const report = async (reportType: string, startDate: string, extraFields: readonly string[]) => {
      const wish = { advertiserId, reportType, startDate, endDate: dayFrom(today, -1), extraFields };
      return Rows.parse((await client.post('/api/v1/snapshot/report', wish)).body);
    };
    const found = await client.post('/api/v1/itemSearch', { advertiserId, searchText: 'Northwind Teal' });
    const items = Items.parse(found.body);
    const picture = await fetch(items[0]?.itemImageUrl ?? '');
    return {
      campaigns: Campaigns.parse((await client.get(`/api/v1/campaigns?advertiserId=${advertiserId}`)).body),
      state: State.parse(await (await fetch(`${controlUrl}/state`)).json()),
      items,
      picture: readPngSize(new Uint8Array(await picture.arrayBuffer())),
      daily: await report('campaign', dayFrom(today, -60), ['date']),
      itemSales: await report('adItem', dayFrom(today, -60), []),
      keywordSales: await report('keyword', dayFrom(today, -60), []),
    };
  } finally {
    await sandbox.close();
  }
}

const roas = ({ attributedSales30days, adSpend }: z.infer<typeof Rows>[number]): number =>
  attributedSales30days / adSpend;
const sum = (rows: z.infer<typeof Rows>, of: 'clicks' | 'attributedOrders30days'): number =>
  rows.reduce((total, row) => total + row[of], 0);

test.for(['2026-05-06', '2027-01-02'])(
  'the sample of %s is dated from its clock and sells around the target',
  async (today) => {
    const sample = await sampleAt(today);
    const days = (name: string) => {
      const { startDate, status } = sample.campaigns.find((campaign) => campaign.name === name) ?? {};
      return [status, Math.round((Date.parse(startDate ?? '') - Date.parse(today)) / 86_400_000)];
    };
    expect(sample.campaigns).toHaveLength(5);
    for (const live of ['Water bottles manual', 'Paper towels auto', 'Northwind garden brand']) {
      expect(days(live)).toEqual(['live', -75]);
    }
    expect(days('Garden hose video')).toEqual(['scheduled', 7]);
    expect(days('Kitchen roll video')).toEqual(['proposal', 3]);
    expect(sample.state.counts).toMatchObject({ keyword: 31, adItem: 16, sbaProfile: 2, adGroupMedia: 2, media: 2 });
    expect(sample.state.reviews).toHaveLength(1);
    expect(sample.items.length).toBeGreaterThan(0);
    expect(sample.picture).toEqual({ width: 200, height: 200 });

    const dates = [...new Set(sample.daily.map(({ date }) => String(date)))].toSorted();
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([60, dayFrom(today, -60), dayFrom(today, -1)]);
    const shares = sample.keywordSales.map(roas);
    expect(shares.filter((share) => share > 4).length).toBeGreaterThanOrEqual(4);
    expect(shares.filter((share) => share < 4).length).toBeGreaterThanOrEqual(4);
    expect(
      sample.itemSales.filter((row) => roas(row) < 1.5 && row.clicks >= 20).map(({ itemName }) => itemName),
    ).toEqual(['Northwind Green Paper Towels, 12 Rolls']);
    // What is told of parts adds up to what is told of the whole.
    const ofOne = (rows: z.infer<typeof Rows>) => rows.filter(({ campaignName }) => !campaignName.endsWith('brand'));
    expect(sum(ofOne(sample.itemSales), 'clicks')).toBe(sum(ofOne(sample.daily), 'clicks'));
    expect(sum(sample.itemSales, 'attributedOrders30days')).toBe(sum(sample.daily, 'attributedOrders30days'));
    const sales = sample.daily.reduce((total, row) => total + row.attributedSales30days, 0);
    const spend = sample.daily.reduce((total, row) => total + row.adSpend, 0);
    expect(sales / spend).toBeGreaterThan(3.2);
    expect(sales / spend).toBeLessThan(4.8);
    for (const { clicks, attributedOrders30days } of [...sample.itemSales, ...sample.keywordSales]) {
      expect(attributedOrders30days).toBeLessThanOrEqual(clicks);
    }
  },
);
