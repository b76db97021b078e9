import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** How a host is at one moment: as the system tells of its process (Linux), and what its threads say of themselves. */
export interface Condition {
  /** Bytes in use in the heaps of all threads once garbage is gone, with what hangs on them outside (buffers). */
  readonly live: number;
  /** Bytes in memory that the host then has for itself: heaps, stacks, what libraries have in use. */
  readonly own: number;
  /** Bytes in memory in all: `own`, and pages of files, most of them the runtime's code, which the system fetches and drops. */
  readonly resident: number;
  /** Open files, sockets and pipes. */
  readonly handles: number;
  readonly threads: number;
  /** Timers that are set, over all threads. */
  readonly timers: number;
  /** Bytes of the largest write-ahead log below the data folder. */
  readonly wal: number;
}

/** What a thread of the host writes of itself. */
interface Inside {
  readonly timers: number;
  readonly live: number;
}

/**
 * Memory as a user has it first, with its garbage; then the threads are asked, each of which collects it, and the C
 * library gives back what is free in its pools; then the rest.
 *
 * @param insideDir where the threads of the host write what they see, see `inside.mjs`
 */
export async function conditionOf(pid: number, dataDir: string, insideDir: string): Promise<Condition> {
  const before = statusOf(pid);
  const inside = await askThreads(pid, insideDir);
  trimPools(pid);
  const after = statusOf(pid);
  return {
    live: sum(inside.map(({ live }) => live)),
    own: (after('RssAnon') + after('RssShmem')) * 1024,
    resident: before('VmRSS') * 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: after('Threads'),
    timers: sum(inside.map(({ timers }) => timers)),
    wal: largestLog(dataDir),
  };
}

function statusOf(pid: number): (field: string) => number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
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

/**
 * The pools of the C library hold 10 to 20 MB that are free, in pieces between what is in use, and how many is chance.
 * Nothing in JavaScript reaches `malloc_trim`, so a debugger calls it; the host stands still for half a second.
 */
function trimPools(pid: number): void {
  const call = ['-p', String(pid), '-batch', '-nx', '-ex', 'set auto-solib-add off', '-ex', 'call (int)malloc_trim(0)'];
  const { error, status, stderr } = spawnSync('gdb', call, { encoding: 'utf8' });
  if (error !== undefined) throw new Error('A soak needs gdb (apt-get install gdb).', { cause: error });
  if (status !== 0) throw new Error(`gdb did not get at the host: ${stderr}`);
}

/** When no other thread has answered for this long, all have: a collection takes some 50 ms. */
const QUIET_MS = 1500;

async function askThreads(pid: number, insideDir: string): Promise<readonly Inside[]> {
  for (const name of readdirSync(insideDir)) rmSync(join(insideDir, name), { force: true });
  process.kill(pid, 'SIGUSR2');
  let before = 0;
  for (let now = 0; now === 0 || now > before; now = answers(insideDir).length) {
    before = now;
    await wait(QUIET_MS);
  }
  return answers(insideDir).map((path) => JSON.parse(readFileSync(path, 'utf8')) as Inside);
}

/** A part is still being written. */
function answers(insideDir: string): readonly string[] {
  return readdirSync(insideDir)
    .filter((name) => !name.endsWith('.part'))
    .map((name) => join(insideDir, name));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
