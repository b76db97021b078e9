import { existsSync, readdirSync } from 'node:fs';
import { RESULTS, readResult } from './results.ts';

/** The long desks of `npm run test:soak`, one line a run: the middle third of each against its last. */
interface Soak {
  readonly minutes: number;
  readonly days: number;
  readonly edits: number;
  readonly syncs: number;
  readonly verdicts: readonly Verdict[];
}

interface Verdict {
  readonly what: string;
  readonly before: number;
  readonly after: number;
  readonly isFlat: boolean;
}

const HEAD = ['minutes', 'days', 'edits', 'refreshes', 'memory, MB', 'handles', 'threads', 'largest log, MB'];

const NOT_FLAT =
  'What is not flat grew by more than 15 % and 16 MB. The account grew as well, by a campaign and a hundred edits a day. ' +
  'In a repetition by hand, 240 days in two minutes, the JavaScript heaps of all four threads were as large after the last ' +
  'days as after the first (16 to 52 MB each), so what grew lies outside of them: with the databases and the allocator. ' +
  'It grew less and less, and whether it ends is not shown.';

export function soakSection(): readonly string[] {
  if (!existsSync(RESULTS)) return [];
  const names = readdirSync(RESULTS).filter((name) => name.startsWith('soak-'));
  if (names.length === 0) return [];
  const runs = names
    .map((name) => readResult(name.replace('.json', '')) as Soak)
    .toSorted((one, other) => one.minutes - other.minutes);
  const rows = runs.map((run) => `| ${rowOf(run).join(' | ')} |`);
  return [
    '## A desk that is never closed',
    '',
    'Days of drafting on a host in a process of its own, looked at from outside. Each figure is the median of the middle third',
    'of the run and of its last third: what leaks would grow between them.',
    '',
    `| ${HEAD.join(' | ')} |`,
    `| ${HEAD.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
    ...(runs.some(({ verdicts }) => verdicts.some(({ isFlat }) => !isFlat)) ? [NOT_FLAT, ''] : []),
  ];
}

function rowOf({ minutes, days, edits, syncs, verdicts }: Soak): readonly string[] {
  const of = (what: string, unit: number): string => {
    const found = verdicts.find((verdict) => verdict.what === what);
    if (found === undefined) return '-';
    const figures = `${Math.round(found.before / unit)} → ${Math.round(found.after / unit)}`;
    return found.isFlat ? figures : `**${figures}, not flat**`;
  };
  const log = verdicts.find(({ what }) => what === 'wal')?.after ?? 0;
  return [
    ...[minutes, days, edits, syncs].map((figure) => figure.toLocaleString('en-US')),
    of('resident', 1024 ** 2),
    of('handles', 1),
    of('threads', 1),
    (log / 1024 ** 2).toFixed(1),
  ];
}
