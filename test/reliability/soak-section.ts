import { existsSync, readdirSync } from 'node:fs';
import { LIMITS, type Verdict } from '../soak/verdicts.ts';
import { RESULTS, readResult } from './results.ts';

/** The long desks of `npm run test:soak`, one line a run. */
interface Soak {
  /** Where the simulated service ran: in the host's process, as a user has it, or in one of its own. */
  readonly service?: 'within' | 'outside';
  readonly minutes: number;
  readonly days: number;
  readonly edits: number;
  readonly sent: number;
  readonly verdicts: readonly Verdict[];
}

const MB = 1024 ** 2;
const HEAD = [
  'service',
  'minutes',
  'days',
  'edits',
  'sent',
  'in use, MB',
  'own, MB',
  'MB per hour',
  'resident, MB',
  'handles',
  'threads',
  'timers',
  'largest log, MB',
];
const OUTCOMES = { flat: '', grows: ', grows', unshown: ', not shown', told: '' } as const;

export function soakSection(): readonly string[] {
  if (!existsSync(RESULTS)) return [];
  const runs = readdirSync(RESULTS)
    .filter((name) => name.startsWith('soak-'))
    .map((name) => readResult(name.replace('.json', '')) as Soak)
    .toSorted((one, other) => one.minutes - other.minutes);
  if (runs.length === 0) return [];
  const { perHour, inShortRun, wal } = LIMITS;
  return [
    '## A desk that is never closed',
    '',
    'Days of work on a host in a process of its own: drafts, edits, undo, lists, a sheet of 2,000 rows every tenth day, a sync',
    'with its backup each day. It is looked at each morning. *In use* is what the heaps of all threads hold once their garbage',
    'is collected; *own* is what the process then has for itself (heaps, stacks, what libraries allocate); *resident* is',
    'what the system counted just before, garbage and the pages of the runtime among it, and is told, not judged. The second',
    'half of a run is judged: medians of the third quarter and of the last, and the slope of own (Theil-Sen) with the bounds that',
    'hold it with 95 %. The simulated service runs in a process of its own, as a real one does.',
    '',
    `| ${HEAD.join(' | ')} |`,
    `| ${HEAD.map(() => '---').join(' | ')} |`,
    ...runs.map((run) => `| ${rowOf(run).join(' | ')} |`),
    '',
    `Flat is what grows with 97.5 % by less than ${perHour.live / MB} MB in use, ${perHour.own / MB} MB of its own, ${perHour.handles} handle, ${perHour.threads} threads and ${perHour.timers} timer an hour`,
    `(a run of less than two hours still warms up: by ${inShortRun.live / MB} MB in use and ${inShortRun.own / MB} MB of its own in all); not shown is what a run was`,
    `too short for. The log may have ${wal / MB} MB. The account grows as well: by a campaign, a hundred edits and a sync a day.`,
    'Runs without figures in use and own were looked at from outside only: of them resident memory was judged, by',
    'as much an hour as own now.',
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
  const judged = verdicts.find(({ what }) => what === 'own') ?? verdicts.find(({ what }) => what === 'resident');
  const slope = judged?.perHour;
  const megabytes = (bytes: number): string => (bytes / MB).toFixed(1);
  const log = verdicts.find(({ what }) => what === 'wal');
  return [
    service ?? 'within',
    ...[minutes, days, edits, sent].map((figure) => figure.toLocaleString('en-US')),
    ...[of('live', MB), of('own', MB)],
    slope == null ? '-' : `${megabytes(slope.slope)} (${megabytes(slope.low)} to ${megabytes(slope.high)})`,
    ...[of('resident', MB), of('handles'), of('threads'), of('timers')],
    megabytes(log?.most ?? 0),
  ];
}
