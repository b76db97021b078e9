import { constants } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { CoreDoors } from '../../app/core-types.ts';

/**
 * Files of a window on their way to the desktop, a mail or a chat. What leaves is a copy under its proper name: the
 * library keeps files by their hash, and whoever receives one may move it or write into it.
 *
 *   pointer goes down --lift--> copied --drag begins--> the system carries it
 *                                  \--20 others were lifted since--> removed
 */
export interface DragOut {
  /** @param account the one that the asking window shows; files of others stay where they are */
  lift(handle: string, account: string | null): Promise<Result<string, DragError>>;
  /** Removes every copy. */
  close(): Promise<void>;
}

export interface DragError {
  readonly kind: 'unknown' | 'other-account' | 'unreadable';
}

/** Copies that are kept: a chat may still be reading one long after it was dropped. */
const KEPT = 20;

/** @param folder where copies lie; whatever is there of an earlier life is removed with the first one */
export function createDragOut(folder: string, offered: CoreDoors['offered']): DragOut {
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
    lift: async (handle, account) => {
      const file = offered(handle);
      if (file === null) return err({ kind: 'unknown' });
      if (file.workspaceId !== account) return err({ kind: 'other-account' });
      // A file that was renamed since leaves under its new name.
      const place = join(handle, file.fileName);
      const lifted = copies.get(place) ?? copy(file.path, place);
      copies.set(place, lifted);
      const oldest = copies.size > KEPT ? copies.keys().next().value : undefined;
      if (oldest !== undefined) await forget(oldest);
      try {
        return ok(await lifted);
      } catch (error) {
        if (!isOfTheDisk(error)) throw error;
        await forget(place);
        return err({ kind: 'unreadable' });
      }
    },
    close: async () => {
      await Promise.allSettled(copies.values());
      copies.clear();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const isOfTheDisk = (error: unknown): boolean => error instanceof Error && 'code' in error;
