import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import type { Clock } from '../../main/app/clock.ts';
import { createNotificationLog } from '../../main/core/notification-log.ts';
import { openReports } from '../../main/reports/report-service.ts';
import type { RunningSandbox } from '../../sandbox/start.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { type DeploymentSettings, defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asWorkspaceId, type PlainDate } from '../../shared/model/scalars.ts';
import { done } from '../store/a-workspace.ts';
import { openWithoutThreads } from '../store/without-threads.ts';
import { apiOf, hastyClock } from '../sync/an-account.ts';

export const TABLE = 'keyword,impressions\r\n"paper, towel",12\r\n';
export const ROWS = [
  ['keyword', 'impressions'],
  ['paper, towel', '12'],
];

/** A ZIP archive in memory, as a careful program packs it. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { compress });
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** The same archive with a name that no careful program writes; both are equally long. */
export const renamed = (zip: Buffer, from: string, to: string): Buffer => {
  if (from.length !== to.length) throw new Error('a name of another length would move everything behind it');
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
};

const CENTRAL = Buffer.from('504b0102', 'hex');

/** The archive with other bytes in the first entry of its list of files, `at` bytes from where that begins. */
export function withEntry(zip: Buffer, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(zip);
  const entry = copy.indexOf(CENTRAL);
  if (entry < 0) throw new Error('no list of files');
  bytes.forEach((byte, index) => {
    copy[entry + at + index] = byte;
  });
  return copy;
}

export type OpenedReports = Awaited<ReturnType<typeof reportsOfAnAccount>>;

/** The reports of an account of the practice service, on a folder; opened again they are those after a restart. */
export async function reportsOfAnAccount(options: {
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  readonly today: () => PlainDate;
  readonly clock?: Clock;
  readonly profile?: DeploymentSettings;
}) {
  const { sandbox, folder, clock = hastyClock(), profile = defaultDeploymentSettings('shop.example') } = options;
  await mkdir(folder, { recursive: true });
  const workspaceId = asWorkspaceId('w1');
  const file = join(folder, 'workspace.db');
  const workspace = done(await openWithoutThreads({ file, profile, clock, migrated: true }));
  const api = apiOf(sandbox);
  const events: AppEvent[] = [];
  const emit = (event: AppEvent) => void events.push(event);
  const notifications = createNotificationLog({
    workspace,
    workspaceId,
    profile,
    clock,
    locale: () => null,
    emit,
    isWatching: false,
  });
  const reports = openReports({
    folder: join(folder, 'reports'),
    workspaceId,
    workspace,
    profile,
    clock,
    sleepState: undefined,
    api: async () => api,
    today: async () => options.today(),
    notifications,
    emit,
    unlessClosed: (answer) => answer,
  });
  return {
    reports,
    events,
    news: notifications.list,
    close: async () => {
      reports.jobs.stop();
      api.close();
      await reports.jobs.idle();
      await workspace.close();
    },
  };
}
