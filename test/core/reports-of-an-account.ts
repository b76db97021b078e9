import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../main/app/clock.ts';
import { createNotificationLog } from '../../main/app/notification-log.ts';
import { openReports, type ReportService } from '../../main/reports/report-service.ts';
import { openWorkspace } from '../../main/store/store.ts';
import type { RunningSandbox } from '../../sandbox/start.ts';
import type { AppEvent, NotificationEntry } from '../../shared/api/app.ts';
import { type DeploymentSettings, defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asWorkspaceId, type PlainDate } from '../../shared/model/scalars.ts';
import { apiOf, hastyClock } from '../sync/an-account.ts';

/** The reports of an account of the practice service, on a folder; opened again they are those after a restart. */
export interface OpenedReports {
  readonly reports: ReportService;
  readonly events: readonly AppEvent[];
  news(): Promise<readonly NotificationEntry[]>;
  close(): Promise<void>;
}

export async function reportsOfAnAccount(options: {
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  readonly today: () => PlainDate;
  readonly clock?: Clock;
  readonly profile?: DeploymentSettings;
}): Promise<OpenedReports> {
  const { sandbox, folder, clock = hastyClock(), profile = defaultDeploymentSettings('shop.example') } = options;
  await mkdir(folder, { recursive: true });
  const workspaceId = asWorkspaceId('w1');
  const opened = await openWorkspace({
    file: join(folder, 'workspace.db'),
    workspaceId,
    profile,
    clock,
    migrated: true,
  });
  if (!opened.ok) throw new Error(`workspace: ${JSON.stringify(opened.error)}`);
  const workspace = opened.value;
  const api = apiOf(sandbox);
  const events: AppEvent[] = [];
  const emit = (event: AppEvent) => void events.push(event);
  const news = createNotificationLog({
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
    rest: undefined,
    api: async () => api,
    today: async () => options.today(),
    news,
    emit,
    unlessClosed: (answer) => answer,
  });
  return {
    reports,
    events,
    news: news.list,
    close: async () => {
      reports.jobs.stop();
      api.close();
      await reports.jobs.idle();
      await workspace.close();
    },
  };
}
