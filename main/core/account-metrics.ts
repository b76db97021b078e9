import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppEvent } from '../../shared/api/app.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { PlainDate, WorkspaceId } from '../../shared/model/scalars.ts';
import { err, type Result } from '../../shared/result.ts';
import type { RecoveredWorkspace } from '../accounts/open-workspace.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import { lazy } from '../app/lazy.ts';
import { diskWords } from '../app/system.ts';
import { openCube } from '../cube/cube.ts';
import type { CubeProblem } from '../cube/cube-file.ts';
import type { TakenIn } from '../cube/ingest.ts';
import { ingestReport, ingestReports } from '../cube/ingest-reports.ts';
import { businessDayOf, type PracticeHost, serviceNowMs } from '../practice/practice-service.ts';
import { createMetricsFetch } from '../reports/metrics-fetch.ts';
import { openReports } from '../reports/report-service.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import { createAlertNotices } from '../suggestions/alert-notices.ts';
import { askSuggestions } from '../suggestions/setup.ts';
import type { createCapabilityStore } from '../sync/capabilities.ts';
import type { CoreOptions } from './core-options.ts';
import type { createNotificationLog } from './notification-log.ts';

interface AccountMetricsDeps {
  readonly opened: RecoveredWorkspace;
  readonly workspaceId: WorkspaceId;
  /** The folder of the account. `opened.folder` differs while the account is view-only. */
  readonly folder: string;
  readonly profile: DeploymentSettings;
  readonly options: CoreOptions;
  readonly capabilities: ReturnType<typeof createCapabilityStore>;
  readonly practice: PracticeHost | null;
  readonly notifications: ReturnType<typeof createNotificationLog>;
  readonly api: () => Promise<PartnerApi>;
  readonly emit: (event: AppEvent) => void;
  readonly unlessClosed: <R extends { readonly ok: boolean }>(answer: Promise<R>) => Promise<R>;
  /** Whether days may be requested from the service now in the background. */
  readonly mayAsk: () => Promise<boolean>;
}

/** Opens the reports of an account, the metrics made from them, and the requests for missing days. */
export function openAccountMetrics(deps: AccountMetricsDeps) {
  const { opened, workspaceId, profile, options, capabilities, practice, emit } = deps;
  const { workspace } = opened;
  const { clock, sleepState } = options;
  const reports = openReports({
    workspaceId,
    workspace,
    profile,
    clock,
    sleepState,
    emit,
    folder: join(deps.folder, 'reports'),
    api: deps.api,
    today: () => businessDayOf(practice, profile, clock),
    notifications: deps.notifications,
    unlessClosed: deps.unlessClosed,
    backgroundEnded: () => metricsFetch.soon(),
    kept: async (snapshot, path) => {
      await ingestReport(await cube.get(), snapshot, path);
      alertNotices.soon();
      emit({ type: 'settings.changed', workspaceId, area: 'metrics' });
    },
  });
  const cube = lazy(async () => {
    const file = join(opened.folder, 'cube.db');
    const setup = { file, account: join(opened.folder, 'workspace.db'), currency: CURRENCY };
    const made = await openCube(setup, options.threads.account);
    await ingestReports(made, reports);
    return made;
  });
  const alertNotices = createAlertNotices({
    workspace,
    nowMs: () => clock.nowMs(),
    // A command reports its results to the user directly.
    isOn: () => options.host !== 'cli' && opened.viewOnly === null && options.preferences.get().alertNotices,
    ask: async () => {
      const query = { is: 'page', kinds: ['alert'], campaignId: null, from: 0, count: ALERTS_MAX } as const;
      const answer = await askSuggestions({ workspace, reports, cube: cube.get, capabilities, profile }, query);
      return { ...answer, today: answer.setup.today };
    },
    add: deps.notifications.add,
    failed: (error) => {
      if (error instanceof WorkspaceClosed || notWritableFrom(error) !== null) return;
      const message = `Alerts of new metrics can't be computed: ${error instanceof Error ? error.message : 'unknown'}.`;
      emit({ type: 'notice', workspaceId, severity: 'warning', message, params: {} });
    },
  });
  const metricsFetch = createMetricsFetch({
    reports,
    workspace,
    profile,
    sleepState,
    store: reports.store,
    serviceNowMs: () => serviceNowMs(practice, clock),
    nowMs: () => clock.nowMs(),
    known: async (type) => new Map((await (await cube.get()).asked(type)).map((record) => [record.day, record])),
    rowsPerDay: async (type) => {
      const known = (await (await cube.get()).sizes()).sources.find(({ reportType }) => reportType === type);
      if (known !== undefined && known.days > 0) return known.rows / known.days;
      const { rows } = await workspace.summary();
      return Object.hasOwn(rows, type) ? rows[type as Kind] : rows.campaign;
    },
    since: async () => {
      // Where campaigns are not listed, the account may have older campaigns that were never added here.
      if (!(await capabilities.list()).some(({ name, inUse }) => name === 'campaignRead' && inUse)) return null;
      const starts = (await workspace.campaignFacts()).flatMap(({ remoteId, startDate }) =>
        remoteId === null || startDate === null ? [] : [startDate as PlainDate],
      );
      return starts.length === 0 ? null : starts.reduce((first, start) => (start < first ? start : first));
    },
    takeIn: async (id) => {
      const known = (await (await cube.get()).reports()).find((report) => report.id === id);
      return known?.problem ?? 'it could not be saved';
    },
    mayAsk: deps.mayAsk,
  });
  /** Adds a report file of the user to the metrics. Its age is that of the file, so newer metrics are not replaced. */
  const importReport = async (
    path: string,
    { isPreview = false, modifiedAt = null as number | null } = {},
  ): Promise<Result<TakenIn, CubeProblem>> => {
    const found = await stat(path).catch((error: unknown) => diskWords(error) ?? Promise.reject(error));
    if (typeof found === 'string') return err({ kind: 'cube', detail: found });
    if (!found.isFile()) return err({ kind: 'cube', detail: 'it is not a file' });
    const nowMs = clock.nowMs();
    const fetchedAt = Math.min(nowMs, modifiedAt ?? Math.round(found.mtimeMs));
    const serviceMs = (await serviceNowMs(practice, clock)) - nowMs + fetchedAt;
    const fetchedOn = dateInZone(serviceMs, profile.business.zone);
    const told = { sha256: null, id: null, reportType: null, span: null, attributionWindow: null };
    const taken = await (await cube.get()).ingest({ path, ...told, fetchedAt, fetchedOn }, isPreview);
    if (!isPreview) {
      if (taken.ok) alertNotices.soon();
      emit({ type: 'settings.changed', workspaceId, area: 'metrics' });
    }
    return taken;
  };

  return { reports, cube, alertNotices, metricsFetch, importReport };
}

/** At most so many alerts are formatted in one call. */
const ALERTS_MAX = 100_000;

/** Metrics in another currency are refused, never converted. */
const CURRENCY = 'USD';
