import { onTestFinished } from 'vitest';
import type { Clock } from '../../main/app/clock.ts';
import type { Requested } from '../../main/reports/report-service.ts';
import { readQuirks } from '../../sandbox/quirks.ts';
import { startSandbox } from '../../sandbox/start.ts';
import type { ReportJob, ReportRequest, ReportSnapshot } from '../../shared/api/reports.ts';
import { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { addDays, plainDate } from '../../shared/model/plain-date.ts';
import { aFolder, done } from '../store/a-workspace.ts';
import { hastyClock } from '../sync/an-account.ts';
import { controlOf } from '../sync/control.ts';
import { reportsOfAnAccount } from './reports-of-an-account.ts';

/** A report put together by its campaigns. */
export const LOOK = {
  groupBy: 'campaignName',
  contains: '',
  sortBy: 'impressions',
  descending: true,
  figure: 'impressions',
  from: 0,
  count: 100,
};

/** A practice service that differs from the usual one, an account of it, and the account again as after a restart. */
export async function deployment(
  quirks: string,
  more: { readonly extensions?: boolean; readonly report?: object } = {},
) {
  const sandbox = await startSandbox({
    credentials: 'owners',
    scenario: 'demo',
    clock: 'virtual',
    extensions: more.extensions === true,
    ...(quirks === '' ? {} : { quirks: readQuirks(quirks) }),
  });
  const folder = aFolder();
  const control = controlOf(sandbox);
  const dateThere = async () => {
    const date = plainDate((await control.state()).now.slice(0, 10));
    if (date === null) throw new Error('the service has no date');
    return date;
  };
  let today = await dateThere();
  const clock: Clock = hastyClock();
  const profile = DeploymentSettings.parse({ retail: { host: 'shop.example' }, report: more.report });
  const open = () => reportsOfAnAccount({ sandbox, folder, today: () => today, clock, profile });
  let account = await open();
  onTestFinished(async () => {
    await account.close();
    await sandbox.close();
  });
  const wish: ReportRequest = {
    reportType: 'keyword',
    startDate: addDays(today, -10),
    endDate: addDays(today, -2),
    byDate: true,
  };
  const calls = async (path: string): Promise<number> =>
    (await control.requests()).filter((request) => request.path === path).length;
  return {
    control,
    folder,
    clock,
    profile,
    /** Moves the clock of the service on. */
    advance: async (duration: string): Promise<void> => {
      await control.advance(duration);
      today = await dateThere();
    },
    wish,
    account: () => account,
    reports: () => account.reports,
    restart: async () => {
      await account.close();
      account = await open();
    },
    request: async (wanted = wish, again = false): Promise<Requested> =>
      done(await account.reports.request(wanted, again)),
    sent: () => calls('/api/v1/snapshot/report'),
    polls: () => calls('/api/v1/snapshot'),
  };
}

/** The job that was the answer. */
export function jobOf(asked: Requested): ReportJob {
  if (asked.is === 'report') throw new Error('a report at once');
  return asked.job;
}
/** The report that was the answer. */
export function snapshotOf(asked: Requested): ReportSnapshot {
  if (asked.is === 'job') throw new Error('only a job');
  return asked.snapshot;
}
