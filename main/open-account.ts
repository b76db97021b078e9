import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppEvent } from '../shared/contract/app.ts';
import type { OpeningNote } from '../shared/contract/backups.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../shared/plan/plan-types.ts';
import type { DeploymentProfile } from '../shared/profile/profile.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { followCalendar, todayOf } from './account-calendar.ts';
import { connect } from './account-connection.ts';
import { type AccountNews, createAccountNews } from './account-news.ts';
import { mediaFolder, practiceFolder, workspaceFile, workspaceFolder } from './accounts/account-folder.ts';
import { profileOf } from './accounts/account-profile.ts';
import type { AccountRecord } from './accounts/account-record.ts';
import { guardSync } from './accounts/guard-sync.ts';
import { openSafely, type SafelyOpened } from './accounts/open-safely.ts';
import type { Openings } from './accounts/openings.ts';
import { type WorkspaceSafety, watchWorkspace } from './accounts/workspace-safety.ts';
import { createKeptAnswers, type KeptAnswers } from './answers/kept-answers.ts';
import type { PartnerApi } from './api/partner-api.ts';
import { type CampaignTemplates, createCampaignTemplates } from './campaign-templates.ts';
import type { CoreOptions } from './core-types.ts';
import { createLineMemory, type LineMemory } from './exchange/line-memory.ts';
import { createMediaLibrary, type MediaLibrary } from './media/library.ts';
import { createMutedRules, type MutedRules } from './muted-rules.ts';
import { once } from './once.ts';
import { createPracticeHost, type PracticeHost } from './practice/practice-host.ts';
import { createProfileSwaps, type ProfileSwaps } from './profile-swaps.ts';
import { fetchReport } from './reports/fetch-report.ts';
import { createReportService, type ReportService } from './reports/report-service.ts';
import { createSnapshotStore } from './reports/snapshot-store.ts';
import type { SyncService } from './sync/port.ts';
import { createSyncService } from './sync/service.ts';
import { createUserRules, type UserRules } from './user-rules.ts';
import type { NotWritable, Workspace } from './workspace/port.ts';

/**
 * One account with its workspace open. The workspace is there at once; the service behind it is met on first use,
 * so that a practice account opens without waiting for its service to start.
 */
export interface OpenAccount {
  readonly workspace: Workspace;
  /** The database that is open, for threads with a connection of their own that only read. */
  readonly database: string;
  /** Where further files of the account may be written. */
  readonly folder: string;
  readonly library: MediaLibrary;
  readonly profile: DeploymentProfile;
  /** Whether the account's item ids have the new form; null while nobody knows. */
  readonly migrated: boolean | null;
  /** Rules that the user wrote. */
  readonly rules: UserRules;
  /** Rules that are not to be heard of. */
  readonly muted: MutedRules;
  readonly templates: CampaignTemplates;
  /** Campaigns that are changing what they show without a pause. */
  readonly swaps: ProfileSwaps;
  readonly news: AccountNews;
  /** What the service answered, as it was received. */
  readonly answers: KeptAnswers;
  /** From which sheet line a row came. */
  readonly lines: LineMemory;
  /** Null for an account that is no practice account. */
  readonly practice: PracticeHost | null;
  /** Backups, and what was found when the workspace was opened. */
  readonly safety: WorkspaceSafety;
  /** The id of the run under way, or null. */
  runningSync(): Promise<string | null>;
  /** Performance reports, kept for good. */
  readonly reports: ReportService;
  sync(): Promise<SyncService>;
  api(): Promise<PartnerApi>;
  close(): Promise<void>;
}

export interface OpenAccountDeps {
  readonly options: CoreOptions;
  readonly emit: (event: AppEvent) => void;
  readonly openings: Openings;
}

export async function openAccount(
  record: AccountRecord,
  { options, emit, openings }: OpenAccountDeps,
  expected: () => OpeningNote | null = () => null,
  failed: (why: string) => void = () => undefined,
): Promise<Result<OpenAccount, NotWritable>> {
  const { workspaceId } = record;
  const folder = workspaceFolder(options.dataDir, workspaceId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const profile = profileOf(record);
  const file = workspaceFile(options.dataDir, workspaceId);
  const mustExist = await openings.knows(workspaceId);
  const { clock } = options;
  const opened = await openSafely(
    { file, workspaceId, profile, clock, migrated: record.migrated, mustExist, failed },
    folder,
  );
  if (!opened.ok) return err(opened.error);
  try {
    return ok(await putTogether(record, { options, emit, openings }, opened.value, expected));
  } catch (error) {
    // Its threads hold the lock, and nobody else knows of them.
    await opened.value.workspace.close();
    throw error;
  }
}

async function putTogether(
  record: AccountRecord,
  { options, emit, openings }: OpenAccountDeps,
  opened: SafelyOpened,
  expected: () => OpeningNote | null,
): Promise<OpenAccount> {
  const { workspaceId } = record;
  const { clock } = options;
  const { workspace } = opened;
  const folder = workspaceFolder(options.dataDir, workspaceId);
  const profile = profileOf(record);
  const safety = await watchWorkspace({ opened, workspaceId, folder, clock, openings, emit, expected });
  workspace.onChanged((revision, kinds, only) => {
    emit({ type: 'workspace.changed', workspaceId, revision, kinds: [...kinds], ...(only === null ? {} : { only }) });
  });

  const lines = createLineMemory(join(opened.folder, 'sheet-lines.db'));
  const answers = createKeptAnswers(join(opened.folder, 'answers.db'), workspace);
  const library = createMediaLibrary(mediaFolder(options.dataDir, workspaceId));
  const followClock = (serviceNowMs: number) => followCalendar(workspace, serviceNowMs - clock.nowMs());
  const practice = record.practice
    ? createPracticeHost(practiceFolder(options.dataDir, workspaceId), followClock)
    : null;
  const api = once(() => connect(record, options, practice, answers.hear));
  const today = () => todayOf(practice, profile, clock);
  const sync = once(async () => {
    const service = await createSyncService({
      workspaceId,
      workspace,
      api: await api.get(),
      profile,
      capabilities: record.extensions ? (record.practice ? WITH_EXTENSIONS : 'probe') : DOCUMENTED_ONLY,
      clock,
      // Beside the copy when the workspace is only looked at: its own folder may not be written.
      journalFile: join(opened.folder, 'sync.journal'),
      mediaFile: (row) => library.pathOf(row.values.sha256 ?? ''),
      emit,
      today,
      rest: options.rest,
    });
    return guardSync(service, safety.reasonNotToSend, safety.backUpBeforeSync);
  });

  return {
    workspace,
    database: join(opened.folder, 'workspace.db'),
    folder: opened.folder,
    library,
    profile,
    migrated: record.migrated,
    rules: createUserRules(workspace),
    muted: createMutedRules(workspace),
    templates: createCampaignTemplates(workspace),
    swaps: createProfileSwaps(workspace),
    news: createAccountNews(workspace),
    answers,
    lines,
    practice,
    safety,
    runningSync: async () => {
      const report = (await sync.started())?.report() ?? null;
      return report?.state === 'running' ? report.runId : null;
    },
    reports: createReportService({
      store: createSnapshotStore(join(folder, 'reports')),
      fetch: async (wish) => fetchReport(await api.get(), clock, wish, profile.upload.hosts),
      nowMs: () => clock.nowMs(),
      today,
    }),
    sync: sync.get,
    api: api.get,
    close: () =>
      takeAll([
        () => safety.keeper.close(),
        async () => (await sync.started())?.close(),
        async () => (await api.started())?.close(),
        () => answers.close(),
        () => lines.close(),
        () => workspace.close(),
        () => practice?.close(),
      ]),
  };
}

/** Takes every step, whatever became of those before: a thread and its lock would stay behind. The first failure is told. */
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
