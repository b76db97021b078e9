import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How a host is at one moment: as the system tells of its process (Linux), and what its threads say of themselves. */
export interface Condition {
  /** Bytes in memory. */
  readonly resident: number;
  /** Open files, sockets and pipes. */
  readonly handles: number;
  readonly threads: number;
  /** Timers that are set, over all threads. */
  readonly timers: number;
  /** Bytes of the largest write-ahead log below the data folder. */
  readonly wal: number;
}

/** @param insideDir where the threads of the host write what they see, see `inside.mjs` */
export function conditionOf(pid: number, dataDir: string, insideDir: string): Condition {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    resident: field('VmRSS') * 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
    timers: timersIn(insideDir),
    wal: largestLog(dataDir),
  };
}

/** Bytes of the largest write-ahead log below a folder. */
export function largestLog(dataDir: string): number {
  const logs = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-wal'));
  return Math.max(0, ...logs.map((name) => sizeOf(join(dataDir, name))));
}

/** A log may be gone between being listed and being looked at: then it has no size. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** What a thread wrote longer ago than this it does not write any more: it has ended. */
const SILENT_MS = 15_000;

function timersIn(insideDir: string): number {
  const alive = readdirSync(insideDir)
    // A part is being written; it may be gone when it is looked at.
    .filter((name) => !name.endsWith('.part'))
    .map((name) => join(insideDir, name))
    .filter((path) => Date.now() - statSync(path).mtimeMs < SILENT_MS);
  return alive.reduce((sum, path) => sum + Number(readFileSync(path, 'utf8')), 0);
}
