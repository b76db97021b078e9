import { chmod, copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import { nullIfNotFound } from '../../app/atomic-write.ts';
import { notWritableFrom } from '../not-writable.ts';
import type { Workspace } from '../store.ts';
import { type OpenWorkspaceOptions, openWorkspace } from '../store.ts';
import type { NotWritable } from '../types.ts';

/**
 * Opens a workspace that may be looked at but not written: it lies in a folder without write access, or a newer
 * Adslate made it. What is opened is a copy in a temporary folder, so everything that reads works as always; edits
 * are refused with the reason, and the copy goes when the workspace is closed.
 *
 * A database in write-ahead mode cannot be opened in place without write access, hence the copy.
 */
export async function openReadOnly(
  options: OpenWorkspaceOptions,
  why: NotWritable,
): Promise<Result<{ readonly workspace: Workspace; readonly folder: string }, NotWritable>> {
  const folder = await mkdtemp(join(tmpdir(), 'adslate-view-'));
  let isOpen = false;
  try {
    const file = join(folder, 'workspace.db');
    if (!(await copyAtRest(options.file, file)))
      return err({ kind: 'not-writable', why: 'busy-elsewhere', detail: '' });
    const closed = () => rm(folder, { recursive: true, force: true });
    const opened = await openWorkspace({ ...options, file, mustExist: true, viewing: why, closed });
    if (!opened.ok) return opened;
    isOpen = true;
    return ok({ workspace: opened.value, folder });
  } catch (error) {
    const refusal = notWritableFrom(error);
    if (refusal !== null) return err(refusal);
    // Not even readable: the first refusal tells more than the failed attempt to get around it.
    if (error instanceof Error && 'code' in error) return err(why);
    throw error;
  } finally {
    if (!isOpen) await rm(folder, { recursive: true, force: true });
  }
}

/** So often a file is copied that somebody else, who may write it, changes meanwhile. */
const TRIES = 5;

/** Copies a database with its log as they were at one moment. False when they did not rest for as long as that takes. */
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

/** The copy is ours to write, also one of a file that can only be read. */
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
