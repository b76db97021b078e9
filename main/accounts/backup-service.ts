import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Backup, RestorePreview } from '../../shared/api/backups.ts';
import type { Failure } from '../../shared/api/operation.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { ActiveAccount, ActiveAccounts, OpenAccountError } from '../core/active-accounts.ts';
import type { CoreOptions } from '../core/core-options.ts';
import { takeLock } from '../store/lock.ts';
import type { RecoveredData } from '../store/safety/recover-data.ts';
import type { NotWritable } from '../store/types.ts';
import { workspaceFile, workspaceFolder } from './account-record.ts';
import {
  backupFile,
  backupProblem,
  backupsFolder,
  listBackups,
  moveToQuarantine,
  restoreWorkspace,
} from './backup-folder.ts';

/** Backups of an account for the contract, by ID; paths stay inside main. */
export type BackupService = ReturnType<typeof createBackupService>;

/** A file that is no backup, with the reason. */
interface NoBackup {
  readonly kind: 'no-backup';
  readonly detail: string;
}

export type RestoreRefused = OpenAccountError | Failure<'SYNC_RUNNING'> | NoBackup;

type Restored = Result<{ readonly setAside: string }, RestoreRefused>;

export interface RecoveryReport extends Omit<RecoveredData, 'tables'> {
  readonly setAside: string;
  readonly rows: number;
  readonly lostRanges: number;
}

const EXAMPLES = 50;

export function createBackupService(deps: { readonly options: CoreOptions; readonly open: ActiveAccounts }) {
  const { options, open } = deps;
  const { safety } = options.threads;
  /** Restores run one at a time: the backup at the start of one reads the files that another would move. */
  const inTurn = createSerialQueue();
  const folderOf = (id: WorkspaceId): string => workspaceFolder(options.dataDir, id);
  const fileOf = (id: WorkspaceId, backupId: string): Promise<string | null> =>
    backupFile(backupsFolder(folderOf(id)), backupId);

  /**
   *   back up the workspace -> close -> quarantine it, copy the backup in its place -> open -> leave a note
   */
  const restoreNow = async (workspaceId: WorkspaceId, path: string): Promise<Restored> => {
    const before = await open.get(workspaceId);
    // Restoring is meant for a damaged workspace; any other refusal is returned.
    if (!before.ok && (before.error.code !== 'NOT_WRITABLE' || before.error.data.why !== 'damaged')) return before;
    if (before.ok) {
      const refusal = await reasonNotToRestore(before.value);
      if (refusal !== null) return err(refusal);
      const saved = await before.value.safety.backUp('before-restore', path);
      if (!saved.ok) return saved;
    }
    const file = workspaceFile(options.dataDir, workspaceId);
    const restored = await open.whileClosed(workspaceId, async () => {
      const done = await restoreWorkspace(file, path, options.clock.nowMs());
      if (!done.ok) return done;
      const aside = done.value.setAside.slice(folderOf(workspaceId).length + 1);
      open.expect(workspaceId, { what: 'restored', detail: basename(path), backupAt: null, setAside: aside });
      return ok(aside);
    });
    if (!restored.ok) return restored;
    const after = await open.get(workspaceId);
    return after.ok ? ok({ setAside: restored.value }) : after;
  };

  const restoreFile = (workspaceId: WorkspaceId, path: string): Promise<Restored> =>
    inTurn(() => restoreNow(workspaceId, path));

  const previewOf = async (
    workspaceId: WorkspaceId,
    other: string,
    backupId: string,
    at: number,
  ): Promise<Result<RestorePreview, OpenAccountError>> => {
    const account = await open.get(workspaceId);
    if (!account.ok) return account;
    const file = workspaceFile(options.dataDir, workspaceId);
    const compared = await safety('compare', { file, other, examples: EXAMPLES });
    if (!compared.ok) return compared;
    return ok({ backupId, at, ...compared.value });
  };

  /** The workspace must be closed here; another process that has it open holds the lock. */
  const recoverFile = async (workspaceId: WorkspaceId): Promise<Result<RecoveryReport, NotWritable>> => {
    const file = workspaceFile(options.dataDir, workspaceId);
    const nowMs = options.clock.nowMs();
    const lock = takeLock(file, nowMs);
    if (!lock.ok) return lock;
    const target = `${file}.salvaging`;
    const forget = async (): Promise<void> => {
      for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(target + suffix, { force: true });
    };
    try {
      await forget();
      const done = await safety('recover', { damaged: file, target });
      if (!done.ok) return done;
      // The damaged file is moved only after its content was recovered into a new one.
      const aside = await moveToQuarantine(file, nowMs);
      await rename(target, file);
      const report = reportOf(done.value, aside.slice(folderOf(workspaceId).length + 1));
      open.expect(workspaceId, { what: 'salvaged', detail: '', backupAt: null, setAside: report.setAside });
      return ok(report);
    } finally {
      await forget();
      lock.value.release();
    }
  };

  return {
    list: async (workspaceId: WorkspaceId): Promise<Backup[]> =>
      (await listBackups(backupsFolder(folderOf(workspaceId)))).map(({ id, reason, at, bytes }) => ({
        backupId: id,
        reason,
        at,
        bytes,
      })),
    /** The file of a backup that the list names, or null. For hosts that may name paths. */
    pathOf: fileOf,
    preview: async (workspaceId: WorkspaceId, backupId: string) => {
      const path = await fileOf(workspaceId, backupId);
      if (path === null) return fail('NO_BACKUP', { backupId });
      const known = (await listBackups(backupsFolder(folderOf(workspaceId)))).find(({ id }) => id === backupId);
      return previewOf(workspaceId, path, backupId, known?.at ?? 0);
    },
    /** Previews a backup file of the user, for hosts that may name paths; `backupId` is its name. */
    previewFile: async (workspaceId: WorkspaceId, path: string): Promise<Result<RestorePreview, RestoreRefused>> => {
      const problem = backupProblem(path);
      if (problem !== null) return err({ kind: 'no-backup', detail: problem });
      return previewOf(workspaceId, path, basename(path), Math.round((await stat(path)).mtimeMs));
    },
    restore: async (workspaceId: WorkspaceId, backupId: string) => {
      const path = await fileOf(workspaceId, backupId);
      if (path === null) return fail('NO_BACKUP', { backupId });
      const restored = await restoreFile(workspaceId, path);
      if (restored.ok) return restored;
      return 'code' in restored.error ? err(restored.error) : fail('NO_BACKUP', { backupId });
    },
    /** Restores a backup file of the user, for hosts that may name paths. */
    restoreFile,
    recover: (workspaceId: WorkspaceId) => inTurn(() => open.whileClosed(workspaceId, () => recoverFile(workspaceId))),
  };
}

async function reasonNotToRestore(account: ActiveAccount): Promise<Exclude<RestoreRefused, NoBackup> | null> {
  if (account.safety.viewOnly !== null) return account.safety.viewOnly;
  const report = await account.runningSync();
  return report === null ? null : { code: 'SYNC_RUNNING', data: { runId: report } };
}

function reportOf({ tables, ...counts }: RecoveredData, aside: string): RecoveryReport {
  const sum = (of: (table: RecoveredData['tables'][number]) => number): number =>
    tables.reduce((total, table) => total + of(table), 0);
  return { setAside: aside, rows: sum(({ rows }) => rows), lostRanges: sum((t) => t.lostRanges), ...counts };
}
