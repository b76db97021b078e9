import { dirname, join } from 'node:path';
import type { AppEvent } from '../../shared/api/app.ts';
import type { OpeningNote } from '../../shared/api/backups.ts';
import type { RowsPatch } from '../../shared/api/workspace.ts';
import { profileNotes } from '../../shared/deployment/settings-text.ts';
import { type RemoteId, remoteId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  type AccountRecord,
  mediaFolder,
  practiceFolder,
  profileOf,
  READ_ONLY,
  sweepLeftovers,
  workspaceFile,
  workspaceFolder,
} from '../accounts/account-record.ts';
import { createChecklist } from '../accounts/checklist.ts';
import { readSecretFiles } from '../accounts/connection-test.ts';
import { openWithRecovery, type RecoveredWorkspace, type WorkspaceIdentity } from '../accounts/open-workspace.ts';
import type { AccountRegistry } from '../accounts/registry.ts';
import { checkSyncPreconditions, monitorWorkspace } from '../accounts/workspace-monitor.ts';
import type { Connection, SecretProvider } from '../api/connection.ts';
import { createPartnerApi, type PartnerApi } from '../api/partner-api.ts';
import type { ResponseRecord } from '../api/response-record.ts';
import { makeFolders } from '../app/atomic-write.ts';
import { CONFIRM_ABOVE, type ConfirmSync, isSyncConfirmed, type SyncSize } from '../app/confirm-large-sync.ts';
import { lazy } from '../app/lazy.ts';
import { createMediaLibrary } from '../files/media/library.ts';
import { createPictures, pictureHosts } from '../files/pictures/pictures.ts';
import type { Prober } from '../files/probe/prober.ts';
import { createImportLineIndex } from '../files/spreadsheet/import-line-index.ts';
import { addressRule } from '../files/upload/upload-url-check.ts';
import { createWatchedFolder } from '../files/watched/watched-folder.ts';
import { businessDayOf, createPracticeHost, type PracticeHost } from '../practice/practice-service.ts';
import {
  createBannerSwaps,
  createCampaignTemplates,
  createCustomRules,
  createMutedRules,
  createRememberedColumns,
} from '../store/account-settings.ts';
import { CALENDAR_AHEAD_KEY } from '../store/rows/rule-settings.ts';
import type { NotWritable, TellUnread } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { Workspace } from '../store/workspace.ts';
import { createCapabilityStore } from '../sync/capabilities.ts';
import type { RunOptions, RunProblem } from '../sync/context.ts';
import { createPendingSync, type PendingSync } from '../sync/pending-sync.ts';
import { createSyncService, type SyncService } from '../sync/service.ts';
import type { OpenTeam } from '../team/open-team.ts';
import type { TeamSession } from '../team/session-types.ts';
import { openAccountMetrics } from './account-metrics.ts';
import type { CoreOptions } from './core-options.ts';
import { createNotificationLog } from './notification-log.ts';
import { createResponseLog } from './response-log.ts';

/**
 * One open account. Its workspace opens at once; the service is started on first use, so that a practice account opens
 * without waiting for it.
 */
export type ActiveAccount = Awaited<ReturnType<typeof putTogether>>;

export interface OpenAccountDeps {
  /** Folders of accounts that were already swept of unfinished files of an earlier process. */
  readonly swept: Set<string>;
  readonly options: CoreOptions;
  readonly emit: (event: AppEvent) => void;
  readonly identity: WorkspaceIdentity;
  readonly prober: Prober;
  /** The account as it is in the list now. */
  readonly current: () => Promise<AccountRecord | null>;
  readonly registry: Pick<AccountRegistry, 'change'>;
}

export async function activateAccount(
  record: AccountRecord,
  { options, emit, identity, prober, swept, current, registry }: OpenAccountDeps,
  expected: () => OpeningNote | null = () => null,
  failed: (why: string) => void = () => undefined,
): Promise<Result<ActiveAccount, NotWritable>> {
  const { workspaceId } = record;
  const folder = workspaceFolder(options.dataDir, workspaceId);
  await makeFolders(dirname(folder), folder);
  const profile = profileOf(record);
  const file = workspaceFile(options.dataDir, workspaceId);
  const mustExist = await identity.knows(workspaceId);
  const { clock, threads } = options;
  const opened = await openWithRecovery(
    { file, profile, clock, migrated: record.migrated, mustExist, threads, failed },
    folder,
  );
  if (!opened.ok) return err(opened.error);
  try {
    // Once per process: this process removes its own leftovers, and a preview may be in the folder when the account reopens.
    if (opened.value.viewOnly === null && !swept.has(folder)) await sweepLeftovers(folder);
    swept.add(folder);
    return ok(
      await putTogether(record, { options, emit, identity, prober, current, registry }, opened.value, expected),
    );
  } catch (error) {
    // The threads of the workspace hold its lock, and nothing else would close them.
    await opened.value.workspace.close();
    throw error;
  }
}

async function putTogether(
  record: AccountRecord,
  { options, emit: emitAlone, identity, prober, current, registry }: Omit<OpenAccountDeps, 'swept'>,
  opened: RecoveredWorkspace,
  expected: () => OpeningNote | null,
) {
  const { workspaceId } = record;
  const { clock } = options;
  const { workspace } = opened;
  const folder = workspaceFolder(options.dataDir, workspaceId);
  const profile = profileOf(record);
  const notifications = createNotificationLog({
    workspace,
    workspaceId,
    profile,
    clock,
    locale: () => options.preferences.get().locale,
    emit: emitAlone,
    // A command reports its results to the user directly.
    isWatching: options.host !== 'cli',
  });
  const emit = (event: AppEvent): void => {
    emitAlone(event);
    notifications.hear(event);
    checklist.hear(event);
  };
  const checklist = createChecklist({
    workspaceId,
    workspace,
    report: async () => (await sync.started())?.report() ?? null,
    emit: emitAlone,
  });
  const safety = await monitorWorkspace({
    opened,
    workspaceId,
    folder,
    clock,
    identity,
    emit,
    expected,
    backUpMetrics: async () => (await cube.started())?.backUp() ?? ok(null),
  });
  workspace.onChanged((revision, kinds, only, patch) => {
    emit({
      type: 'workspace.changed',
      workspaceId,
      revision,
      kinds: [...kinds],
      ...(only === null ? {} : { only }),
      ...(patch === null ? {} : { patch: patch as RowsPatch }),
    });
  });

  const lines = createImportLineIndex(join(opened.folder, 'sheet-lines.db'));
  const responses = createResponseLog(join(opened.folder, 'answers.db'), workspace);
  const library = createMediaLibrary(mediaFolder(options.dataDir, workspaceId), async (sha256) =>
    record.team === undefined ? null : (await team.get()).fetchFile(sha256),
  );
  const pictures = createPictures({
    folder: join(opened.folder, 'pictures'),
    rule: async () => {
      const { baseUrl } = (await api.get()).connection;
      return addressRule(baseUrl, pictureHosts(profile));
    },
    monotonicMs: () => clock.monotonicMs(),
  });
  const followClock = (serviceNowMs: number) => watchBusinessDay(workspace, serviceNowMs - clock.nowMs());
  const practice = record.practice
    ? createPracticeHost(practiceFolder(options.dataDir, workspaceId), followClock, options.threads.practice)
    : null;
  const underWay = new Set<Promise<unknown>>();
  const onClose: (() => Promise<unknown>)[] = [];
  let isClosing = false;
  const closed = (): WorkspaceClosed => new WorkspaceClosed('the account was closed');
  /** Ignores the failure of a request that was cut off because the account closes. */
  const unlessClosed = async <R extends { readonly ok: boolean }>(answer: Promise<R>): Promise<R> => {
    const { ok: isAnswered } = await answer;
    if (!isAnswered && isClosing) throw closed();
    return answer;
  };
  const api = lazy(() =>
    connect(record, options, practice, (response) => {
      responses.hear(response);
      capabilities.hear(response);
    }),
  );
  const capabilities = createCapabilityStore({
    workspace,
    api: api.get,
    // A team member without credentials sends nothing, but must see all that a colleague's sync would send.
    mode: record.consumerId === '' ? 'all' : record.extensions ? (record.practice ? 'all' : 'probe') : 'none',
    nowMs: () => clock.nowMs(),
  });
  const today = () => businessDayOf(practice, profile, clock);
  // A sync that was pending belongs to the database that was replaced.
  const isSame = safety.notes().length === 0;
  const journalFile = join(opened.folder, 'sync.journal');
  // Without a team, none of the team code is loaded.
  const team = lazy(async (): Promise<OpenTeam> => {
    if (record.team === undefined) throw new Error('the account has no team');
    const known = record.team;
    const { openTeam } = await import('../team/open-team.ts');
    return openTeam({
      team: known,
      accountName: record.name,
      workspaceId,
      workspace,
      sync: sync.get,
      journalFile,
      clock,
      emit,
      sleepState: options.sleepState,
      secrets: options.secrets,
      threads: options.threads,
      mediaPath: library.pathOf,
      folder: opened.folder,
      profile,
      renumbered: async (desk) => void (await registry.change(workspaceId, { team: { ...known, desk } })),
    });
  });
  const sync = lazy(async (): Promise<PendingSync> => {
    const service = await createSyncService({
      workspaceId,
      workspace,
      api: await api.get(),
      profile,
      capabilities: capabilities.current,
      clock,
      // Beside the copy when the account is view-only: its own folder may not be writable.
      journalFile,
      mediaFile: (row) => library.find(row.values.sha256 ?? ''),
      emit,
      today,
      sleepState: options.sleepState,
      ...(record.team === undefined
        ? {}
        : {
            turns: (outbox) => async () => (await team.get()).turns(outbox)(),
            signOffs: async () => (await team.get()).signOffs(),
          }),
    });
    const guarded = checkSyncPreconditions(service, safety.reasonNotToSend, safety.backUpBeforeSync);
    const resting: SyncService = {
      ...guarded,
      refresh: (campaignIds) => unlessClosed(guarded.refresh(campaignIds)),
      searchItems: (wanted) => unlessClosed(guarded.searchItems(wanted)),
      confirmItems: () => unlessClosed(guarded.confirmItems()),
      reviews: { ...guarded.reviews, poll: () => unlessClosed(guarded.reviews.poll()) },
    };
    return createPendingSync(resting, {
      workspaceId,
      file: join(opened.folder, 'pending-sync.json'),
      clock,
      random: Math.random,
      sleepState: options.sleepState,
      emit,
      takesUp: options.host !== 'cli',
      isSame,
      mayStart: (run, agreed) => mayGoOn(guarded, run, { agreed, current, ask: options.confirmLargeSync }),
    });
  });

  const metrics = openAccountMetrics({
    opened,
    workspaceId,
    profile,
    options,
    capabilities,
    practice,
    notifications,
    emit,
    unlessClosed,
    folder,
    api: api.get,
    mayAsk: async () => {
      if (isClosing || (await sync.started())?.isRunning() === true) return false;
      return (await current())?.mode !== 'read-only' && workspace.outbox.spendInBackground();
    },
  });
  const { reports, metricsFetch, alertNotices, cube } = metrics;
  const watched = createWatchedFolder({
    workspace,
    library,
    prober,
    clock,
    logFile: join(opened.folder, 'dropped-files.db'),
    ownFolder: join(folder, 'incoming'),
    isReadOnly: opened.viewOnly !== null,
    changed: () => emit({ type: 'settings.changed', workspaceId, area: 'watchedFolder' }),
    tell: (message) => emit({ type: 'notice', workspaceId, severity: 'warning', message, params: {} }),
  });
  const told = new Map<string, string>();
  const tellNewer =
    (what: string): TellUnread =>
    (names) => {
      const before = told.get(what) ?? '';
      told.set(what, String(names));
      if (names.length === 0 || before === String(names)) return;
      const listed = names.map((name) => `"${name}"`).join(', ');
      const them = names.length === 1 ? `The ${what} ${listed} was` : `The ${what}s ${listed} were`;
      const message = `${them} made by a newer Adslate and left out. Update Adslate to use ${names.length === 1 ? 'it' : 'them'}.`;
      emit({ type: 'notice', workspaceId, severity: 'warning', message, params: {} });
    };
  // A command requests only what it was asked for; the other hosts resume unfinished jobs.
  if (options.host !== 'cli' && opened.viewOnly === null) {
    reports.jobs.resume();
    metricsFetch.start();
    await watched.start();
    if (record.team !== undefined) (await team.get()).start();
  }

  return {
    workspace,
    advertiserId: record.advertiserId,
    /** Path of the open database, for threads with their own read-only connection. */
    database: join(opened.folder, 'workspace.db'),
    /** The folder for further files of the account. */
    folder: opened.folder,
    library,
    /** The folder from which files are attached by their names. */
    watched,
    /** Pictures of the service, as a window may show them. */
    pictures,
    profile,
    /** Lines of the deployment settings that no longer have a meaning, one sentence each. */
    profileNotes: profileNotes(record.profile ?? ''),
    /** Whether the account's item IDs have the new form; null while unknown. */
    migrated: record.migrated,
    /** Tells of entries that only a newer Adslate can read. */
    tellNewer,
    /** Rules that the user wrote. */
    rules: createCustomRules(workspace, tellNewer('rule')),
    /** Rules that the user has muted. */
    muted: createMutedRules(workspace),
    templates: createCampaignTemplates(workspace, tellNewer('template')),
    /** Running swaps of banners, which change what a campaign shows without a pause. */
    swaps: createBannerSwaps(workspace),
    rememberedColumns: createRememberedColumns(workspace),
    notifications,
    /** The first steps in a sample account. */
    checklist,
    /** Responses of the service, as they were received. */
    responses,
    /** The spreadsheet line that each row was imported from. */
    lines,
    /** Null for an account that is no practice account. */
    practice,
    /** Backups, and the problems found when the workspace was opened. */
    safety,
    /**
     * Keeps the account open until `work` has ended, which reads or writes the account's files directly. Closing the
     * account, for example for a restore, waits for it.
     *
     * @throws WorkspaceClosed when the account is being closed already
     */
    whileOpen: async <T>(work: () => Promise<T>): Promise<T> => {
      if (isClosing) throw closed();
      const done = work();
      underWay.add(done);
      return done.finally(() => underWay.delete(done));
    },
    /** Registers `forget`, called when the account closes, after running work and before its workspace closes. */
    onClose: (forget: () => Promise<unknown>) => void onClose.push(forget),
    /** The ID of the running sync, or null. */
    runningSync: async (): Promise<string | null> => {
      const service = await sync.started();
      return service?.isRunning() === true ? (service.report()?.runId ?? '') : null;
    },
    /** Performance reports, which are never deleted automatically. */
    reports,
    /** Every day of all reports, for metrics of any period. Opened with the first question. */
    cube: cube.get,
    /** Requests for days whose metrics are missing or may have changed. */
    metricsFetch,
    importReport: metrics.importReport,
    /** The calls beyond the partner's document that the account uses, and why. */
    capabilities,
    /** The team of the account; null without one. */
    team: async (): Promise<TeamSession | null> => (record.team === undefined ? null : team.get()),
    sync: sync.get,
    api: api.get,
    close: async () => {
      isClosing = true;
      await Promise.allSettled(underWay);
      await takeAll([
        ...onClose,
        () => safety.backupScheduler.close(),
        () => watched.close(),
        () => pictures.close(),
        async () => (await sync.started())?.close(),
        async () => (await team.started())?.close(),
        () => capabilities.idle(),
        () => metricsFetch.stop(),
        () => reports.jobs.stop(),
        async () => (await api.started())?.close(),
        () => reports.jobs.idle(),
        () => metricsFetch.idle(),
        () => alertNotices.close(),
        async () => (await cube.started())?.close(),
        () => notifications.close(),
        () => checklist.idle(),
        () => responses.close(),
        () => lines.close(),
        () => workspace.close(),
        () => practice?.close(),
      ]);
    },
  };
}

/** Runs every step, even after one has failed, so that no thread keeps its lock. Throws the first failure. */
async function takeAll(steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Differences below a minute are the time a call takes. */
const CALENDAR_STEP_MS = 60_000;

/** Applies the calendar of the practice service to the rules, also before the service starts the next time. */
async function watchBusinessDay(workspace: Workspace, aheadMs: number): Promise<void> {
  const known = Number((await workspace.getMeta(CALENDAR_AHEAD_KEY)) ?? '0');
  if (Math.abs(aheadMs - known) < CALENDAR_STEP_MS) return;
  await workspace.setMeta(CALENDAR_AHEAD_KEY, String(Math.round(aheadMs)));
}

interface GoOn {
  /** What the user agreed to when the sync was requested; null for a host that asks no confirmation. */
  readonly agreed: SyncSize | null;
  readonly current: () => Promise<AccountRecord | null>;
  readonly ask: ConfirmSync | undefined;
}

/**
 * Whether a delayed sync may still start: the account may have become read-only, and a larger sync is confirmed again.
 */
async function mayGoOn(
  sync: Pick<SyncService, 'planToSend'>,
  run: RunOptions,
  { agreed, current, ask }: GoOn,
): Promise<RunProblem | null> {
  const account = await current();
  if (account?.mode === 'read-only') return READ_ONLY;
  if (ask === undefined) return null;
  const name = account?.name ?? '';
  const size = await isSyncConfirmed(
    () => sync.planToSend(run),
    (asked) => ask(name, asked),
    agreed ?? CONFIRM_ABOVE,
  );
  return size === null ? { code: 'CANCELLED', data: {} } : null;
}

/** Base URL of a practice account whose service can't be started: a closed port. */
const NOWHERE = 'http://127.0.0.1:9';

/** The signed client of an account; for a practice account, of the service inside the app. */
export async function connect(
  record: AccountRecord,
  options: CoreOptions,
  practice: PracticeHost | null,
  onResponse: (record: () => ResponseRecord) => void,
): Promise<PartnerApi> {
  const service = practice === null ? null : await practice.service();
  const running = service?.ok === true ? service.value : null;
  const { signature } = profileOf(record);
  const connection: Connection = {
    baseUrl: running?.baseUrl ?? (record.practice ? NOWHERE : record.baseUrl),
    advertiserId: asRemoteId(record.advertiserId),
    consumerId: running?.account.consumerId ?? record.consumerId,
    keyVersion: running?.account.keyVersion ?? record.keyVersion,
    headerPrefix: running?.headerPrefix ?? record.headerPrefix,
    timestampUnit: signature.timestampUnit,
    signatureAlgorithm: signature.algorithm,
  };
  const secrets = practice === null ? secretsOf(record, options) : practiceSecrets(practice);
  return createPartnerApi(connection, {
    secrets,
    clock: options.clock,
    onResponse,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
}

/** Runs before every request and restarts a practice service that has ended unexpectedly. */
const practiceSecrets =
  (practice: PracticeHost): SecretProvider =>
  async () => {
    const service = await practice.service();
    return service.ok ? service.value.account : null;
  };

function secretsOf(record: AccountRecord, options: CoreOptions): SecretProvider {
  const { secrets } = record;
  if (secrets.kept !== 'files') return () => options.secrets.get(record.workspaceId);
  // Read at every request, so that a token renewed on disk is used at once.
  return async () => {
    const read = await readSecretFiles(secrets.keyFile, secrets.tokenFile, secrets.keyPassphraseFile ?? null);
    return read.ok ? read.value.secret : null;
  };
}

function asRemoteId(text: string): RemoteId {
  const id = remoteId(text);
  if (id === null) throw new Error('an account without an advertiser ID');
  return id;
}
