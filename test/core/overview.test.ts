import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Core } from '../../main/core/core.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { columnNamed, tableOf } from '../../main/store/schema/tables.ts';
import type { InboxEntry } from '../../shared/api/overview.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import { asRowId, type PlainDate, type WorkspaceId } from '../../shared/model/scalars.ts';
import { cli, practiceData } from '../cli/cli.ts';
import { testFolder } from '../folder.ts';
import { done } from '../store/a-workspace.ts';
import { addRows, onlyAccount, rowsOf, startCore } from './a-core.ts';

const folder = testFolder('overview');
let core: Core;
let client: Client;
let workspaceId: WorkspaceId;

const start = new Date().toISOString().slice(0, 10);
/** Not to the first of a month, of which no day has metrics yet. */
const daysOn = addDays(start as PlainDate, 20).endsWith('-01') ? 21 : 20;
/** Two campaigns that go live; the keyword of a third has a bid that is too low. */
const SHEET = `Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,Item id,Bid,Keyword,Match type
campaign,Bottles,,sponsoredProducts,manual,enabled,15000.00,12.50,${start},,,,
ad group,Bottles,Bottles group,,,enabled,,,,,,,
ad item,Bottles,Bottles group,,,enabled,,,,3952872549,2.40,,
keyword,Bottles,Bottles group,,,enabled,,,,,1.40,water bottle,exact
campaign,Towels,,sponsoredProducts,auto,enabled,12000.00,10.00,${start},,,,
ad group,Towels,Towels group,,,enabled,,,,,,,
ad item,Towels,Towels group,,,enabled,,,,0553680321,2.80,,
`;
const BROKEN = `Type,Campaign,Ad group,Bid,Keyword,Match type
keyword,Bottles,Bottles group,0.00,cheap one,exact
keyword,Bottles,Bottles group,0.00,cheap two,exact
`;

type Narrowed = Pick<InboxEntry, 'kind' | 'filter' | 'only'>;

/** How many rows the grid shows of an entry, a tile or a day. */
async function shown({ kind, filter, only }: Narrowed): Promise<number> {
  if (kind === null) throw new Error('these are no rows');
  return (await client.workspace.openView({ workspaceId, view: { kind, filter, only } })).length;
}
const overview = () => client.overview.get({ workspaceId, period: 'last-7' });
const inbox = () => client.inbox.list({ workspaceId });
const campaignsWith = (days: string) => shown({ kind: 'campaign', filter: `metrics:${days}`, only: 'all' });

beforeAll(async () => {
  const data = practiceData(folder);
  writeFileSync(join(folder, 'sheet.csv'), SHEET);
  writeFileSync(join(folder, 'broken.csv'), BROKEN);
  expect((await cli(data, 'import', join(folder, 'sheet.csv'))).code).toBe(0);
  expect((await cli(data, 'sync')).code).toBe(0);
  expect((await cli(data, 'import', join(folder, 'broken.csv'))).code).toBe(0);
  core = await startCore(data);
  client = createRouterClient(core.router);
  workspaceId = await onlyAccount(client);
  await client.practice.advance({ workspaceId, duration: `P${daysOn}D` });
  await client.sync.refresh({ workspaceId });
});
afterAll(() => core.close());

test('days without a report are unknown and requested once; then every number is that of its rows', async () => {
  const before = await overview();
  const { from, to } = before.span;
  expect(to).toBe(addDays(before.today as PlainDate, -1));
  expect(before).toMatchObject({ through: null, campaigns: 0, missing: { from: addDays(from as PlainDate, -7), to } });
  expect(before.tiles.sales).toMatchObject({ now: null, before: null });
  expect(before.days.every(({ sales }) => sales === null)).toBe(true);

  const request = () => client.overview.request({ workspaceId, period: 'last-7' });
  const listening = new AbortController();
  const announced: string[] = [];
  const hearing = (async () => {
    for await (const event of core.events.subscribe(listening.signal)) {
      if (event.type === 'settings.changed') announced.push(event.area);
    }
  })().catch((error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }));
  expect([await request(), await request()]).toEqual([{ requested: true }, { requested: false }]);

  const after = await overview();
  expect(after).toMatchObject({ through: to, missing: null, damaged: [], campaigns: 2 });
  // Windows read their inbox again after each: every list that is opened asks for its days.
  await expect.poll(() => announced).toContain('overview');
  expect(announced.filter((area) => area === 'overview')).toHaveLength(1);
  listening.abort();
  await hearing;
  const month = await client.overview.get({ workspaceId, period: 'last-30' });
  expect(month.days.map(({ isSettled }) => isSettled)).toEqual([...Array(15).fill(true), ...Array(15).fill(false)]);
  const [report] = (await client.reports.list({ workspaceId })).snapshots;
  const look = { groupBy: 'campaignName', sortBy: '', figure: '', from: 0, count: 50 };
  const view = await client.reports.view({ workspaceId, id: report?.id ?? '', look });
  const sumOf = (column: string, first: string, last: string) =>
    view.days
      .filter(({ day }) => day >= first && day <= last)
      .reduce((sum, { figures }) => sum + (figures[column] ?? 0), 0);
  const { sales, spend, roas, orders, cpc } = after.tiles;
  expect(sales.now).toBe(sumOf('attributedSales14days', from, to));
  expect(sales.before).toBe(
    sumOf('attributedSales14days', addDays(from as PlainDate, -7), addDays(from as PlainDate, -1)),
  );
  expect(spend.now).toBe(sumOf('adSpend', from, to));
  expect(orders.now).toBe(sumOf('attributedOrders14days', from, to));
  expect(cpc.now).toBe(Math.floor(sumOf('adSpend', from, to) / sumOf('clicks', from, to)));
  expect(roas.now).toBe(Math.floor((100 * (sales.now ?? 0)) / (spend.now ?? 1)));
  expect(sales.days).toHaveLength(14);

  expect(await campaignsWith(`${from}..${to}`)).toBe(after.campaigns);
  for (const { day, campaigns } of after.days) expect(await campaignsWith(day)).toBe(campaigns);
  expect(await campaignsWith('2020-01-01')).toBe(0);
  const one = await client.overview.get({ workspaceId, period: 'last-7', campaignType: 'sba' });
  expect(one).toMatchObject({ campaigns: 0, through: to });
});

test('without a campaign, days that reports cover stay unknown: there is nothing to add up', async () => {
  const { workspaceId: bare } = await client.accounts.addPractice({ name: 'Bare' });
  await client.overview.request({ workspaceId: bare, period: 'last-7' });
  const seen = await client.overview.get({ workspaceId: bare, period: 'last-7' });
  expect(seen.through).not.toBeNull();
  expect(seen).toMatchObject({ hasCampaigns: false, tiles: { sales: { now: null }, orders: { now: null } } });
  expect(seen.days.every(({ spend }) => spend === null)).toBe(true);
  expect(await overview()).toMatchObject({ hasCampaigns: true });
});

test('budgets are told by what became of them so far', async () => {
  // Their flights began before the days of the last week and the one before, and the service has nothing of their first days.
  const rows = await rowsOf(client, workspaceId, { kind: 'campaign' }, 100);
  await client.workspace.edit({
    workspaceId,
    label: 'Start',
    changes: rows.map(({ id }) => ({
      kind: 'campaign',
      id,
      field: 'startDate',
      value: addDays(start as PlainDate, -3),
    })),
  });
  await client.overview.request({ workspaceId, period: 'last-30' });
  expect((await client.overview.get({ workspaceId, period: 'last-30' })).missing).not.toBeNull();
  const { pacing } = await overview();
  expect(pacing).toMatchObject({ daily: 2250, total: 2 });
  for (const { budget, spent, elapsed } of pacing.campaigns) {
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(budget);
    expect(elapsed).toBeGreaterThan(0);
  }
  // A total budget without an end has no pace of its own, so that of the month is told.
  const months = pacing.campaigns.filter(({ isTotal }) => !isTotal);
  expect(months.map(({ name }) => name)).toEqual(['Bottles', 'Towels']);
  const value = addDays(start as PlainDate, 60);
  const id = asRowId(months[1]?.campaignId ?? 0);
  await client.workspace.edit({
    workspaceId,
    label: 'End',
    changes: [{ kind: 'campaign', id, field: 'endDate', value }],
  });
  expect((await overview()).pacing.campaigns).toContainEqual(
    expect.objectContaining({ name: 'Towels', isTotal: true, budget: 1_200_000 }),
  );
  await client.workspace.undo({ workspaceId });
  await client.workspace.undo({ workspaceId });
});

test('each live campaign with a known budget has its pace, which its details show', async () => {
  const many = testFolder('paces');
  const data = practiceData(many);
  const [head = ''] = SHEET.split('\n');
  const towels = SHEET.split('\n').slice(5).join('\n');
  const sheet = Array.from({ length: 9 }, (_, at) => towels.replaceAll('Towels', `Towels ${at}`)).join('');
  writeFileSync(join(many, 'sheet.csv'), `${head}\n${sheet}`);
  expect((await cli(data, 'import', join(many, 'sheet.csv'))).code).toBe(0);
  expect((await cli(data, 'sync')).code).toBe(0);
  const other = await startCore(data);
  onTestFinished(() => other.close());
  const own: Client = createRouterClient(other.router);
  const of = { workspaceId: await onlyAccount(own) };
  await own.practice.advance({ ...of, duration: `P${daysOn}D` });
  await own.sync.refresh(of);
  await own.overview.request({ ...of, period: 'last-30' });
  const { pacing } = await own.overview.get({ ...of, period: 'last-30' });
  expect(pacing.total).toBe(9);
  expect(pacing.campaigns).toHaveLength(9);
});

test('the type that is chosen narrows the campaigns that start soon too', async () => {
  const { today } = await overview();
  const startDate = addDays(today as PlainDate, 7);
  await addRows(client, workspaceId, 'Start soon', [
    { kind: 'campaign', parent: null, values: { name: 'Film', campaignType: 'video', startDate } },
    { kind: 'campaign', parent: null, values: { name: 'Cups', campaignType: 'sponsoredProducts', startDate } },
  ]);
  const startingOf = async (campaignType: 'video' | 'sba' | null) => {
    const { starting } = await client.overview.get({ workspaceId, period: 'last-7', campaignType });
    return [starting.total, ...starting.launches.map(({ name }) => name)];
  };
  expect(await startingOf(null)).toEqual([2, 'Film', 'Cups']);
  expect(await startingOf('video')).toEqual([1, 'Film']);
  expect(await startingOf('sba')).toEqual([0]);
  await client.workspace.undo({ workspaceId });
});

test('an entry counts its rows, can be put aside, and is gone with its cause', async () => {
  const { entries, lines, asking } = await inbox();
  const errors = entries.filter(({ is }) => is === 'error');
  expect(errors).toMatchObject([{ kind: 'keyword', rows: 2, campaign: 'Bottles', group: 'before-sync' }]);
  // In a few words, without facts of a single row.
  expect(errors[0]?.text).toMatch(/^[A-Z][\w ]{3,40}$/);
  expect(asking).toBe(entries.filter(({ asks }) => asks).length);
  for (const entry of [...entries, ...lines]) if (entry.rows > 1) expect(await shown(entry)).toBe(entry.rows);

  const id = errors[0]?.id ?? '';
  const entry = async () => (await inbox()).entries.find((each) => each.id === id);
  await client.inbox.snooze({ workspaceId, id, until: 'tomorrow' });
  const { today } = await overview();
  expect(await entry()).toMatchObject({ snoozedUntil: addDays(today as PlainDate, 1) });
  expect((await inbox()).asking).toBe(asking - 1);
  await client.practice.advance({ workspaceId, duration: 'P1D' });
  expect(await entry()).toMatchObject({ snoozedUntil: null });

  await client.inbox.setDone({ workspaceId, id, isDone: true });
  expect(await entry()).toMatchObject({ isDone: true });
  await client.inbox.setDone({ workspaceId, id, isDone: false });
  expect(await entry()).toMatchObject({ isDone: false });

  const rows = await rowsOf(client, workspaceId, { kind: 'keyword', filter: errors[0]?.filter ?? '' }, 10);
  const changes = rows.map((row) => ({ kind: 'keyword' as const, id: row.id, field: 'bid', value: 150 }));
  await client.workspace.edit({ workspaceId, label: 'Raise', changes });
  expect(await entry()).toBeUndefined();
});

test('errors come before items that nobody has verified yet', async () => {
  const group = (await rowsOf(client, workspaceId, { kind: 'adGroup' }))[0]?.id ?? 0;
  const values = { itemId: '7777777777', bid: 150 };
  const rows = [{ kind: 'adItem' as const, parent: { id: group }, values }];
  await client.workspace.create({ workspaceId, label: 'Add', rows });
  await addRows(client, workspaceId, 'Add', [
    { kind: 'keyword', parent: { id: group }, values: { text: 'low', matchType: 'exact', bid: 0 } },
  ]);
  await expect
    .poll(async () => (await inbox()).entries.filter((entry) => entry.group === 'before-sync').map(({ is }) => is))
    .toEqual(['error', 'unverified']);
});

test('failed rows and conflicts beyond those listed one by one are counted, and the list has all of them', async () => {
  const { code } = tableOf('keyword');
  const rows = await rowsOf(client, workspaceId, { kind: 'adGroup' }, 1);
  const parent = { id: rows[0]?.id ?? 0 };
  const added = Array.from({ length: 260 }, (_, at) => ({
    kind: 'keyword' as const,
    parent,
    values: { text: `many ${at}`, matchType: 'exact', bid: 150 },
  }));
  const created = await client.workspace.create({ workspaceId, label: 'Add', rows: added });
  const ids = created.touched.map(({ id }) => id);
  expect(ids).toHaveLength(260);
  const { folder } = done(await core.open.get(workspaceId));
  const db = new DatabaseSync(join(folder, 'workspace.db'), { timeout: 30_000 });
  const refuse = db.prepare('INSERT INTO refusal VALUES (?, ?, ?, ?)');
  const dispute = db.prepare(
    'INSERT INTO conflict(kind, id, field, base, theirs, at, against) VALUES (?, ?, ?, 1, 2, ?, 1)',
  );
  const field = columnNamed(tableOf('keyword'), 'bid').code;
  for (const [at, id] of ids.entries()) {
    refuse.run(code, id, `The bid of keyword number ${1000 + at} is not allowed`, at);
    dispute.run(code, id, field, at);
  }
  const { entries, lines } = await inbox();
  const failed = entries.filter(({ is }) => is === 'failed');
  expect(failed).toHaveLength(201);
  expect(failed.at(-1)).toMatchObject({ kind: 'keyword', rows: 260, ref: '60' });
  const disputed = entries.filter(({ is }) => is === 'conflict');
  expect(disputed).toMatchObject([{ kind: 'keyword', rows: 260 }]);
  for (const entry of [...failed.slice(-1), ...disputed]) expect(await shown(entry)).toBe(260);
  expect(lines.filter(({ is }) => is === 'failed' || is === 'conflict').map((line) => line.rows)).toEqual([260, 260]);
  // Of rows that are removed by now.
  db.exec('BEGIN');
  for (let id = 50_001; id <= 60_001; id++) dispute.run(code, id, field, id);
  db.exec('COMMIT');
  db.close();
  expect(await client.sync.conflicts({ workspaceId })).toHaveLength(10_261);
});

test('a rejected campaign stays one entry while it is fixed', async () => {
  const at = { workspaceId: (await client.accounts.addSample({ name: 'Sample' })).workspaceId };
  const [review] = (await client.practice.state(at)).openReviews;
  await client.practice.decide({ ...at, reviewId: review?.reviewId ?? '', verdict: 'rejected' });
  await client.review.poll(at);
  const entries = async () => {
    const { entries: all } = await client.inbox.list(at);
    return all.filter(({ group, campaign }) => group === 'reviews' && campaign === review?.campaign);
  };
  const before = await entries();
  expect(before).toMatchObject([{ is: 'rejection', kind: 'videoProfile' }]);
  const [videoGroup] = await rowsOf(client, at.workspaceId, {
    kind: 'adGroup',
    campaignId: before[0]?.campaignId ?? null,
  });
  await addRows(client, at.workspaceId, 'Add', [
    {
      kind: 'keyword',
      parent: { id: asRowId(videoGroup?.id ?? 0) },
      values: { text: 'calm roll', matchType: 'exact', bid: 170 },
    },
  ]);
  expect(await client.afterReview.list(at)).toMatchObject([{ state: 'free', campaign: review?.campaign, rows: 1 }]);
  expect(await entries()).toEqual(before);

  // Its button no longer sends the added keyword once the rejection is put aside.
  const id = before[0]?.id ?? '';
  const shown = async () =>
    (await entries()).filter(({ isDone, snoozedUntil }) => !isDone && snoozedUntil === null).map(({ is }) => is);
  await client.inbox.setDone({ ...at, id, isDone: true });
  expect(await shown()).toEqual(['after-review']);
  await client.inbox.setDone({ ...at, id, isDone: false });
  expect(await shown()).toEqual(['rejection']);
  await client.inbox.snooze({ ...at, id, until: 'tomorrow' });
  expect(await shown()).toEqual(['after-review']);
});
