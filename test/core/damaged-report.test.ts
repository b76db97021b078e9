import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { safe } from '@orpc/client';
import { afterAll, expect, test } from 'vitest';
import { workspaceFolder } from '../../main/accounts/account-record.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { figureField } from '../../shared/reports/metric.ts';
import { cli, temporaryFolder } from '../cli/cli.ts';
import { aCoreWithPractice } from './a-core.ts';

/** A report whose rows were cut off on the disk, as windows and the command line meet it. */
const WISH = { reportType: 'keyword', startDate: '2026-05-01', endDate: '2026-05-07', byDate: false };
const LOOK = { groupBy: 'keywordId', sortBy: 'clicks', figure: 'clicks', from: 0, count: 10 };

const folder = temporaryFolder('damaged-report');
afterAll(folder.remove);

function reportId(answer: Awaited<ReturnType<Client['reports']['request']>>): string {
  if (answer.is === 'job') throw new Error('not ready');
  return answer.snapshot.id;
}

function cutOff(accountFolder: string): void {
  const reports = join(accountFolder, 'reports');
  const files = readdirSync(reports).filter((name) => name.endsWith('.raw'));
  expect(files).toHaveLength(1);
  for (const file of files) truncateSync(join(reports, file), 12);
}

test('a window is told that the report is damaged, its lists open all the same, and the service has it still', async () => {
  const { client, dataDir, workspaceId, reopen } = await aCoreWithPractice();
  const id = reportId(await client().reports.request({ workspaceId, wish: WISH }));
  await reopen(() => cutOff(workspaceFolder(dataDir, workspaceId)));
  const { reports, workspace } = client();
  const told = { code: 'REPORT_UNREADABLE', defined: true, data: { id, detail: 'SHA-256' } };
  expect((await safe(reports.view({ workspaceId, id, look: LOOK }))).error).toMatchObject(told);
  expect((await safe(reports.csv({ workspaceId, id }))).error).toMatchObject(told);
  expect((await safe(reports.ofRows({ workspaceId, id, kind: 'keyword', remoteIds: ['1'] }))).error).toMatchObject(
    told,
  );
  const sort = [{ column: figureField('clicks'), descending: true }];
  await workspace.openView({ workspaceId, view: { kind: 'keyword', report: id, sort } });

  const again = await reports.request({ workspaceId, wish: WISH, again: true });
  const fresh = reportId(again);
  expect(await reports.view({ workspaceId, id: fresh, look: LOOK })).toMatchObject({ snapshot: { id: fresh } });
});

test('the command line says so as well, and that --again fetches the report anew', async () => {
  const ask = (...more: readonly string[]) =>
    cli(folder.path, 'report', '--from', WISH.startDate, '--to', WISH.endDate, ...more);
  await cli(folder.path, 'account', 'add', '--name', 'Shop', '--practice');
  expect((await ask()).code).toBe(0);
  const [account] = readdirSync(join(folder.path, 'workspaces'));
  cutOff(join(folder.path, 'workspaces', account ?? ''));
  expect(await ask()).toMatchObject({ code: 1, err: expect.stringContaining('--again fetches it anew') });
  expect((await ask('--again')).code).toBe(0);
});
