import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../shared/result.ts';
import type { NotWritable, Workspace } from '../workspace/port.ts';

/**
 * Backups of one workspace, named by reason and time. Those that the program makes by itself are kept by number;
 * those the user asked for are kept until the user removes them.
 */
export type BackupReason = 'before-import' | 'by-hand';

const KEPT = { 'before-import': 5, 'by-hand': Number.POSITIVE_INFINITY } as const;
const SUFFIX = '.adslate-backup';

/** @returns the path of the new backup */
export async function backUpInto(
  folder: string,
  workspace: Workspace,
  reason: BackupReason,
  nowMs: number,
): Promise<Result<string, NotWritable>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(nowMs).toISOString().replace(/[:.]/g, '-');
  const file = join(folder, `${reason}-${stamp}${SUFFIX}`);
  const done = await workspace.backup(file);
  if (!done.ok) return done;
  // Names sort by time, so the oldest come first; the one just proven is never among them.
  const same = (await readdir(folder)).filter((name) => name.startsWith(`${reason}-`) && name.endsWith(SUFFIX)).sort();
  for (const name of same.slice(0, Math.max(0, same.length - KEPT[reason])))
    await rm(join(folder, name), { force: true });
  return ok(file);
}
