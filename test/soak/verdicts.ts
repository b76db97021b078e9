import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A slope with the bounds between which it lies, per unit of time. */
interface Trend {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** Of the standard normal distribution: both bounds hold with 95 %. */
const Z = 1.96;

/**
 * The Theil-Sen slope of values over time, the median of the slopes of all pairs, with the bounds that Sen takes from
 * the variance of Kendall's statistic, ties counted. A collection of garbage or a burst moves a mean; it moves this by
 * a rank. With a few values the bounds are far apart, as they should be.
 *
 * @param values at even distances, at least three
 * @param every time between two of them
 */
export function trendOf(values: readonly number[], every: number): Trend {
  const slopes: number[] = [];
  for (const [i, first] of values.entries()) {
    for (const [ahead, second] of values.slice(i + 1).entries()) slopes.push((second - first) / ((ahead + 1) * every));
  }
  slopes.sort((one, other) => one - other);
  const spread = Z * Math.sqrt(kendallVariance(values));
  const rank = (at: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(at)))] ?? Number.NaN;
  const middle = (slopes.length - 1) / 2;
  return {
    slope: (rank(Math.floor(middle)) + rank(Math.ceil(middle))) / 2,
    low: rank(middle - spread / 2),
    high: rank(middle + spread / 2),
  };
}

/** Variance of the number of rising pairs less the falling ones, where nothing but chance orders the values. */
function kendallVariance(values: readonly number[]): number {
  const term = (n: number): number => n * (n - 1) * (2 * n + 5);
  const ties = [...Map.groupBy(values, (value) => value).values()].reduce((sum, same) => sum + term(same.length), 0);
  return (term(values.length) - ties) / 18;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

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

const MB = 1024 ** 2;
const HOUR_MS = 3_600_000;

/**
 * The limits of a soak. Per hour: what the second half of a run may grow by; the first half warms up (the compiled
 * code, the caches of pages and statements, the young generation of each thread).
 */
export const LIMITS = {
  perHour: { live: 4 * MB, own: 8 * MB, handles: 1, threads: 0.5, timers: 1 },
  /** In all, over the second half of a run of less than two hours, for which warming up is not over by then. */
  inShortRun: { live: 2 * MB, own: 8 * MB, handles: 0, threads: 0, timers: 0 },
  /** Bytes, at any moment. */
  wal: 16 * MB,
} as const;

type Growing = keyof typeof LIMITS.perHour;

/**
 * What a run has shown of one figure:
 *
 *   flat      grows by less than the limit, with 97.5 %
 *   grows     by more than the limit, with 97.5 %
 *   unshown   the limit lies between the bounds: the run was too short for its noise
 *   told      not judged: what the system keeps in memory at the moment, garbage and pages of files among it
 */
export type Outcome = 'flat' | 'grows' | 'unshown' | 'told';

export interface Verdict {
  readonly what: keyof Condition;
  /** Medians of the third quarter and the last. */
  readonly before: number;
  readonly after: number;
  readonly most: number;
  /** Per hour, over the second half; null for what is bounded and not to be flat. */
  readonly perHour: Trend | null;
  readonly outcome: Outcome;
}

/**
 * @param moments conditions at even distances, at least eight
 * @param everyMs the distance
 * @param peakLog bytes of the largest log seen, between moments as well
 */
export function verdicts(moments: readonly Condition[], everyMs: number, peakLog: number): readonly Verdict[] {
  const half = moments.slice(Math.floor(moments.length / 2));
  const quarter = Math.floor(half.length / 2);
  const told = (what: keyof Condition): Verdict => {
    const values = half.map((moment) => moment[what]);
    return {
      what,
      before: medianOf(values.slice(0, quarter)),
      after: medianOf(values.slice(quarter)),
      most: Math.max(...moments.map((moment) => moment[what])),
      perHour: trendOf(values, everyMs / HOUR_MS),
      outcome: 'told',
    };
  };
  const judged = (what: Growing): Verdict => {
    const found = told(what);
    const limit = Math.max(LIMITS.perHour[what], (LIMITS.inShortRun[what] * HOUR_MS) / (half.length * everyMs));
    return { ...found, outcome: found.perHour === null ? 'unshown' : outcomeOf(found.perHour, limit) };
  };
  const growing = (Object.keys(LIMITS.perHour) as Growing[]).map(judged);
  const wal = Math.max(peakLog, ...moments.map((moment) => moment.wal));
  const outcome = wal <= LIMITS.wal ? 'flat' : 'grows';
  return [...growing, told('resident'), { what: 'wal', before: 0, after: wal, most: wal, perHour: null, outcome }];
}

function outcomeOf({ low, high }: Trend, limit: number): Outcome {
  if (high <= limit) return 'flat';
  return low > limit ? 'grows' : 'unshown';
}
