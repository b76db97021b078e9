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
    '## Days without a restart',
    '',
    'Each run uses one host process for days: drafts, edits, undo, lists, an import of 2,000 rows every tenth day, and a sync',
    'with a backup each day. It is measured each morning. *In use* is what the heaps of all threads hold after garbage',
    'collection. *Own* is what the process has for itself: heaps, stacks and library memory. *Resident* is what the system',
    'counted just before, including garbage and the pages of the runtime; it is shown, not checked. The second half of a run is',
    'checked: the medians of its two quarters, and the slope of *own* (Theil-Sen) with its 95% bounds. The simulated service',
    'runs in another process, like a real one.',
    '',
    `| ${HEAD.join(' | ')} |`,
    `| ${HEAD.map(() => '---').join(' | ')} |`,
    ...runs.map((run) => `| ${rowOf(run).join(' | ')} |`),
    '',
    `A value is flat if it grows, with 97.5% confidence, by less than ${perHour.live / MB} MB in use, ${perHour.own / MB} MB own, ${perHour.handles} handle, ${perHour.threads} threads and ${perHour.timers} timer per hour.`,
    `A run of less than two hours is still warming up: it may grow by ${inShortRun.live / MB} MB in use and ${inShortRun.own / MB} MB own in total. *Not shown* means`,
    `that the run was too short. The log may have ${wal / MB} MB. The account grows as well: by a campaign, a hundred edits and a sync a day.`,
    'Runs without values in use and own were measured from outside: their resident memory was checked instead.',
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
