import { chmod, copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { OpeningNote } from '../../shared/api/backups.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import { notWritable, notWritableFrom, notWritableOrThrow } from '../store/not-writable.ts';
import { WORKSPACE_UUID_KEY } from '../store/safety/foreign-wal.ts';
import type { NotWritable } from '../store/types.ts';
import { type OpenWorkspaceOptions, openWorkspace, type Workspace } from '../store/workspace.ts';
import { backupFile, backupsFolder, listBackups, restoreWorkspace } from './backup-folder.ts';
import { createFileTurns } from './registry.ts';

/**
 * Opens a workspace in whatever state its file is, and returns what was found:
 *
 *   opens ------------------------------------------------------------> writable
 *   damaged, with a verified backup --> moved to quarantine, restored -> writable, with a note
 *   damaged, without one ----------------------------------------------> refused; the file stays as it is
 *   no write access, a full disk, or of a newer Adslate ---------------> view-only, with a note
 */
export interface RecoveredWorkspace {
  readonly workspace: Workspace;
  /** Why nothing can be written; null for a workspace as it should be. */
  readonly viewOnly: NotWritable | null;
  readonly notes: readonly OpeningNote[];
  /** Folder for files beside the database: the account's folder, or that of the view-only copy. */
  readonly folder: string;
}

export async function openWithRecovery(
  options: OpenWorkspaceOptions,
  folder: string,
): Promise<Result<RecoveredWorkspace, NotWritable>> {
  const opened = await openWorkspace(options);
  if (opened.ok) return ok({ workspace: opened.value, viewOnly: null, notes: [], folder });
  switch (opened.error.data.why) {
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

/** A read error of the disk may be temporary; moving files would not help. */
const isDiskFault = ({ data: { detail } }: NotWritable): boolean => /disk I\/O error/u.test(detail);

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
      // A backup that has become damaged is skipped for the one before it.
      if ('kind' in restored.error) continue;
      return err(restored.error);
    }
    const opened = await openWorkspace(options);
    if (!opened.ok) return opened;
    const note: OpeningNote = {
      what: 'restored-after-damage',
      detail: damage.data.detail,
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
  const note: OpeningNote = { what: 'view-only', detail: why.data.detail, backupAt: null, setAside: null };
  return ok({ workspace: viewed.value.workspace, viewOnly: why, notes: [note], folder: viewed.value.folder });
}

/** Files beside the workspace that are shown with it: responses of the service, import lines of rows, and metrics. */
const BESIDE = [
  'answers.db',
  'answers.db-wal',
  'sheet-lines.db',
  'sheet-lines.db-wal',
  'cube.db',
  'cube.db-wal',
] as const;

/** @returns why they cannot be copied, or null */
async function copyBeside(from: string, to: string): Promise<NotWritable | null> {
  try {
    for (const name of BESIDE) {
      const target = join(to, name);
      // The copy of a read-only file would be read-only too.
      if ((await copyFile(join(from, name), target).catch(nullIfNotFound)) !== null) await chmod(target, 0o600);
    }
    return null;
  } catch (error) {
    return notWritableOrThrow(error);
  }
}

/**
 * Recognizes a workspace file that is not the one that was closed here last. Each opening is counted in the
 * workspace and in `openings.json` of the data folder:
 *
 *   same file, same count            -> as it was left
 *   same file, lower count           -> an older state was restored
 *   another file                     -> another workspace was put in its place
 *   the folder is elsewhere now, and the old one is still there -> a copy: two of them would send everything twice
 */
type WorkspaceMatch = 'as-left' | 'older-state' | 'other-file' | 'copied';

const Remembered = z.record(z.string(), z.strictObject({ incarnation: z.string(), openings: z.int() }));
type Remembered = z.infer<typeof Remembered>;

/** Where the workspace was when last written: folder and computer. */
const Home = z.strictObject({ host: z.string(), path: z.string(), inode: z.string() });
type Home = z.infer<typeof Home>;

const OPENINGS = 'openings';
const HOME = 'home';

export type WorkspaceIdentity = ReturnType<typeof createWorkspaceIdentity>;

export function createWorkspaceIdentity(dataDir: string) {
  const path = join(dataDir, 'openings.json');
  const inTurn = createFileTurns(path);
  const save = async (all: Remembered): Promise<void> => {
    await writeFileAtomic(path, `${JSON.stringify(all, null, 2)}\n`);
  };
  return {
    /** True when this account had a workspace here before, so that a missing file is a loss and not a beginning. */
    knows: async (workspaceId: WorkspaceId) => Object.hasOwn(await read(path), workspaceId),
    /** Compares the opened workspace with the stored count, and counts this opening. */
    note: (workspaceId: WorkspaceId, workspace: Workspace, folder: string): Promise<WorkspaceMatch> =>
      inTurn(async () => {
        const all = await read(path);
        const last = Object.hasOwn(all, workspaceId) ? all[workspaceId] : undefined;
        const incarnation = (await workspace.getMeta(WORKSPACE_UUID_KEY)) ?? '';
        const openings = Number((await workspace.getMeta(OPENINGS)) ?? 0);
        const here = await homeOf(folder);
        const home = Home.safeParse(jsonOrNull((await workspace.getMeta(HOME)) ?? ''));
        const isCopy = home.success && (await isElsewhereStill(home.data, here));
        const counted = Math.max(openings, last?.openings ?? 0) + 1;
        await unlessFull(async () => {
          await workspace.setMeta(OPENINGS, String(counted));
          // A copy keeps its original location until the user has decided which of the two continues.
          if (!isCopy) await workspace.setMeta(HOME, JSON.stringify(here));
          await save({ ...all, [workspaceId]: { incarnation, openings: counted } });
        });
        if (isCopy) return 'copied';
        if (last === undefined) return 'as-left';
        if (last.incarnation !== incarnation) return 'other-file';
        return openings < last.openings ? 'older-state' : 'as-left';
      }),
    /** Records that this copy is the one that continues. */
    settle: async (workspace: Workspace, folder: string) =>
      workspace.setMeta(HOME, JSON.stringify(await homeOf(folder))),
    forget: (workspaceId: WorkspaceId) =>
      inTurn(async () => {
        const { [workspaceId]: _gone, ...others } = await read(path);
        await save(others);
      }),
  };
}

/** On a full disk the result is still reported; the next opening counts this one. */
async function unlessFull(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (notWritableFrom(error)?.data.why !== 'disk-full') throw error;
  }
}

async function homeOf(folder: string): Promise<Home> {
  const { ino, dev } = await stat(folder, { bigint: true });
  return { host: hostname(), path: folder, inode: `${dev}:${ino}` };
}

/** A folder that was renamed keeps its inode; a copied one has another, while the original may still exist. */
async function isElsewhereStill(home: Home, here: Home): Promise<boolean> {
  if (home.host !== here.host || home.inode === here.inode || home.path === here.path) return false;
  try {
    return (await homeOf(home.path)).inode === home.inode;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** This file is not essential: without it nothing is recognized and nothing else changes. */
async function read(path: string): Promise<Remembered> {
  const text = await readFile(path, 'utf8').catch(nullIfNotFound);
  const remembered = Remembered.safeParse(jsonOrNull(text ?? ''));
  return remembered.success ? remembered.data : {};
}

/**
 * Opens a workspace view-only: its folder has no write access, or a newer Adslate made it. A copy in a temporary folder
 * is opened, so that all reading works; edits are refused with the reason, and the copy is removed when the workspace
 * is closed.
 *
 * A database in write-ahead mode can't be opened in place without write access, hence the copy.
 */
export async function openReadOnly(
  options: OpenWorkspaceOptions,
  why: NotWritable,
): Promise<Result<{ readonly workspace: Workspace; readonly folder: string }, NotWritable>> {
  const folder = await mkdtemp(join(tmpdir(), 'adslate-view-'));
  let isOpen = false;
  try {
    const file = join(folder, 'workspace.db');
    if (!(await copyAtRest(options.file, file))) return err(notWritable('busy-elsewhere', ''));
    const closed = () => rm(folder, { recursive: true, force: true });
    const opened = await openWorkspace({ ...options, file, mustExist: true, viewing: why, closed });
    if (!opened.ok) return opened;
    isOpen = true;
    return ok({ workspace: opened.value, folder });
  } catch (error) {
    const refusal = notWritableFrom(error);
    if (refusal !== null) return err(refusal);
    // Not even readable: the first refusal has more details than this failure.
    if (error instanceof Error && 'code' in error) return err(why);
    throw error;
  } finally {
    if (!isOpen) await rm(folder, { recursive: true, force: true });
  }
}

/** How often a file is copied that another process changes during the copy. */
const TRIES = 5;

/** Copies a database with its log in one consistent state. False when they changed during every copy. */
async function copyAtRest(from: string, to: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await stateOf(from);
    await copyOwn(from, to);
    await rm(`${to}-wal`, { force: true });
    await copyOwn(`${from}-wal`, `${to}-wal`).catch(nullIfNotFound);
    if ((await stateOf(from)) === before) return true;
  }
  return false;
}

/** The copy is writable, also that of a read-only file. */
async function copyOwn(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  await copyFile(from, to);
  await chmod(to, 0o600);
}

async function stateOf(file: string): Promise<string> {
  const states = [file, `${file}-wal`].map(async (path) => {
    const found = await stat(path, { bigint: true }).catch(nullIfNotFound);
    return found === null ? 'none' : `${found.size}:${found.mtimeNs}`;
  });
  return (await Promise.all(states)).join();
}
