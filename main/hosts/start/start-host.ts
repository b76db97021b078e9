import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { freeName, SAMPLE_NAME } from '../../../shared/api/choices.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { makeDataFolder } from '../../app/data-folder.ts';
import type { PreferencesPort } from '../../app/host-ports.ts';
import type { Log } from '../../app/log.ts';
import type { Core } from '../../core/core.ts';
import { takeLock } from '../../store/lock.ts';
import { notWritableFrom } from '../../store/not-writable.ts';
import type { StartOptions } from './start-options.ts';

/** Exit codes of a host with a window; the command line (`cli-error.ts`) gives them the same meaning. */
export const EXIT = { failed: 1, usage: 2, folderLocked: 5 } as const;

/** Prevents a second window on the data folder until this process ends. */
export interface DataFolderLock {
  release(): void;
}

/**
 * @param nowMs stored with the lock, so that a second host can report since when it is held
 * @returns a sentence for the user when another process holds the lock
 */
export function lockDataFolder(dataDir: string, nowMs: number): Result<DataFolderLock, { readonly message: string }> {
  makeDataFolder(dataDir);
  const taken = unlessRefused(() => takeLock(join(dataDir, 'window'), nowMs));
  // A folder that can't be written can't be locked and needs no lock: it is view-only.
  if (taken === null) return ok({ release: () => undefined });
  if (taken.ok) {
    // Uploaded bytes and unfinished exports of a killed process; the next one does not use them.
    for (const left of ['spool', 'exports'])
      unlessRefused(() => rmSync(join(dataDir, left), { recursive: true, force: true }));
    return ok(taken.value);
  }
  return err({
    message: `Adslate is already open with the data folder ${dataDir} (${taken.error.data.detail}). Use that window, or start with --data and another folder.`,
  });
}

/** Null where nothing can be written. */
function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (notWritableFrom(error) === null) throw error;
    return null;
  }
}

/**
 * Handles an uncaught error: logs it, shows a sentence and ends the process, because its state is unknown.
 * Acknowledged edits are on disk, and the next start recovers as after a crash. The user sees no stack; the log has
 * the details.
 *
 * @param end shows the sentence and ends the process; called once, even if ending fails too
 */
export function exitOnFatalError(log: Log, end: (sentence: string) => void): void {
  let isEnding = false;
  const onDefect = (error: unknown): void => {
    if (isEnding) return;
    isEnding = true;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
    log('unexpected failure', { operation: 'host', error: what });
    end(`Adslate has to close because of an internal error (${what}). Your edits are saved. Start Adslate again.`);
  };
  process.on('uncaughtException', onDefect);
  // Node turns these into an exception, Electron only into a warning.
  process.on('unhandledRejection', onDefect);
}

/**
 * Opens the window on the practice or sample account of the options, and adds one if there is none. If the practice
 * service does not start, the window shows its welcome screen, where the user can try again.
 */
export async function openWantedAccount(
  wanted: Pick<StartOptions, 'practice' | 'sample'>,
  core: Core,
  preferences: PreferencesPort,
  log: Log,
): Promise<void> {
  if (!wanted.practice && !wanted.sample) return;
  const { accounts } = createRouterClient(core.router);
  const known = await accounts.list();
  const there = known.find(({ practice, isSample }) => practice && isSample === wanted.sample);
  const free = (name: string) => ({
    name: freeName(
      name,
      known.map((account) => account.name),
    ),
  });
  try {
    const add = () => (wanted.sample ? accounts.addSample(free(SAMPLE_NAME)) : accounts.addPractice(free('Practice')));
    const { workspaceId } = there ?? (await add());
    preferences.set({ lastWorkspaceId: workspaceId });
  } catch (error) {
    log('practice unavailable', { error: error instanceof Error ? error.message : 'not an error' });
  }
}
