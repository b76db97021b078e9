import { existsSync, readdirSync } from 'node:fs';
import type { LIMITS, Verdict } from '../soak/verdicts.ts';
import { RESULTS, readResult } from './results.ts';

/** The long desks of `npm run test:soak`, one line a run. */
interface Soak {
  /** Where the simulated service ran: in the host's process, as a user has it, or in one of its own. */
  readonly service?: 'within' | 'outside';
  readonly minutes: number;
  readonly days: number;
  readonly edits: number;
  readonly sent: number;
  readonly limits: typeof LIMITS;
  readonly verdicts: readonly Verdict[];
}

const MB = 1024 ** 2;
const HEAD = [
  'service',
  'minutes',
  'days',
  'edits',
  'sent',
  'memory, MB',
  'MB per hour',
  'handles',
  'threads',
  'timers',
  'largest log, MB',
];
const OUTCOMES = { flat: '', grows: ', grows', unshown: ', not shown' } as const;

export function soakSection(): readonly string[] {
  if (!existsSync(RESULTS)) return [];
  const runs = readdirSync(RESULTS)
    .filter((name) => name.startsWith('soak-'))
    .map((name) => readResult(name.replace('.json', '')) as Soak)
    .toSorted((one, other) => one.minutes - other.minutes);
  const limits = runs.at(-1)?.limits;
  if (limits === undefined) return [];
  const { perHour } = limits;
  return [
    '## A desk that is never closed',
    '',
    'Days of work on a host in a process of its own, looked at from outside: drafts, edits, undo, lists, a sheet of 2,000 rows',
    'every tenth day, a sync with its backup each day. The second half of a run is judged: medians of the third quarter and of',
    'the last, and the slope of memory (Theil-Sen) with the bounds that hold it with 95 %. The simulated service runs in a',
    'process of its own (outside), as a real one does, or in the host (within), as that of a practice account does.',
    '',
    `| ${HEAD.join(' | ')} |`,
    `| ${HEAD.map(() => '---').join(' | ')} |`,
    ...runs.map((run) => `| ${rowOf(run).join(' | ')} |`),
    '',
    `Flat is what grows with 97.5 % by less than ${perHour.resident / MB} MB, ${perHour.handles} handle, ${perHour.threads} threads and ${perHour.timers} timer an hour (a run of less`,
    'than two hours still warms up: by that much memory in all); not shown is what a run was too short for. The log may have',
    `${limits.wal / MB} MB; a single step that rewrites more than that makes a larger one, until it is done. The account grows as well; a`,
    'service within the host keeps its last 10,000 calls there.',
    '',
  ];
}

function rowOf({ service, minutes, days, edits, sent, verdicts }: Soak): readonly string[] {
  const of = (what: Verdict['what'], unit = 1): string => {
    const found = verdicts.find((verdict) => verdict.what === what);
    if (found === undefined) return '-';
    const figures = `${Math.round(found.before / unit)} → ${Math.round(found.after / unit)}${OUTCOMES[found.outcome]}`;
    return found.outcome === 'grows' ? `**${figures}**` : figures;
  };
  const slope = verdicts.find(({ what }) => what === 'resident')?.perHour;
  const megabytes = (bytes: number): string => (bytes / MB).toFixed(1);
  const log = verdicts.find(({ what }) => what === 'wal');
  return [
    service ?? 'within',
    ...[minutes, days, edits, sent].map((figure) => figure.toLocaleString('en-US')),
    of('resident', MB),
    slope == null ? '-' : `${megabytes(slope.slope)} (${megabytes(slope.low)} to ${megabytes(slope.high)})`,
    ...[of('handles'), of('threads'), of('timers')],
    megabytes(log?.most ?? 0),
  ];
}
