import { join } from 'node:path';
import { z } from 'zod';
import type { AppEvent } from '../../shared/contract/app.ts';
import { jsonText } from '../../shared/contract/json-text.ts';
import { REPORT_TYPES } from '../../shared/contract/reports.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import type { PlainDate, WorkspaceId } from '../../shared/model/scalars.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import { reportJobText } from '../../shared/reports/job-text.ts';
import type { AccountNews } from '../account-news.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Clock } from '../clock.ts';
import { keptList } from '../kept-list.ts';
import type { Rest } from '../rest.ts';
import type { Workspace } from '../workspace/store.ts';
import { askAboutJob, askForReport } from './fetch-report.ts';
import { createJobStore } from './job-store.ts';
import { createReportJobs } from './report-jobs.ts';
import { createReportService, type RememberedTypes, type ReportService } from './report-service.ts';
import { createSnapshotStore } from './snapshot-store.ts';

export interface ReportsOfAccount {
  /** Holds the reports, and the jobs in a folder below. */
  readonly folder: string;
  readonly workspaceId: WorkspaceId;
  readonly workspace: Pick<Workspace, 'getMeta' | 'setMeta'>;
  readonly profile: DeploymentProfile;
  readonly clock: Clock;
  readonly rest: Rest | undefined;
  readonly api: () => Promise<PartnerApi>;
  readonly today: () => Promise<PlainDate>;
  readonly news: Pick<AccountNews, 'note'>;
  readonly emit: (event: AppEvent) => void;
  /** @throws WorkspaceClosed for an answer that was cut off because the account closes */
  readonly unlessClosed: <R extends { readonly ok: boolean }>(answer: Promise<R>) => Promise<R>;
}

/** The reports of an account whose workspace is open: with its service, its news and its windows. */
export function openReports(account: ReportsOfAccount): ReportService {
  const { folder, workspaceId, profile, clock, api, today, news, emit } = account;
  const store = createSnapshotStore(folder);
  const { hosts } = profile.upload;
  const types = rememberedTypes(account.workspace);
  const jobs = createReportJobs({
    store: createJobStore(join(folder, 'jobs')),
    ask: async (snapshotId, signal) => askAboutJob({ api: await api(), hosts, signal }, snapshotId),
    keep: async (
      { snapshotId, askedOn, reportType, startDate, endDate, byDate, attributionWindow, format },
      report,
    ) => {
      // A program that ended between the two files of a report and of its job has the report already.
      const known = (await store.list()).snapshots.find((each) => each.snapshotId === snapshotId);
      if (known !== undefined) return known;
      const wish = { reportType, startDate, endDate, byDate, attributionWindow, format };
      const fetchedOn = plainDate(askedOn) ?? (await today());
      return store.keep(wish, report, { fetchedAt: clock.nowMs(), fetchedOn, snapshotId });
    },
    today,
    clock,
    profile,
    rest: account.rest,
    changed: async (job, isWatched) => {
      const { snapshotId, state } = job;
      const text = reportJobText(job);
      const at = clock.nowMs();
      const isNews = state !== 'waiting' && !isWatched;
      // The list first: windows that hear of it find it there already.
      if (isNews) await news.note({ at, tone: state === 'ready' ? 'good' : 'bad', text, place: 'reports' });
      emit({ type: 'report.job', workspaceId, snapshotId, state, at, text, isNews });
    },
  });
  return createReportService({
    store,
    jobs,
    ask: async (wish) => account.unlessClosed(askForReport({ api: await api(), hosts }, wish)),
    nowMs: () => clock.nowMs(),
    today,
    profile,
    types,
  });
}

const TYPES_KEY = 'reportTypes';
const TYPES_MAX = 50;
const TypesText = jsonText(z.array(z.string()));

function rememberedTypes(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): RememberedTypes {
  const kept = keptList(workspace, TYPES_KEY, (text) => TypesText.parse(text ?? '[]'));
  const isDocumented = (type: string): boolean => REPORT_TYPES.some((known) => known === type);
  return {
    read: kept.read,
    remember: async (type) => {
      if (isDocumented(type) || (await kept.read()).includes(type)) return;
      await kept.change((known) => [type, ...known.filter((each) => each !== type)].slice(0, TYPES_MAX));
    },
  };
}
