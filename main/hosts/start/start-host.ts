import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { freeName, SAMPLE_NAME } from '../../../shared/api/choices.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Core } from '../../app/core.ts';
import type { PreferencesPort } from '../../app/core-types.ts';
import { makeDataFolder } from '../../app/data-folder.ts';
import type { Log } from '../../app/log.ts';
import { takeLock } from '../../store/lock.ts';
import { notWritableFrom } from '../../store/not-writable.ts';
import type { StartOptions } from './start-options.ts';

/** Exit codes of a host with a window; the command line (`cli-error.ts`) gives them the same meaning. */
export const EXIT = { failed: 1, usage: 2, folderLocked: 5 } as const;

/** Keeps a second window off the data folder for as long as this process lives. */
export interface DataFolderLock {
  release(): void;
}

/**
 * @param nowMs written down beside the lock, so that the second host can be told since when it is held
 * @returns a sentence for the user when another process holds the folder
 */
export function lockDataFolder(dataDir: string, nowMs: number): Result<DataFolderLock, { readonly message: string }> {
  makeDataFolder(dataDir);
  const taken = unlessRefused(() => takeLock(join(dataDir, 'window'), nowMs));
  // Nobody can keep others off a folder that cannot be written, and nobody needs to: it is looked at.
  if (taken === null) return ok({ release: () => undefined });
  if (taken.ok) {
    // Bytes that a page handed to a run that was killed, and files it was to save; the next run has no use for them.
    for (const left of ['spool', 'exports'])
      unlessRefused(() => rmSync(join(dataDir, left), { recursive: true, force: true }));
    return ok(taken.value);
  }
  return err({
    message: `Adslate is already open with the data folder ${dataDir} (${taken.error.detail}). Use that window, or start with --data and another folder.`,
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
 * what helps.
 *
 * @param end shows the sentence and ends the process; called once, also where ending fails in turn
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
  // Node makes these an exception, Electron a mere warning.
  process.on('unhandledRejection', onDefect);
}

/**
 * Makes the window open on the practice or sample account that was asked for, adding one when there is none. A practice
 * service that does not start is no reason to show no window: the window then shows its welcome, where the same can be tried again.
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
