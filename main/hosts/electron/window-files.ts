import { constants } from 'node:fs';
import { access, copyFile, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { CoreApi } from '../../app/host-ports.ts';
import type { Log } from '../../app/log.ts';
import { errorCode, nullIfRefused } from '../../app/system.ts';
import { createUiStateFile } from './ui-state-file.ts';

/**
 * Folders from which windows may read files. A preload takes the path of a file from the drop or the selection, so a
 * page can't make one up; but a compromised page process can send any path. So main asks once for each folder, outside
 * every window, and stores the reply. A subfolder counts separately: a file in the home folder does not allow hidden
 * folders in it.
 *
 *   path --its folder is allowed--> accepted
 *     +----asked: --"allow"--> stored, accepted
 *                 +--"do not"--> refused, and for a minute without another dialog
 */
export interface AllowedFolders {
  /** @returns whether the file may be read; for files of one folder at the same time, one dialog is shown */
  mayTake(path: string): Promise<boolean>;
}

export interface FolderPorts {
  readonly dataDir: string;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Asks the user whether files of this folder may be read. */
  readonly ask: (path: string) => Promise<boolean>;
}

const FOLDERS_KEPT = 200;
const QUIET_MS = 60_000;
const Folders = z.array(z.string().min(1).max(32_767)).max(FOLDERS_KEPT);

export function createAllowedFolders({ dataDir, log, nowMs, ask }: FolderPorts): AllowedFolders {
  const file = createUiStateFile(dataDir, 'folders.json', Folders, log);
  const known = new Set(file.read() ?? []);
  const refusedAt = new Map<string, number>();
  const asking = new Map<string, Promise<boolean>>();

  const askAbout = async (folder: string, path: string): Promise<boolean> => {
    const isWanted = await ask(path);
    if (isWanted) {
      known.add(folder);
      file.write([...known].slice(-FOLDERS_KEPT));
    } else refusedAt.set(folder, nowMs());
    return isWanted;
  };

  return {
    mayTake: async (path) => {
      const real = await realpath(path).catch(nullIfRefused);
      // The grant refuses a missing file, with its own message.
      if (real === null) return true;
      const folder = dirname(real);
      if (known.has(folder)) return true;
      const before = refusedAt.get(folder);
      if (before !== undefined && nowMs() - before < QUIET_MS) return false;
      const question = asking.get(folder) ?? askAbout(folder, real).finally(() => asking.delete(folder));
      asking.set(folder, question);
      return question;
    },
  };
}

/**
 * Files dragged from a window to the desktop, a mail or a chat. The receiver gets a copy with its proper name: the
 * library names files by their hash, and the receiver may move the file or write into it.
 *
 *   pointer goes down --lift--> copied --drag begins--> passed to the system
 *                                  \--20 others were lifted since--> removed
 */
export type DragOut = ReturnType<typeof createDragOut>;

interface DragError {
  readonly kind: 'unknown' | 'other-account' | 'unreadable';
}

/** Number of copies that stay: a chat may read one long after the drop. */
const COPIES_KEPT = 20;

/** Whether an earlier copy is where it was; its receiver may have moved it. */
async function isStillThere(copy: Promise<string> | undefined): Promise<boolean> {
  const path = await copy?.catch(nullIfRefused);
  return path != null && (await access(path).catch(nullIfRefused)) !== null;
}

/** @param folder folder for copies; leftovers of an earlier process are removed with the first one */
export function createDragOut(folder: string, offered: CoreApi['offered']) {
  const copies = new Map<string, Promise<string>>();
  let isEmptied: Promise<void> | null = null;

  const copy = async (from: string, place: string): Promise<string> => {
    isEmptied ??= rm(folder, { recursive: true, force: true });
    await isEmptied;
    const path = join(folder, place);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await copyFile(from, path, constants.COPYFILE_FICLONE);
    return path;
  };

  const forget = async (place: string): Promise<void> => {
    copies.delete(place);
    await rm(join(folder, place), { force: true });
  };

  return {
    /** @param account the account of the window; files of others are refused */
    lift: async (handle: string, account: string | null): Promise<Result<string, DragError>> => {
      const file = offered(handle);
      if (file === null) return err({ kind: 'unknown' });
      if (file.workspaceId !== account) return err({ kind: 'other-account' });
      // A file that was renamed since gets its new name.
      const place = join(handle, file.fileName);
      const known = (await isStillThere(copies.get(place))) ? copies.get(place) : undefined;
      const lifted = known ?? copy(file.path, place);
      copies.set(place, lifted);
      const oldest = copies.size > COPIES_KEPT ? copies.keys().next().value : undefined;
      if (oldest !== undefined) await forget(oldest);
      try {
        return ok(await lifted);
      } catch (error) {
        if (errorCode(error) === null) throw error;
        await forget(place);
        return err({ kind: 'unreadable' });
      }
    },
    /** Removes every copy. */
    close: async () => {
      await Promise.allSettled(copies.values());
      copies.clear();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
