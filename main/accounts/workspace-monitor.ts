import { basename } from 'node:path';
import type { AppEvent } from '../../shared/api/app.ts';
import type { OpeningNote } from '../../shared/api/backups.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Clock } from '../app/clock.ts';
import { notWritable, notWritableFrom } from '../store/not-writable.ts';
import type { NotWritable } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { Workspace } from '../store/workspace.ts';
import { type RunProblem, syncRuns } from '../sync/context.ts';
import type { SyncService } from '../sync/service.ts';
import { type BackupReason, backUpInto, backupsFolder, type MadeBackup } from './backup-folder.ts';
import type { RecoveredWorkspace, WorkspaceIdentity } from './open-workspace.ts';

/** Backs up one open workspace, and has what was found at its opening and whether it may be written. */
export async function monitorWorkspace(deps: {
  readonly opened: RecoveredWorkspace;
  readonly workspaceId: WorkspaceId;
  readonly folder: string;
  readonly clock: Clock;
  readonly identity: WorkspaceIdentity;
  readonly emit: (event: AppEvent) => void;
  /** Copies the metrics to the backups as well, where they have changed. */
  readonly backUpMetrics: () => Promise<Result<null, NotWritable>>;
  /** The note of the caller that replaced the file of this workspace. */
  readonly expected: () => OpeningNote | null;
}) {
  const { opened, workspaceId, folder, clock, identity } = deps;
  const { workspace, viewOnly } = opened;
  const found = [...opened.notes];
  if (viewOnly === null) {
    const recognised = await identity.note(workspaceId, workspace, folder);
    const expected = deps.expected();
    if (expected !== null) found.push(expected);
    // A restored backup is always an older state, but it may be of another account, even one that is still in use.
    const isOther = recognised === 'other-file' || recognised === 'copied';
    const isNews = found.length === 0 || (expected?.what === 'restored' && isOther);
    if (isNews && recognised !== 'as-left')
      found.push({ what: recognised, detail: '', backupAt: null, setAside: null });
  }
  const tell = (severity: 'warning' | 'error', message: string, params: Record<string, string | number | null>) =>
    deps.emit({ type: 'notice', workspaceId, severity, message, params });
  for (const note of found) tell('warning', noteText(note), { ...note });

  /** The users' edits when the last backup began; writes of a sync alone need no backup. */
  let saved: string | null = null;
  const backUpMetrics = async (): Promise<void> => {
    const done = await deps.backUpMetrics();
    if (done.ok) return;
    const text = "Can't back up the metrics. Make sure that the disk has space. Your edits are backed up.";
    tell('warning', text, { what: 'metrics-not-saved', ...done.error.data });
  };
  const backUp = async (reason: BackupReason, spared?: string): Promise<Result<MadeBackup, NotWritable>> => {
    const mark = await workspace.editMark();
    const made = await backUpInto(backupsFolder(folder), workspace, reason, clock.nowMs(), spared);
    if (!made.ok) return made;
    saved = mark;
    // A sync or an import does not wait for them.
    if (!reason.startsWith('before-')) await backUpMetrics();
    return made;
  };
  return {
    viewOnly,
    notes: () => found,
    backUp,
    /** A backup before something is sent; none when nothing was edited since the last one. */
    backUpBeforeSync: async (): Promise<Result<unknown, NotWritable>> =>
      (await workspace.editMark()) === saved ? ok(null) : backUp('before-sync'),
    /** Why nothing may be sent, or null. */
    reasonNotToSend: (): NotWritable | null => {
      if (viewOnly !== null) return viewOnly;
      if (!found.some(({ what }) => what === 'copied')) return null;
      return notWritable('copied', 'the folder it was copied from is still there');
    },
    /** Records the user's decision which of two copies this is. */
    settleCopy: async () => {
      await identity.settle(workspace, folder);
      const at = found.findIndex(({ what }) => what === 'copied');
      if (at !== -1) found.splice(at, 1);
    },
    backupScheduler: createBackupScheduler({
      workspace,
      clock,
      backUp: () => backUp('timed'),
      failed: (problem) => tell('error', backupFailedText(problem), { what: 'backup-failed', ...problem.data }),
    }),
  };
}

const EVERY_MS = 5 * 60_000;
const LOOK_EVERY_MS = 30_000;

/**
 * Makes a backup for every five minutes in which something was edited.
 *
 *   nothing to save --an edit--> waiting --5 min after the first edit--> saving --done--> nothing to save
 *                                   ^------ failed: reported once, tried again 5 min later ----'
 */
function createBackupScheduler(deps: {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly backUp: () => Promise<Result<unknown, NotWritable>>;
  readonly failed: (problem: NotWritable) => void;
}) {
  let since: number | null = null;
  let saving: Promise<void> | null = null;
  let hasFailed = false;
  const stop = deps.workspace.onChanged(() => {
    since ??= deps.clock.monotonicMs();
  });

  const save = async (): Promise<void> => {
    since = null;
    const done = await deps.backUp().catch(refusalOf);
    if (done === null) return;
    if (done.ok) {
      hasFailed = false;
      return;
    }
    since = deps.clock.monotonicMs();
    if (!hasFailed) deps.failed(done.error);
    hasFailed = true;
  };
  const tick = async (): Promise<void> => {
    if (saving !== null) return saving;
    if (since === null || deps.clock.monotonicMs() - since < EVERY_MS) return;
    saving = save().finally(() => {
      saving = null;
    });
    await saving;
  };
  const timer = setInterval(() => void tick(), LOOK_EVERY_MS);
  timer.unref();
  return {
    /** Makes a backup if one is due. Called every half minute, and by tests with a virtual clock. */
    tick,
    /** Stops the timer and waits for a running backup. */
    close: async () => {
      clearInterval(timer);
      stop();
      await saving;
    },
  };
}

/** Nobody waits for a timed backup, so its failure is told; null if the account is being closed or opened again. */
function refusalOf(error: unknown): Result<never, NotWritable> | null {
  if (error instanceof WorkspaceClosed) return null;
  const detail = error instanceof Error ? error.message : String(error);
  return err(notWritableFrom(error) ?? notWritable('failed', detail));
}

/** The sentence for a note of an opening: what was found, and the next step. */
function noteText({ what, backupAt, setAside }: OpeningNote): string {
  const from = backupAt === null ? '' : ` of ${new Date(backupAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const aside = setAside === null ? '' : ` The previous file is kept in the account folder, as ${basename(setAside)}.`;
  switch (what) {
    case 'restored-after-damage':
      return `The account file was damaged, so Adslate restored the backup${from}. Check whether newer edits are missing.${aside}`;
    case 'restored':
      return `Backup restored.${aside} The next sync asks about everything that was sent since then.`;
    case 'salvaged':
      return `Adslate recovered what it could from the damaged file.${aside} Refresh before you sync.`;
    case 'view-only':
      return "Read-only: Adslate can't write to the account folder. You can view and export, but not edit or sync.";
    case 'older-state':
      return 'This account file is older than the one you last closed. Refresh before you sync.';
    case 'other-file':
      return 'This is not the account file you last closed. Make sure it is the right account.';
    case 'copied':
      return 'This account folder is a copy, and the original still exists. Choose in Backups which one to use. Until then nothing is sent.';
  }
}

const backupFailedText = ({ data: { why } }: NotWritable): string =>
  why === 'disk-full'
    ? "Can't make a backup: the disk is full. Free up space."
    : "Can't make a backup. Check that Adslate can write to the backups folder.";

export const WORKSPACE_FAILED_TEXT =
  'Reading or writing the account file failed, so Adslate opened it again. Saved edits are kept. If your last edit is missing, repeat it.';

/**
 * Wraps a sync service. A workspace that can't be written, or is one of two copies, sends nothing; every run starts
 * with a backup.
 *
 * One run starts at a time, its backup included. A second caller waits for that start and gets its refusal, or that a
 * sync is running; no second backup is made.
 *
 * @param reasonToRefuse read each time, because the user may resolve it in the meantime
 */
export function checkSyncPreconditions(
  sync: SyncService,
  reasonToRefuse: () => NotWritable | null,
  backUp: () => Promise<Result<unknown, NotWritable>>,
): SyncService {
  type Started = Result<{ readonly runId: string }, RunProblem>;
  let beginning: Promise<Started> | null = null;
  const begin = async (start: () => Promise<Started>): Promise<Started> => {
    const saved = await backUp();
    return saved.ok ? start() : saved;
  };
  const guarded = async (start: () => Promise<Started>): Promise<Started> => {
    const refusal = reasonToRefuse();
    if (refusal !== null) return err(refusal);
    if (beginning !== null) {
      const begun = await beginning;
      return begun.ok ? syncRuns(sync.report()) : begun;
    }
    if (sync.isRunning()) return syncRuns(sync.report());
    beginning = begin(start).finally(() => {
      beginning = null;
    });
    return beginning;
  };
  return {
    ...sync,
    run: (options) => guarded(() => sync.run(options)),
    reviews: {
      ...sync.reviews,
      submit: (campaignIds) => guarded(() => sync.reviews.submit(campaignIds)),
      cancel: (campaignIds) => guarded(() => sync.reviews.cancel(campaignIds)),
    },
  };
}
