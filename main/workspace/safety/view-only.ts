import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import { nullIfMissing } from '../../null-if-missing.ts';
import { notWritableFrom } from '../not-writable.ts';
import { type OpenWorkspaceOptions, openWorkspace } from '../open.ts';
import type { NotWritable, Workspace } from '../port.ts';

/**
 * Opens a workspace that may be looked at but not written: it lies in a folder without write access, or a newer
 * Adslate made it. What is opened is a copy in a temporary folder, so everything that reads works as always; edits
 * are refused with the reason, and the copy goes when the workspace is closed.
 *
 * A database in write-ahead mode cannot be opened in place without write access, hence the copy.
 */
export async function openForViewing(
  options: OpenWorkspaceOptions,
  why: NotWritable,
): Promise<Result<{ readonly workspace: Workspace; readonly folder: string }, NotWritable>> {
  const folder = await mkdtemp(join(tmpdir(), 'adslate-view-'));
  let isOpen = false;
  try {
    const file = join(folder, 'workspace.db');
    await copyFile(options.file, file);
    await copyIfThere(`${options.file}-wal`, `${file}-wal`);
    const opened = await openWorkspace({ ...options, file, mustExist: true, viewing: true });
    if (!opened.ok) return opened;
    isOpen = true;
    return ok({ workspace: refusingEdits(opened.value, why, folder), folder });
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

function refusingEdits(workspace: Workspace, why: NotWritable, folder: string): Workspace {
  const refuse = async () => err(why);
  return {
    ...workspace,
    apply: refuse,
    applyStaged: refuse,
    applyTool: refuse,
    applyPaste: refuse,
    revert: refuse,
    hold: refuse,
    note: refuse,
    restore: refuse,
    undo: refuse,
    redo: refuse,
    close: async () => {
      await workspace.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch(nullIfMissing);
}
