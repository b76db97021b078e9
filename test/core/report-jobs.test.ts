import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { unlessAway } from '../../main/reports/report-jobs.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { figuresOf, readReport } from '../../shared/reports/report-table.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { done } from '../store/a-workspace.ts';
import { deployment, jobOf, LOOK, snapshotOf } from './a-deployment.ts';

/** Meets the next question about a job. */
const ONCE = { match: { path: '/api/v1/snapshot' }, times: 1 };

const SERVICES = [
  ['documented calls only', false],
  ['extensions', true],
] as const;

const services = share('reports that take longer', SERVICES, 2);
describe.each(services)('a report that takes longer, with %s', (_name, extensions) => {
  const slow = () => deployment('report-answer=job,report-minutes=30,report-file=gzip', { extensions });

  test('is a job within a few seconds, goes on after a restart by its id, and is news when it is ready', async () => {
    const { control, request, reports, account, restart, sent, folder } = await slow();
    const job = jobOf(await request());
    expect(job).toMatchObject({ state: 'waiting', status: 'pending', reportId: null });
    expect(await readdir(join(folder, 'reports', 'jobs'))).toHaveLength(1);
    await restart();
    expect((await reports().jobs.list()).jobs).toEqual([job]);
    await control.advance('PT31M');
    reports().jobs.resume();
    await expect.poll(async () => (await reports().jobs.find(job.snapshotId))?.state).toBe('ready');
    const ready = await reports().jobs.find(job.snapshotId);
    const { snapshots } = await reports().list();
    expect(snapshots.map(({ id }) => id)).toEqual([ready?.reportId]);
    expect(snapshots[0]).toMatchObject({ raw: { mediaType: 'application/gzip' }, reportType: 'keyword' });
    await expect
      .poll(() => account().news())
      .toMatchObject([
        { tone: 'good', place: 'reports', text: expect.stringMatching(/^The report "keyword", .* is ready\.$/) },
      ]);
    await expect
      .poll(() => account().events.at(-1))
      .toMatchObject({ type: 'report.job', state: 'ready', isNews: true });
    expect(await sent()).toBe(1);
  });

  test('is asked for once: the same wish joins the job, also with "again" and after a restart', async () => {
    const { control, request, restart, sent, reports } = await slow();
    const job = jobOf(await request());
    expect(jobOf(await request(undefined, true)).snapshotId).toBe(job.snapshotId);
    await restart();
    expect(jobOf(await request()).snapshotId).toBe(job.snapshotId);
    expect(await sent()).toBe(1);
    await control.advance('PT31M');
    await reports().jobs.look(job.snapshotId);
    expect(snapshotOf(await request()).rows).toBeGreaterThan(0);
    expect(await sent()).toBe(1);
  });

  test('that is over when it is joined is handed out at once and leaves the list', async () => {
    const { control, request, reports, restart, account } = await slow();
    jobOf(await request());
    await restart();
    await control.advance('PT31M');
    expect(snapshotOf(await request()).rows).toBeGreaterThan(0);
    expect((await reports().jobs.list()).jobs).toEqual([]);
    expect(await account().news()).toEqual([]);
  });

  test('can be given up, and is asked about no more', async () => {
    const { request, reports, polls, clock } = await slow();
    const job = jobOf(await request());
    const asked = await polls();
    expect(await reports().jobs.remove(job.snapshotId)).toBe(true);
    expect(await reports().jobs.remove(job.snapshotId)).toBe(false);
    await clock.sleep(3_600_000);
    expect(await reports().jobs.wait(job.snapshotId, 1000)).toBeNull();
    expect(await polls()).toBe(asked);
  });

  test('that the service has dropped again is expired, and asking for it once more begins anew', async () => {
    const { control, request, reports, restart, account, sent } = await slow();
    const job = jobOf(await request());
    await restart();
    await control.advance('P2D');
    const looked = await reports().jobs.look(job.snapshotId);
    expect(looked).toMatchObject({ ok: true, value: { state: 'expired', status: 'expired' } });
    expect(await account().news()).toMatchObject([{ tone: 'bad', text: expect.stringContaining('Request it again') }]);
    const next = jobOf(await request());
    expect(next.snapshotId).not.toBe(job.snapshotId);
    expect((await reports().jobs.list()).jobs.map(({ snapshotId }) => snapshotId)).toEqual([next.snapshotId]);
    expect(await sent()).toBe(2);
  });
});

test('a service is asked at a growing pace, and left alone for as long as it says', async () => {
  const { control, request, reports, polls, clock } = await deployment('report-answer=job,report-minutes=60');
  const job = jobOf(await request());
  const first = await polls();
  expect(first).toBeLessThanOrEqual(3);
  await reports().jobs.wait(job.snapshotId, 3_600_000);
  const inAnHour = (await polls()) - first;
  expect(inAnHour).toBeGreaterThan(5);
  expect(inAnHour).toBeLessThan(40);
  await control.fault({ kind: 'status', status: 429, headers: { 'retry-after': '1800' }, ...ONCE });
  const before = await polls();
  const started = clock.nowMs();
  await reports().jobs.wait(job.snapshotId, 1_500_000);
  expect(clock.nowMs() - started).toBeGreaterThanOrEqual(1_500_000);
  expect(await polls()).toBeLessThanOrEqual(before + 1);
});

test('no answer about a job changes nothing; one that its service refuses is told with the reason', async () => {
  const { control, request, reports } = await deployment('report-answer=job,report-minutes=60');
  const { snapshotId } = jobOf(await request());
  await control.fault({ kind: 'drop-before', ...ONCE });
  expect(await reports().jobs.look(snapshotId)).toMatchObject({ ok: false, error: { kind: 'read' } });
  expect(await reports().jobs.find(snapshotId)).toMatchObject({ state: 'waiting' });
  await control.fault({ kind: 'status', status: 403, body: { error: 'Reports are switched off' }, ...ONCE });
  expect(await reports().jobs.look(snapshotId)).toMatchObject({
    value: { state: 'failed', detail: 'Reports are switched off' },
  });
});

test('a job that only fails ends when the service keeps its file no longer', async () => {
  const { control, request, reports, clock } = await deployment('report-answer=job,report-minutes=30');
  const job = jobOf(await request());
  await control.fault({ kind: 'status', status: 500, ...ONCE, times: 1000 });
  await clock.sleep(23 * 3_600_000);
  expect(await reports().jobs.look(job.snapshotId)).toMatchObject({ ok: false });
  expect((await reports().jobs.find(job.snapshotId))?.state).toBe('waiting');
  await clock.sleep(2 * 3_600_000);
  expect(await reports().jobs.look(job.snapshotId)).toMatchObject({ ok: true, value: { state: 'failed' } });
});

test('a report that was kept before its job was marked as ready is kept once', async () => {
  const { control, request, reports, folder, restart } = await deployment('report-answer=job');
  const job = jobOf(await request());
  const file = join(folder, 'reports', 'jobs', (await readdir(join(folder, 'reports', 'jobs')))[0] ?? '');
  await control.advance('PT5M');
  await reports().jobs.look(job.snapshotId);
  await writeFile(file, JSON.stringify(job));
  await restart();
  expect(await reports().jobs.look(job.snapshotId)).toMatchObject({ value: { state: 'ready' } });
  expect((await reports().list()).snapshots).toHaveLength(1);
});

test('a job whose file cannot be read is counted, and the others go on', async () => {
  const { request, reports, folder, restart } = await deployment('report-answer=job');
  const job = jobOf(await request());
  await writeFile(join(folder, 'reports', 'jobs', 'broken.json'), '{"snapshotId":');
  await restart();
  expect(await reports().jobs.list()).toEqual({ jobs: [job], damaged: 1 });
});

test('a word for a job that nobody knows is shown as it is, and the report is fetched all the same', async () => {
  const { control, request, reports } = await deployment('report-answer=job,report-file=zip,report-word=marinating');
  const { snapshotId, status } = jobOf(await request());
  expect(status).toBe('marinating');
  await control.advance('PT5M');
  const { reportId } = done(await reports().jobs.look(snapshotId));
  const report = done(await reports().rows(reportId ?? 'none yet'));
  const [columns = [], ...rows] = report.rows;
  expect(columns).toEqual(expect.arrayContaining(['marinating', 'marinatingNote']));
  expect(rows.length).toBe(report.snapshot.rows);
  expect(figuresOf(readReport(report.rows)).map(({ column }) => column)).toContain('marinating');
  const view = await reports().view(report.snapshot.id, LOOK);
  expect(view).toMatchObject({ ok: true, value: { groupings: expect.arrayContaining(['marinatingNote']) } });
});

test('background work on metrics that the disk refuses is tried again later, and ends nothing', async () => {
  const file = join(testFolder('refused'), 'a.db');
  openDb(file).close();
  const db = openDb(file, { readOnly: true });
  onTestFinished(() => db.close());
  const work = async () => db.exec('CREATE TABLE t(a)');
  await expect(work()).rejects.toThrow('readonly');
  await unlessAway(work());
  const defect = async () => Promise.reject(new TypeError('a defect'));
  await expect(unlessAway(defect())).rejects.toThrow('a defect');
});

test('a wait of months, which a service may name, does not end at once', async () => {
  const ends = new AbortController();
  let isOver = false;
  const waiting = systemClock.sleep(2 ** 32, ends.signal).then(() => {
    isOver = true;
  });
  await systemClock.sleep(20);
  expect(isOver).toBe(false);
  ends.abort();
  await waiting;
});
