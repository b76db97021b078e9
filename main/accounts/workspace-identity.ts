import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import { WORKSPACE_UUID_KEY } from '../store/safety/foreign-wal.ts';
import type { Workspace } from '../store/store.ts';
import { createFileTurns } from './registry.ts';

/**
 * Recognises a workspace file that is not the one that was closed here last. Each opening is counted in the
 * workspace and remembered beside it, in `openings.json` of the data folder:
 *
 *   same file, same count            -> as it was left
 *   same file, lower count           -> an older state was put back
 *   another file                     -> another workspace was put in its place
 *   the folder is elsewhere now, and the old one is still there -> a copy: two of them would send everything twice
 */
export type WorkspaceMatch = 'as-left' | 'older-state' | 'other-file' | 'copied';

const Remembered = z.record(z.string(), z.strictObject({ incarnation: z.string(), openings: z.int() }));
type Remembered = z.infer<typeof Remembered>;

/** Where the workspace was when it was written last: which folder, on which machine. */
const Home = z.strictObject({ host: z.string(), path: z.string(), inode: z.string() });
type Home = z.infer<typeof Home>;

const OPENINGS = 'openings';
const HOME = 'home';

export interface WorkspaceIdentity {
  /** True when this account had a workspace here before, so that a missing file is a loss and not a beginning. */
  knows(workspaceId: WorkspaceId): Promise<boolean>;
  /** Compares the opened workspace with what is remembered, and counts this opening. */
  note(workspaceId: WorkspaceId, workspace: Workspace, folder: string): Promise<WorkspaceMatch>;
  /** The copy is the one that goes on from here. */
  settle(workspace: Workspace, folder: string): Promise<void>;
  forget(workspaceId: WorkspaceId): Promise<void>;
}

export function createWorkspaceIdentity(dataDir: string): WorkspaceIdentity {
  const path = join(dataDir, 'openings.json');
  const inTurn = createFileTurns(path);
  const save = async (all: Remembered): Promise<void> => {
    await writeFileAtomic(path, `${JSON.stringify(all, null, 2)}\n`);
  };
  return {
    knows: async (workspaceId) => Object.hasOwn(await read(path), workspaceId),
    note: (workspaceId, workspace, folder) =>
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
          // A copy keeps the memory of where it came from until somebody has said which of the two goes on.
          if (!isCopy) await workspace.setMeta(HOME, JSON.stringify(here));
          await save({ ...all, [workspaceId]: { incarnation, openings: counted } });
        });
        if (isCopy) return 'copied';
        if (last === undefined) return 'as-left';
        if (last.incarnation !== incarnation) return 'other-file';
        return openings < last.openings ? 'older-state' : 'as-left';
      }),
    settle: async (workspace, folder) => workspace.setMeta(HOME, JSON.stringify(await homeOf(folder))),
    forget: (workspaceId) =>
      inTurn(async () => {
        const { [workspaceId]: _gone, ...others } = await read(path);
        await save(others);
      }),
  };
}

/** What is found is told on a full disk as well; this opening is counted by the next. */
async function unlessFull(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (notWritableFrom(error)?.why !== 'disk-full') throw error;
  }
}

async function homeOf(folder: string): Promise<Home> {
  const { ino, dev } = await stat(folder, { bigint: true });
  return { host: hostname(), path: folder, inode: `${dev}:${ino}` };
}

/** A folder that was renamed keeps its inode; one that was copied has another while the first may still be there. */
async function isElsewhereStill(home: Home, here: Home): Promise<boolean> {
  if (home.host !== here.host || home.inode === here.inode || home.path === here.path) return false;
  try {
    return (await homeOf(home.path)).inode === home.inode;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** A convenience beside the workspaces: without it nothing is recognised and nothing else changes. */
async function read(path: string): Promise<Remembered> {
  const text = await readFile(path, 'utf8').catch(nullIfNotFound);
  const remembered = Remembered.safeParse(jsonOrNull(text ?? ''));
  return remembered.success ? remembered.data : {};
}
