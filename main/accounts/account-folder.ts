import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asWorkspaceId, type WorkspaceId } from '../../shared/model/scalars.ts';
import { nullIfMissing } from '../null-if-missing.ts';

/**
 * Where the files of one account lie below the data folder:
 *
 *   workspaces/<id>/  workspace.db  sync.journal  pending-sync.json  media/  backups/
 *   practice/<id>/    the simulated service of a practice account
 */
export const workspaceFolder = (dataDir: string, id: WorkspaceId): string => join(dataDir, 'workspaces', id);
export const workspaceFile = (dataDir: string, id: WorkspaceId): string =>
  join(workspaceFolder(dataDir, id), 'workspace.db');
export const mediaFolder = (dataDir: string, id: WorkspaceId): string => join(workspaceFolder(dataDir, id), 'media');
export const practiceFolder = (dataDir: string, id: WorkspaceId): string => join(dataDir, 'practice', id);

/** A folder name that tells people which account it is and never meets another one. */
export function newWorkspaceId(name: string): WorkspaceId {
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  const unique = randomBytes(4).toString('hex');
  return asWorkspaceId(readable === '' ? `account-${unique}` : `${readable}-${unique}`);
}

/** Names under which something of an account is on its way: each ends with a rename, and is removed when it fails. */
const ARRIVING: readonly { readonly folder: string; readonly names: RegExp }[] = [
  { folder: '', names: /\.(?:restoring|salvaging)(?:-wal|-shm|-journal)?$|\.part$/u },
  { folder: 'backups', names: /\.tmp(?:-wal|-shm|-journal)?$/u },
  { folder: 'media', names: /^arriving-/u },
  { folder: 'reports', names: /\.part$/u },
  { folder: 'reports/jobs', names: /\.part$/u },
  { folder: 'imports', names: /./u },
];

/**
 * Removes what an earlier process was writing when it ended. Called by whoever has just taken the lock of the workspace,
 * before anything else is begun: then none of it can be anybody's.
 */
export async function sweepLeftovers(folder: string): Promise<void> {
  for (const { folder: below, names } of ARRIVING) {
    const found = (await readdir(join(folder, below)).catch(nullIfMissing)) ?? [];
    for (const name of found.filter((each) => names.test(each))) {
      await rm(join(folder, below, name), { recursive: true, force: true }).catch((error: unknown) => {
        // What may not be removed takes room and harms nothing: no reason to keep the account closed.
        if (!(error instanceof Error && 'code' in error)) throw error;
      });
    }
  }
}

/** Removes everything of an account and lists what went, so that "removed" can be checked. */
export async function removeAccountFiles(dataDir: string, id: WorkspaceId): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const folder of [workspaceFolder(dataDir, id), practiceFolder(dataDir, id)]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nullIfMissing);
    if (entries === null) continue;
    for (const entry of entries) {
      // Relative names: paths of the user's disk do not leave main.
      if (entry.isFile()) removed.push(join(entry.parentPath, entry.name).slice(dataDir.length + 1));
    }
    await rm(folder, { recursive: true, force: true });
  }
  return removed;
}
