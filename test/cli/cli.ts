import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import { runCli } from '../../main/hosts/cli/run.ts';

/** One run of the command line on a data folder, inside this process. */
export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Waits are over at once and count as time that has passed, so that back-off and settling cost a test nothing. It runs
 * ahead of the machine's clock, which the client has to cope with anyway.
 */
export function impatientClock(): Clock {
  let aheadMs = 0;
  return {
    nowMs: () => systemClock.nowMs() + aheadMs,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    sleep: async (delayMs, signal) => {
      aheadMs += delayMs;
      await systemClock.sleep(Math.min(delayMs, 5), signal);
    },
  };
}

export async function cli(dataDir: string, ...args: readonly string[]): Promise<CliRun> {
  let out = '';
  let err = '';
  const streams = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const code = await runCli([...args, '--data', dataDir], streams, { clock: impatientClock() });
  return { code, out, err };
}

/** The same with `--json`, whose one object is read. */
export async function cliJson<T extends z.ZodType>(
  shape: T,
  dataDir: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly json: z.infer<T> }> {
  const { code, out } = await cli(dataDir, ...args, '--json');
  return { code, json: shape.parse(JSON.parse(out)) };
}

/** A folder that is removed at the end of the process's test file by the returned function. */
export function temporaryFolder(name: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `adslate-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const Problem = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
