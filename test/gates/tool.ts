import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export interface ToolRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly output: string;
}

/** Runs a tool of the development packages and waits for its end. */
export function runTool(tool: string, args: readonly string[], folder: string = root): ToolRun {
  const done = spawnSync(join(root, 'node_modules', '.bin', tool), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (done.error !== undefined) throw done.error;
  return { status: done.status, stdout: done.stdout, output: done.stdout + done.stderr };
}
