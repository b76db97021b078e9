import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../main/app/clock.ts';
import { CliError, EXIT_CODE } from '../../main/hosts/cli/cli-error.ts';
import { runCli } from '../../main/hosts/cli/run.ts';
import { readQuirks } from '../../sandbox/quirks.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { aFolder } from '../store/a-workspace.ts';
import { controlOf } from '../sync/control.ts';
import { cli, cliJson, connecting, impatientClock } from './cli.ts';

/** The command line on a folder of its own, with an account of a service that differs from the usual one. */
async function deployment(quirks: string) {
  const sandbox = await startSandbox({
    credentials: 'owners',
    scenario: 'demo',
    clock: 'virtual',
    extensions: false,
    quirks: readQuirks(quirks),
  });
  const folder = aFolder();
  onTestFinished(() => sandbox.close());
  const data = join(folder, 'data');
  const added = await cli(data, ...connecting(sandbox, folder));
  if (added.code !== EXIT_CODE.done) throw new Error(added.err);
  const control = controlOf(sandbox);
  const sent = async (): Promise<number> =>
    (await control.requests()).filter(({ path }) => path === '/api/v1/snapshot/report').length;
  return { data, folder, control, sent };
}

const Report = z.object({
  reportType: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  columns: z.array(z.string()),
  rows: z.union([z.int(), z.array(z.array(z.string()))]),
  state: z.string(),
  snapshotId: z.string().optional(),
  reportId: z.string().nullable(),
});
const List = z.object({
  jobs: z.array(
    z.object({ snapshotId: z.string(), state: z.string(), status: z.string(), reportId: z.string().nullable() }),
  ),
  reports: z.array(z.object({ reportId: z.string(), rows: z.int() })),
});

describe('a report that takes longer than a command', () => {
  const SLOW = 'report-answer=job,report-minutes=30,report-file=zip';

  test('is left by --no-wait, listed, joined, and picked up by its id', async () => {
    const { data, folder, control, sent } = await deployment(SLOW);
    const first = await cliJson(Report, data, 'report', 'fetch', '--no-wait');
    expect(first).toMatchObject({
      code: EXIT_CODE.done,
      json: { state: 'waiting', columns: [], rows: [], reportId: null },
    });
    const id = first.json.snapshotId ?? '';
    expect((await cliJson(List, data, 'report', 'list')).json).toMatchObject({
      jobs: [{ snapshotId: id, state: 'waiting', status: 'pending' }],
      reports: [],
    });
    expect((await cliJson(Report, data, 'report', '--no-wait', '--refetch')).json.snapshotId).toBe(id);
    expect((await cliJson(Report, data, 'report', 'wait', id, '--no-wait')).json.state).toBe('waiting');
    expect(await sent()).toBe(1);
    await control.advance('PT31M');
    const out = join(folder, 'rows.csv');
    const ready = await cliJson(Report, data, 'report', 'wait', id, '--out', out);
    expect(ready).toMatchObject({ code: EXIT_CODE.done, json: { state: 'ready', reportType: 'keyword' } });
    expect(readFileSync(out, 'utf8')).toContain('keywordText');
    const { reportId } = ready.json;
    expect((await cliJson(List, data, 'report', 'list')).json).toMatchObject({
      jobs: [{ snapshotId: id, state: 'ready', reportId }],
      reports: [{ reportId, rows: ready.json.rows }],
    });
    const raw = join(folder, 'as-received.zip');
    const exported = await cli(data, 'report', 'export', reportId ?? '', '--raw', '--out', raw, '--json');
    expect(JSON.parse(exported.out)).toMatchObject({ reportId, mediaType: 'application/zip' });
    expect(readFileSync(raw).toString('latin1', 0, 2)).toBe('PK');
    expect(
      (await cli(data, 'report', 'export', reportId ?? '', '--out', raw)).code,
      'nothing is replaced unasked',
    ).toBe(EXIT_CODE.usage);
  });

  test('is waited for by default, and left for later when the command is stopped', async () => {
    const { data, control, sent } = await deployment(SLOW);
    const stopped = new Promise<never>((_resolve, reject) => {
      const look = async (): Promise<void> => {
        // Stopped when the service was asked more often than in the first seconds, as a person would who sees that it takes long.
        const polls = async () => (await control.requests()).filter(({ path }) => path === '/api/v1/snapshot').length;
        while ((await polls()) < 6) await systemClock.sleep(5);
        reject(new CliError(143, 'STOPPED', 'Stopped by SIGTERM.'));
      };
      look().catch(reject);
    });
    stopped.catch(() => undefined);
    const streams = { out: () => undefined, err: () => undefined };
    expect(await runCli(['report', '--data', data], streams, { clock: impatientClock(), stopped })).toBe(143);
    const { jobs } = (await cliJson(List, data, 'report', 'list')).json;
    expect(jobs).toMatchObject([{ state: 'waiting' }]);
    await control.advance('PT31M');
    expect((await cliJson(Report, data, 'report', 'wait')).json).toMatchObject({ state: 'ready' });
    expect(await sent()).toBe(1);
  });

  test('that is given up, or has expired, is said to be so', async () => {
    const { data, control } = await deployment(SLOW);
    const id = (await cliJson(Report, data, 'report', 'fetch', '--no-wait')).json.snapshotId ?? '';
    expect((await cli(data, 'report', 'give-up', id)).code).toBe(EXIT_CODE.done);
    expect(await cli(data, 'report', 'wait', id)).toMatchObject({
      code: EXIT_CODE.refused,
      err: expect.stringContaining('report list'),
    });
    await cli(data, 'report', 'fetch', '--no-wait');
    await control.advance('P3D');
    const over = await cli(data, 'report', 'wait', '--json');
    expect(over.code).toBe(EXIT_CODE.refused);
    expect(JSON.parse(over.out)).toMatchObject({
      error: { code: 'REPORT_EXPIRED', message: expect.stringContaining('Request it again.') },
    });
  });
});

test('files that an archive holds beside the report are named on standard error', async () => {
  const { data } = await deployment('report-answer=address,report-file=zip-mixed');
  const { code, err } = await cli(data, 'report', '--type', 'campaign');
  expect(code).toBe(EXIT_CODE.done);
  expect(err).toContain('Not included: totals.csv (1 row)');
});

test('a window, a format and a type are sent as the service writes them', async () => {
  const { data } = await deployment('report-type=audience_segment');
  const options = ['--type', 'audience_segment', '--attribution-window', '14', '--format', 'gzip'];
  const asked = await cliJson(Report, data, 'report', ...options);
  expect(asked.code).toBe(EXIT_CODE.done);
  expect(asked.json.columns).toEqual(expect.arrayContaining(['audience_segment', 'attributedSales14days']));
  expect(asked.json.columns).not.toContain('attributedSales30days');
});

test('"report" alone fetches as it did before it had a family, and takes no word of a service that is none', async () => {
  const { data } = await deployment('report-minutes=1');
  expect((await cliJson(Report, data, 'report', '--type', 'campaign')).json).toMatchObject({ state: 'ready' });
  for (const [words, message] of [
    [['lost'], 'Run "adslate report fetch'],
    [['--type', 'a b'], '--type "a b"'],
    [['--attribution-window', '14 days'], '--attribution-window "14 days"'],
    [['--format', 'g/zip'], '--format "g/zip"'],
  ] as const) {
    const { code, err } = await cli(data, 'report', ...words);
    expect({ code, err }).toEqual({ code: EXIT_CODE.usage, err: expect.stringContaining(message) });
  }
});
