import { join } from 'node:path';
import { expect, test } from 'vitest';
import { practiceFolder } from '../../main/accounts/account-record.ts';
import { DAY_MS } from '../../sandbox/clock.ts';
import { playDay } from '../../sandbox/demand/day.ts';
import { createHistory } from '../../sandbox/demand/history.ts';
import { openStore } from '../../sandbox/store.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate, WorkspaceId } from '../../shared/model/scalars.ts';
import { done } from '../store/a-workspace.ts';
import { aSharedCore } from './a-core.ts';

/**
 * The experiment of `test/backtest` once more, small, through everything that ships: drafts, syncs, reports over HTTP, the cube,
 * suggestions and their acceptance. What the bids of the beginning would have done with the same shoppers is asked of the sandbox.
 */
const CAMPAIGNS = 4;
const WORDS = 12;
const BEFORE_DAYS = 28;
const ROUNDS = 5;
/** A bid is judged again when seven days of metrics have followed it. */
const ROUND_DAYS = 8;
const JUDGED_DAYS = 16;

const { folder, core, client } = await aSharedCore('backtest');

const today = async (workspaceId: WorkspaceId) => (await client.reports.list({ workspaceId })).today as PlainDate;
const pass = (workspaceId: WorkspaceId, days: number) =>
  client.practice.advance({ workspaceId, duration: `P${days}D` });

async function sync(workspaceId: WorkspaceId): Promise<void> {
  await client.sync.run({ workspaceId, submit: true });
  const running = await done(await core.open.get(workspaceId)).sync();
  expect(await running.idle()).toMatchObject({ state: 'finished', refused: [], inDoubt: 0 });
}

async function openAccount(name: string): Promise<WorkspaceId> {
  const { workspaceId } = await client.accounts.addPractice({ name });
  const items = await client.items.search({ workspaceId, ids: null, text: 'Northwind' });
  const startDate = await today(workspaceId);
  const rows = Array.from({ length: CAMPAIGNS }, (_, at) => {
    const first = at * (3 + WORDS);
    const parent = { at: first + 1 };
    const bid = 90 + 15 * at;
    return [
      {
        kind: 'campaign' as const,
        parent: null,
        values: {
          name: `Campaign ${at}`,
          campaignType: 'sponsoredProducts',
          targetingType: 'manual',
          dailyBudget: 100_000,
          totalBudget: 100_000_000,
          startDate,
        },
      },
      { kind: 'adGroup' as const, parent: { at: first }, values: { name: `Group ${at}` } },
      {
        kind: 'adItem' as const,
        parent,
        values: { itemId: items[at]?.itemId ?? '', itemName: null, itemIdSource: 'service', bid },
      },
      ...Array.from({ length: WORDS }, (_word, word) => ({
        kind: 'keyword' as const,
        parent,
        values: { text: `word ${at} ${word}`, matchType: 'exact', bid },
      })),
    ];
  }).flat();
  await client.workspace.create({ workspaceId, label: 'Add campaigns', rows });
  await sync(workspaceId);
  await pass(workspaceId, BEFORE_DAYS + 2);
  await client.sync.refresh({ workspaceId });
  return workspaceId;
}

async function readReports(workspaceId: WorkspaceId): Promise<void> {
  const day = await today(workspaceId);
  for (const reportType of ['campaign', 'keyword']) {
    const wish = { reportType, startDate: addDays(day, -40), endDate: addDays(day, -1), byDate: true };
    expect(await client.reports.request({ workspaceId, wish })).toMatchObject({ is: 'report' });
  }
}

async function acceptBids(workspaceId: WorkspaceId): Promise<number> {
  const { suggestions } = await client.suggestions.list({ workspaceId, from: 0, count: 500, kinds: ['bid'] });
  if (suggestions.length === 0) return 0;
  const keys = suggestions.map(({ key }) => key);
  const { accepted } = await client.suggestions.accept({ workspaceId, keys, lifted: true });
  await sync(workspaceId);
  return accepted;
}

/** What only the service knows: what a click on each keyword brings in the long run, and what the first bids would have done. */
async function truth(workspaceId: WorkspaceId, before: PlainDate, judged: readonly PlainDate[]) {
  const store = openStore(join(practiceFolder(folder, workspaceId), 'sandbox.db'));
  try {
    const stretchesOf = createHistory(store, 1);
    const worth = new Map<string, number>();
    const unedited = { spend: 0, sales: 0, clicks: 0 };
    for (const campaign of store.list('campaign')) {
      for (const { rows, bidders, cells, budgetCents } of stretchesOf(campaign, before, before)) {
        const values = bidders.map(({ market }) => market.conversion * market.orderCents);
        for (const [at, { id }] of rows.entries()) worth.set(String(id), values[at] ?? 0);
        for (const day of judged) {
          for (const [at, { clicks }] of playDay(Date.parse(day) / DAY_MS, bidders, cells, budgetCents).entries()) {
            for (const { cents } of clicks.filter(({ isTakenBack }) => !isTakenBack)) {
              unedited.spend += cents;
              unedited.sales += values[at] ?? 0;
              unedited.clicks += 1;
            }
          }
        }
      }
    }
    return { worth, unedited };
  } finally {
    store.close();
  }
}

test('suggestions that are accepted and synced sell more for the same money', async () => {
  const workspaceId = await openAccount('Suggestions');
  await readReports(workspaceId);
  const before = addDays(await today(workspaceId), -1);
  const { total } = await client.metrics.grouped({ workspaceId, group: 'campaign', look: { period: 'last-28' } });
  const goal = { is: 'hold' as const, perDay: Math.round((total['spend'] ?? 0) / BEFORE_DAYS) };
  await client.suggestions.setGoal({ workspaceId, scope: { of: 'account' }, goal });
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await readReports(workspaceId);
    accepted += await acceptBids(workspaceId);
    await pass(workspaceId, ROUND_DAYS);
  }
  expect(accepted).toBeGreaterThan(ROUNDS * 10);

  await readReports(workspaceId);
  const day = await today(workspaceId);
  const judged = Array.from({ length: JUDGED_DAYS }, (_, at) => addDays(day, at - JUDGED_DAYS));
  const { worth, unedited } = await truth(workspaceId, before, judged);
  expect(worth.size).toBe(CAMPAIGNS * WORDS);
  const look = { period: `${judged[0] ?? day}..${addDays(day, -1)}` as const };
  const { groups } = await client.metrics.grouped({ workspaceId, group: 'keyword', look });
  const sum = (of: (key: string, metrics: Readonly<Record<string, number>>) => number) =>
    groups.reduce((all, { key, metrics }) => all + of(key, metrics), 0);
  const spend = sum((_key, metrics) => metrics['spend'] ?? 0);
  const sales = sum((key, metrics) => (worth.get(key) ?? 0) * (metrics['clicks'] ?? 0));
  expect(unedited.clicks).toBeGreaterThan(500);
  expect(sales / spend / (unedited.sales / unedited.spend)).toBeGreaterThan(1.02);
  expect(Math.abs(spend / unedited.spend - 1)).toBeLessThan(0.25);
});
