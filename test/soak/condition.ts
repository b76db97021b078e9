import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How a process is at one moment, as the system tells (Linux). */
export interface Condition {
  /** Bytes in memory. */
  readonly resident: number;
  /** Open files, sockets and pipes. */
  readonly handles: number;
  readonly threads: number;
  /** Bytes of the largest write-ahead log below the data folder. */
  readonly wal: number;
}

export function conditionOf(pid: number, dataDir: string): Condition {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    resident: field('VmRSS') * 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
    wal: Math.max(0, ...logs(dataDir)),
  };
}

function logs(dataDir: string): number[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('-wal'))
    .map((name) => sizeOf(join(dataDir, name)));
}

/** A log may be gone between being listed and being looked at: then it has no size. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export interface Verdict {
  readonly what: keyof Condition;
  readonly before: number;
  readonly after: number;
  readonly most: number;
  readonly isFlat: boolean;
}

/** What the last third may have beyond the middle one, in the middle of its moments; the first third warms up. */
const MARGIN: Readonly<Record<'resident' | 'handles' | 'threads', (before: number) => number>> = {
  resident: (before) => before * 1.15 + 16 * 1024 ** 2,
  handles: (before) => before + 4,
  threads: (before) => before + 2,
};
/** Bytes. A checkpoint empties the log long before. */
const WAL_MOST = 64 * 1024 ** 2;

/** @param moments conditions at even distances */
export function verdicts(moments: readonly Condition[]): readonly Verdict[] {
  const third = Math.floor(moments.length / 3);
  const middle = moments.slice(third, 2 * third);
  const last = moments.slice(2 * third);
  const flat = (['resident', 'handles', 'threads'] as const).map((what): Verdict => {
    const [before, after] = [median(middle.map((m) => m[what])), median(last.map((m) => m[what]))];
    const most = MARGIN[what](before);
    return { what, before, after, most, isFlat: after <= most };
  });
  const wal = Math.max(...moments.map((m) => m.wal));
  return [...flat, { what: 'wal', before: 0, after: wal, most: WAL_MOST, isFlat: wal <= WAL_MOST }];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
