import { chmod, copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpeningNote } from '../../shared/api/backups.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { nullIfNotFound } from '../app/atomic-write.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import { openReadOnly } from '../store/safety/open-read-only.ts';
import type { Workspace } from '../store/store.ts';
import { type OpenWorkspaceOptions, openWorkspace } from '../store/store.ts';
import type { NotWritable } from '../store/types.ts';
import { backupFile, backupsFolder, listBackups } from './backup-folder.ts';
import { restoreWorkspace } from './restore-workspace.ts';

/**
 * Opens a workspace whatever has happened to its file, and says what was found:
 *
 *   opens ------------------------------------------------------------> writable
 *   damaged, with a backup that can be verified --> set aside, restored -> writable, with a note
 *   damaged, without one ---------------------------------------------> refused; the file stays as it is
 *   no write access, a full disk, or of a newer Adslate --------------> to look at, with a note
 */
export interface RecoveredWorkspace {
  readonly workspace: Workspace;
  /** Why nothing can be written; null for a workspace as it should be. */
  readonly viewOnly: NotWritable | null;
  readonly notes: readonly OpeningNote[];
  /** Where files beside the database may be written: the account's folder, or that of the copy that is looked at. */
  readonly folder: string;
}

export async function openWithRecovery(
  options: OpenWorkspaceOptions,
  folder: string,
): Promise<Result<RecoveredWorkspace, NotWritable>> {
  const opened = await openWorkspace(options);
  if (opened.ok) return ok({ workspace: opened.value, viewOnly: null, notes: [], folder });
  switch (opened.error.why) {
    case 'damaged':
      return isDiskFault(opened.error) ? opened : recover(options, folder, opened.error);
    case 'read-only':
    case 'disk-full':
    case 'newer-schema':
      return look(options, opened.error);
    default:
      return opened;
  }
}

/** What the disk cannot read now it may read later; moving files about would not help it. */
const isDiskFault = ({ detail }: NotWritable): boolean => /disk I\/O error/u.test(detail);

async function recover(
  options: OpenWorkspaceOptions,
  folder: string,
  damage: NotWritable,
): Promise<Result<RecoveredWorkspace, NotWritable>> {
  const nowMs = options.clock.nowMs();
  const backups = backupsFolder(folder);
  for (const backup of await listBackups(backups)) {
    const file = await backupFile(backups, backup.id);
    if (file === null) continue;
    const restored = await restoreWorkspace(options.file, file, nowMs);
    if (!restored.ok) {
      // A backup that has rotted since is passed over for the one before it.
      if (restored.error.kind === 'not-a-backup') continue;
      return err(restored.error);
    }
    const opened = await openWorkspace(options);
    if (!opened.ok) return opened;
    const note: OpeningNote = {
      what: 'restored-after-damage',
      detail: damage.detail,
      backupAt: backup.at,
      setAside: restored.value.setAside.slice(join(folder, '/').length),
    };
    return ok({ workspace: opened.value, viewOnly: null, notes: [note], folder });
  }
  return err(damage);
}

async function look(options: OpenWorkspaceOptions, why: NotWritable): Promise<Result<RecoveredWorkspace, NotWritable>> {
  const viewed = await openReadOnly(options, why);
  if (!viewed.ok) return viewed;
  const beside = await copyBeside(dirname(options.file), viewed.value.folder);
  if (beside !== null) {
    await viewed.value.workspace.close();
    return err(beside);
  }
  const note: OpeningNote = { what: 'view-only', detail: why.detail, backupAt: null, setAside: null };
  return ok({ workspace: viewed.value.workspace, viewOnly: why, notes: [note], folder: viewed.value.folder });
}

/** What is kept beside the workspace and shown with it: the answers of the service, and from which lines rows came. */
const BESIDE = ['answers.db', 'answers.db-wal', 'sheet-lines.db', 'sheet-lines.db-wal'] as const;

/** @returns why they cannot be copied, or null */
async function copyBeside(from: string, to: string): Promise<NotWritable | null> {
  try {
    for (const name of BESIDE) {
      const target = join(to, name);
      // A copy of a file that can only be read could only be read as well.
      if ((await copyFile(join(from, name), target).catch(nullIfNotFound)) !== null) await chmod(target, 0o600);
    }
    return null;
  } catch (error) {
    const problem = notWritableFrom(error);
    if (problem === null) throw error;
    return problem;
  }
}
