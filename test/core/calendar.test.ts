import { expect, test } from 'vitest';
import { addDays, dateInZone } from '../../shared/model/plain-date.ts';
import { aCoreWithPractice } from './a-core.ts';

const today = dateInZone(Date.now(), 'America/Los_Angeles');

type Shop = Awaited<ReturnType<typeof aCoreWithPractice>>;

async function aCampaignFrom(shop: Shop, startDate: string): Promise<void> {
  const values = { name: 'Spring', campaignType: 'sponsoredProducts', targetingType: 'auto', startDate };
  await shop.client().workspace.create({
    workspaceId: shop.workspaceId,
    label: 'Create',
    rows: [{ kind: 'campaign', parent: null, values }],
  });
}

async function dateFindings(shop: Shop): Promise<readonly string[]> {
  const page = { workspaceId: shop.workspaceId, from: 0, count: 500 };
  const { findings } = await shop.client().workspace.findings(page);
  return findings.filter(({ field }) => field === 'startDate').map(({ rule }) => rule);
}

test('moving the practice clock judges every start date anew, by the calendar of the service', async () => {
  const shop = await aCoreWithPractice();
  const { workspaceId } = shop;
  await aCampaignFrom(shop, addDays(today, 5));
  expect(await dateFindings(shop)).toEqual([]);
  await shop.client().practice.advance({ workspaceId, duration: 'P4D' });
  expect(await dateFindings(shop)).toEqual([]);
  await shop.client().practice.advance({ workspaceId, duration: 'P3D' });
  expect(await dateFindings(shop)).toEqual(['campaign.start-before-today']);
});

test('what is typed after the clock was moved is judged by the moved calendar, and so it is after a restart', async () => {
  const shop = await aCoreWithPractice();
  await shop.client().practice.advance({ workspaceId: shop.workspaceId, duration: 'P30D' });
  await aCampaignFrom(shop, addDays(today, 20));
  expect(await dateFindings(shop)).toEqual(['campaign.start-before-today']);
  await shop.reopen();
  expect(await dateFindings(shop)).toEqual(['campaign.start-before-today']);
});

test('the window hears that something changed when the calendar moves', async () => {
  const shop = await aCoreWithPractice();
  const { workspaceId } = shop;
  await aCampaignFrom(shop, addDays(today, 1));
  const before = (await shop.client().workspace.summary({ workspaceId })).revision;
  await shop.client().practice.advance({ workspaceId, duration: 'P9D' });
  expect((await shop.client().workspace.summary({ workspaceId })).revision).toBeGreaterThan(before);
});
