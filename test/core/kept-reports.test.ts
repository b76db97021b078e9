import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReportService } from '../../main/reports/report-service.ts';
import type { ReportReadError } from '../../main/reports/report-store.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { ReportQuery, ReportRequest, ReportView } from '../../shared/api/reports.ts';
import { addDays, plainDate } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { type Control, controlOf } from '../sync/control.ts';
import { type OpenedReports, reportsOfAnAccount } from './reports-of-an-account.ts';

const LOOK: ReportQuery = {
  groupBy: 'campaignName',
  contains: '',
  sortBy: 'impressions',
  descending: true,
  figure: 'impressions',
  from: 0,
  count: 100,
};

const NOT_KEPT = err({ kind: 'not-kept' });

let sandbox: RunningSandbox;
let control: Control;
let folder: string;
let today: PlainDate;
let account: OpenedReports;
let reports: ReportService;
let wish: ReportRequest;

/** The same service over the same folder, as after a restart. */
async function open(): Promise<void> {
  account = await reportsOfAnAccount({ sandbox, folder, today: () => today });
  reports = account.reports;
}
async function restart(): Promise<void> {
  await account.close();
  await open();
}
const fileOf = (name: string): string => join(folder, 'reports', name);

beforeEach(async () => {
  sandbox = await startSandbox({ credentials: 'owners', scenario: 'demo', clock: 'virtual' });
  control = controlOf(sandbox);
  folder = await mkdtemp(join(tmpdir(), 'adslate-reports-'));
  const now = plainDate((await control.state()).now.slice(0, 10));
  if (now === null) throw new Error('the service has no date');
  today = now;
  wish = { reportType: 'keyword', startDate: addDays(today, -10), endDate: addDays(today, -2), byDate: true };
  await open();
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const asked = async (): Promise<number> =>
  (await control.requests()).filter(({ path }) => path.startsWith('/api/v1/snapshot/report')).length;

async function get(again = false): Promise<{ readonly id: string; readonly kept: boolean }> {
  const answer = await reports.request(wish, again);
  if (!answer.ok) throw new Error(answer.error.kind);
  if (answer.value.is === 'job') throw new Error('not ready');
  return { id: answer.value.snapshot.id, kept: answer.value.kept };
}

/** What must be there. */
function there<T>(result: Result<T, ReportReadError>): T {
  if (!result.ok) throw new Error(result.error.kind);
  return result.value;
}
const look = async (id: string, as: ReportQuery): Promise<ReportView> => there(await reports.view(id, as));

test('the same wish is sent once a day, unless the user asks again', async () => {
  const first = await get();
  expect(await get()).toEqual({ id: first.id, kept: true });
  expect(await asked()).toBe(1);
  const again = await get(true);
  expect(again.kept).toBe(false);
  today = addDays(today, 1);
  expect((await get()).kept).toBe(false);
  expect(await asked()).toBe(3);
  expect((await reports.list()).snapshots).toHaveLength(3);
});

test('two clicks at once send one request', async () => {
  const both = await Promise.all([get(), get()]);
  expect(both[0].id).toBe(both[1].id);
  expect(await asked()).toBe(1);
});

test('a kept report survives a restart and is looked at without asking the service', async () => {
  const { id } = await get();
  const before = await look(id, LOOK);
  await restart();
  expect(await look(id, LOOK)).toEqual(before);
  expect(before.page.length).toBeGreaterThan(2);
  expect(await asked()).toBe(1);
});

test('however rows are put together, a report has the same total, and its groups add up to it', async () => {
  const { id } = await get();
  const looks = ['campaignName', 'keywordId', 'date'].map((groupBy) => ({ ...LOOK, groupBy, count: 500 }));
  const views = await Promise.all(looks.map((each) => look(id, each)));
  for (const view of views) {
    const sum = view.page.reduce((total, group) => total + (group.figures['impressions'] ?? 0), 0);
    expect(sum).toBe(view.total.figures['impressions']);
  }
  expect(new Set(views.map((view) => JSON.stringify(view.total))).size).toBe(1);
});

test('narrowing to a name narrows total, days and groups alike', async () => {
  const { id } = await get();
  const whole = await look(id, LOOK);
  const name = whole.page[0]?.label ?? '';
  const part = await look(id, { ...LOOK, contains: name.toUpperCase() });
  expect(part.page.map(({ label }) => label)).toEqual([name]);
  expect(part.total.figures['impressions']).toBe(whole.page[0]?.figures['impressions']);
  const overDays = part.days.reduce((total, day) => total + (day.figures['impressions'] ?? 0), 0);
  expect(overDays).toBe(part.total.figures['impressions']);
});

test('a grouping that the report does not have gives way to its first column', async () => {
  const { id } = await get();
  const view = await look(id, { ...LOOK, groupBy: 'nothing of the kind' });
  expect(view.groupBy).toBe(view.groupings[0]);
});

test('a removed report is gone from the disk, and removing it twice is said', async () => {
  const { id } = await get();
  expect(await reports.remove(id)).toBe(true);
  expect(await reports.remove(id)).toBe(false);
  expect(await readdir(fileOf(''))).toEqual([]);
  expect(await reports.view(id, LOOK)).toEqual(NOT_KEPT);
});

test('a description that cannot be read is counted and hides no other report', async () => {
  const { id } = await get();
  await writeFile(fileOf('keyword-broken.json'), '{"half":');
  expect(await reports.list()).toMatchObject({ damaged: 1, snapshots: [{ id }] });
});

describe('rows that cannot be read from the disk are said to be that, and never an empty report', () => {
  const UNREADABLE: readonly [what: string, spoil: (file: string) => Promise<unknown>, detail: string][] = [
    ['cut off', (file) => truncate(file, 20), 'SHA-256'],
    ['overwritten', (file) => writeFile(file, 'something else'), 'SHA-256'],
    ['a folder in their place', (file) => rm(file).then(() => mkdir(file)), 'EISDIR'],
  ];
  test.each(UNREADABLE)('%s', async (_what, spoil, detail) => {
    const { id } = await get();
    await spoil(fileOf(`${id}.raw`));
    await restart();
    const unreadable = err({ kind: 'unreadable', detail });
    expect(await reports.view(id, LOOK)).toEqual(unreadable);
    expect(await reports.rows(id)).toEqual(unreadable);
    expect(await reports.ofRows(id, 'keyword', ['1'])).toEqual(unreadable);
    expect(await reports.column(id, 'keyword', 'clicks')).toEqual(unreadable);
    const again = await get(true);
    expect(await look(again.id, LOOK), 'fetched again it is there').toMatchObject({ snapshot: { id: again.id } });
  });
});

test('what the service refuses is kept nowhere', async () => {
  wish = { ...wish, reportType: 'horoscope' };
  const answer = await reports.request(wish, false);
  expect(answer).toMatchObject({ ok: false, error: { kind: 'refused' } });
  expect((await reports.list()).snapshots).toEqual([]);
});

test('figures stand beside rows by the ids of the service, and add up to the total of the report', async () => {
  const { id } = await get();
  const byKeyword = await look(id, { ...LOOK, groupBy: 'keywordId', count: 500 });
  const ids = byKeyword.page.map(({ label }) => label);
  const rows = there(await reports.ofRows(id, 'keyword', [...ids, 'of nobody']));
  expect(rows.map(({ remoteId }) => remoteId)).toEqual(ids);
  expect(rows.map(({ figures }) => figures)).toEqual(byKeyword.page.map(({ figures }) => figures));
  const groups = await reports.ofRows(id, 'adItem', ids);
  expect(groups, 'a report by keyword says nothing of items').toEqual(ok([]));
  await reports.remove(id);
  expect(await reports.ofRows(id, 'keyword', ids)).toEqual(NOT_KEPT);
});
