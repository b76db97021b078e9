import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCube } from '../../main/cube/cube.ts';
import { noteShown } from '../../main/store/reviews/banners-shown.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { bannerRuns } from '../../shared/suggestions/banner-swap.ts';
import { acceptAll, aStore, at, create, createAll, done } from './a-workspace.ts';

const DAY_MS = 86_400_000;
/** The day on which the banners change places, at noon of the first one's 15th day. */
const START = Date.UTC(2026, 4, 4, 12);
const FIRST = '2026-05-04' as PlainDate;
const SWAP = addDays(FIRST, 14);
const TODAY = addDays(FIRST, 29);
const WORDS = { brand: 'Softly', clickUrl: 'https://shop.example/browse/softly' };

/** A campaign with two banners of which the second took the place of the first, and another campaign beside it. */
async function aSwap() {
  const store = aStore();
  const refs = ['Towels', 'Kettles'].flatMap((name) =>
    createAll(store, [
      create('campaign', null, { name, campaignType: 'sba', targetingType: 'manual', dailyBudget: 5000 }),
      create('adGroup', { at: 0 }, { name: `${name} group` }),
      create('sbaProfile', { at: 1 }, { ...WORDS, headline: `${name}, soft`, status: 'enabled' }),
      create('sbaProfile', { at: 1 }, { ...WORDS, headline: `${name}, new`, status: 'disabled' }),
    ]),
  );
  acceptAll(store, refs);
  const says = (row: number, values: Readonly<Record<string, Cell>>) =>
    store.tx(() => done(store.acceptSent(at(refs, row), { remoteId: null, sent: values })));
  store.setNow(START + 14 * DAY_MS);
  says(3, { status: 'enabled' });
  store.setNow(START + 14 * DAY_MS + 60_000);
  says(2, { status: 'disabled' });
  const [campaign, other] = [at(refs, 0), at(refs, 4)];
  const file = String(store.db.get(`SELECT file FROM pragma_database_list WHERE name = 'main'`)?.[0]);
  const cube = await openCube({ file: join(dirname(file), 'cube.db'), account: file, currency: 'USD' });
  onTestFinished(() => cube.close());
  const path = join(dirname(file), 'report.csv');
  const lines = Array.from({ length: 29 }, (_, day) => {
    const date = addDays(FIRST, day);
    // Days scatter by a click around 20 and 30 of 1,000; the other campaign has 50 of 2,000 all along.
    const clicks = (date > SWAP ? 30 : 20) + (day % 2);
    return [
      `${date},${900_000 + campaign.id},Towels,1000,${clicks},10.00,45.00`,
      `${date},${900_000 + other.id},Kettles,2000,50,10.00,45.00`,
    ];
  });
  const head = 'date,campaignId,campaignName,impressions,clicks,adSpend,attributedSales14days';
  writeFileSync(path, `${[head, ...lines.flat()].join('\r\n')}\r\n`);
  done(
    await cube.ingest({
      path,
      sha256: null,
      id: null,
      reportType: 'campaign',
      span: { from: FIRST, to: addDays(FIRST, 28) },
      fetchedAt: 1,
      fetchedOn: TODAY,
      attributionWindow: null,
    }),
  );
  return { store, refs, cube, campaignId: campaign.id, otherId: other.id };
}

test('the log has each banner with its whole days, and what is told of them is suggested', async () => {
  const { cube, campaignId, otherId } = await aSwap();
  const setup = { today: TODAY, zone: 'UTC', daysMax: 400 };
  const [now, before, ...more] = await cube.bannerLog({ ...setup, campaignId });
  expect(more).toEqual([]);
  // The first day and the day of the swap belong to neither.
  expect(before).toMatchObject({ headline: 'Towels, soft', from: FIRST, to: SWAP, days: 13, isFirst: true });
  expect(before).toMatchObject({ spend: 13_000, sales: 58_500, clicks: 13 * 20 + 7, difference: null });
  expect(now).toMatchObject({ headline: 'Towels, new', from: SWAP, to: null, days: 14, spend: 14_000 });
  expect(now?.difference).toMatchObject({ verdict: 'better', control: 0, days: 13, moreDays: null });
  const rise = (14 * 30 + 7) / 14 / ((13 * 20 + 7) / 13) - 1;
  expect(now?.difference?.difference).toBeCloseTo(rise, 3);
  expect(now?.difference?.low).toBeGreaterThan(0.2);
  expect(await cube.bannerLog({ ...setup, campaignId: otherId })).toMatchObject([
    { headline: 'Kettles, soft', days: 28 },
  ]);

  const { suggestions } = await cube.suggestions(
    {
      ...{ today: TODAY, zone: 'UTC', goals: [], plans: [], dismissals: [] },
      limits: { floorItem: null, floorVideoKeyword: null, max: null, multiplierMax: 90_000, textsMax: 200 },
      ...{ keywordEffect: 'immediate', budgetEffect: 'immediate' },
    },
    { is: 'page', kinds: ['banner'], campaignId: null, from: 0, count: 10 },
  );
  expect(suggestions).toMatchObject([{ kind: 'banner', campaignId, evidence: 'firm', numbers: now?.difference }]);
});

test('what a profile showed already is not news, and an edit that was not sent shows nothing', async () => {
  const { store, refs } = await aSwap();
  const count = () => store.db.get('SELECT count(*) FROM banner_shown')?.[0];
  expect(count()).toBe(6);
  const { id } = at(refs, 3);
  done(
    store.apply({
      label: 'Edit',
      source: 'user',
      updates: [{ kind: 'sbaProfile', id, field: 'headline', value: 'X' }],
    }),
  );
  noteShown(store.db, [id, at(refs, 2).id], START + 20 * DAY_MS);
  expect(count()).toBe(6);
});

test('a banner lasts until another one takes its place, and none is told while two are shown', () => {
  const events = [
    { row: 1, creative: 'A', day: 1 },
    { row: 2, creative: '', day: 1 },
    { row: 2, creative: 'B', day: 9 },
    { row: 1, creative: '', day: 11 },
    { row: 2, creative: '', day: 20 },
    { row: 2, creative: 'B', day: 20 },
    { row: 2, creative: 'C without a logo', day: 30 },
    { row: 2, creative: 'C', day: 30 },
  ];
  expect(bannerRuns(events)).toEqual([
    { creative: 'A', from: 1, to: 9 },
    { creative: 'B', from: 11, to: 30 },
    { creative: 'C', from: 30, to: null },
  ]);
});
