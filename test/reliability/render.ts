import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULTS, readResult } from './results.ts';
import { soakSection } from './soak-section.ts';

/** Writes RELIABILITY.md from the results that the long runs left: every figure in it comes out of a run. */
type Figures = Readonly<Record<string, unknown>>;
const ROOT = join(import.meta.dirname, '../..');
export const PAGE = join(ROOT, 'RELIABILITY.md');

const read = (name: string): Figures | null =>
  existsSync(join(RESULTS, `${name}.json`)) ? (readResult(name) as Figures) : null;
/** Results of the runs of one sort. */
const resultsOf = (start: string): readonly Figures[] =>
  readdirSync(RESULTS)
    .filter((name) => name.startsWith(start))
    .map((name) => readResult(name.replace('.json', '')) as Figures);
const sumOf = (runs: readonly Figures[], name: string): number =>
  runs.reduce((total, one) => total + Number(one[name] ?? 0), 0);
const count = (value: unknown): string => Number(value).toLocaleString('en-US');

export function renderReliability(): string {
  return `${[INTRODUCTION, simulation(), schedules(), mutants(), kills(), storeKills(), uploads(), shares(), soakSection(), LIMITS].flat().join('\n')}\n`;
}

const INTRODUCTION = `# Reliability

What was tried to make a sync lose an edit, send something twice or mix up ids, and what came of it. This page is
written by \`npm run reliability\` from the files in \`test/reliability/results\`, which the runs wrote themselves. How the
protocol works stands in [main/sync/README.md](main/sync/README.md), how it is tried in [test/README.md](test/README.md).
`;

const LIMITS = `## What this does not show

- Zero failures in N independent runs bound the true rate below 3 / N (95 %), for the faults the runs know.
- A service that carries a request out after the settle window of two minutes, or whose lists overlook a thing for longer,
  can still make a duplicate. It is told about afterwards.
- Killing a process does not try the disk's own promises; a disk that confirms what it has not kept is tried in the
  simulation alone.`;

function table(head: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] {
  const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

function simulation(): readonly string[] {
  const runs = resultsOf('simulation').toSorted((a, b) => Number(a['seed']) - Number(b['seed']));
  if (runs.length === 0) return [];
  const rows = runs.map((one) =>
    [one['runs'], one['seed'], one['seconds'], one['requests'], one['faults'], one['crashes'], one['pauses']]
      .concat([one['fullDisks'], one['questions'], one['violations']])
      .map(count),
  );
  const head = ['lives', 'first seed', 'seconds', 'requests', 'faults', 'crashes', 'pauses', 'full disks', 'questions'];
  const all = count(runs.reduce((sum, one) => sum + Number(one['runs']), 0));
  return ['## Simulated lives', '', `${all} lives.`, '', ...table([...head, 'broken promises'], rows)];
}

function schedules(): readonly string[] {
  const one = read('schedules');
  if (one === null) return [];
  const row = [one['singles'], one['pairs'], one['withFault'], one['crashes'], one['failed'] === null ? 0 : 1];
  return [
    '## Every crash point of one draft',
    '',
    ...table(['single crashes', 'pairs', 'with a fault besides', 'deaths', 'broken promises'], [row.map(count)]),
  ];
}

function mutants(): readonly string[] {
  const one = read('protocol-mutants');
  if (one === null) return [];
  const results = one['results'] as readonly Figures[];
  const rows = results.map(({ name, takesAway, life }) => [
    name,
    takesAway,
    life === null ? '**not noticed**' : count(life),
  ]);
  return [
    '## Promises taken away',
    '',
    `${count(one['caught'])} of ${count(one['of'])} faults planted in the protocol were noticed.`,
    '',
    ...table(['without', 'so that', 'noticed by the life with seed'], rows),
  ];
}

const HIDDEN = `Its ad group was on the service, its answer was lost, and the group was sent again, which
the service refused. The faults of these runs can make a list leave its last thing out twice in a row, which proves an
absence wrongly; played on purpose, that ends in the very same refusal. An ad group is taken over by its name now, since a
campaign takes one only.`;

const SUMMED = ['kills', 'working', 'announcing', 'opening', 'edits', 'made', 'faults', 'requests', 'questions'];
const BAD = ['lost', 'twice', 'wrongIds', 'unsettled'];

function kills(): readonly string[] {
  const runs = resultsOf('sync-kills');
  if (runs.length === 0) return [];
  const [miscounted, hidden] = [sumOf(runs, 'miscounted'), sumOf(runs, 'hidden')];
  return [
    '## `kill -9` in the middle of a sync, against the sandbox over HTTP with faults',
    '',
    ...table(
      [...SUMMED, ...BAD],
      runs.map((run) => [...SUMMED, ...BAD].map((name) => count(sumOf([run], name)))),
    ),
    ...(miscounted > 0 ? [`Of those lost, ${count(miscounted)} were none. ${MISCOUNTED}`, ''] : []),
    ...(hidden > 0 ? [`Another ${count(hidden)} were one draft that was not settled either. ${HIDDEN}`, ''] : []),
  ];
}

const STORE = ['kills', 'acknowledged', 'doneUnheard', 'backups', 'seconds'];
const STORE_BAD = ['lost', 'half', 'unsound', 'badBackups'];
const STORE_HEAD = ['kills', 'acknowledged', 'done but not heard of', 'backups looked at', 'seconds'].concat([
  ...['lost', 'half', 'unsound workspaces', 'unsound backups'],
]);

function storeKills(): readonly string[] {
  const runs = resultsOf('store-kills');
  if (runs.length === 0) return [];
  return [
    '## `kill -9` in the middle of edits, imports, undo and backups',
    '',
    'After each kill the workspace must hold what was acknowledged, or that and the one action under way, and must be sound.',
    '',
    ...table(STORE_HEAD, [[...STORE, ...STORE_BAD].map((name) => count(sumOf(runs, name)))]),
  ];
}

const MISCOUNTED = `A process announces an edit, makes it, and acknowledges it once it is durable. Whoever counted
took the announced bid for the only one allowed when the item had never been edited before, so a process killed between
the two left its item at the first bid, clean, and was told of as a loss. Killed at every announcement, 30 processes
with one acknowledged edit among them made 18 such reports; all 18 items had no edit in their history. The count knows
the bid before now (\`test/crash/heard.ts\`), compares the bids on the service as well, and one death in ten comes in
that very moment (announcing).`;

function uploads(): readonly string[] {
  const one = read('upload-kills');
  if (one === null) return [];
  const gigabytes = (Number(one['bytesSent']) / 1e9).toFixed(1);
  return [
    `## \`kill -9\` in the middle of an upload of ${count(one['megabytes'])} MB`,
    '',
    ...table(
      ['kills', 'while it was completed', 'GB sent', 'videos in the end', 'growth of memory, MB'],
      [[count(one['kills']), count(one['atCompletion']), gigabytes, count(one['media']), count(one['grownMb'])]],
    ),
  ];
}

function shares(): readonly string[] {
  const one = read('doubt-shares');
  if (one === null) return [];
  const of = (list: unknown): readonly Figures[] => list as readonly Figures[];
  const share = (found: Figures | undefined): string =>
    found === undefined
      ? '-'
      : `${Math.round((1 - Number(found['asked']) / Number(found['inDoubt'])) * 100)} % of ${count(found['inDoubt'])}`;
  const nameOf = (line: Figures): string => `${String(line['kind'])} ${String(line['verb'])}`;
  const extended = new Map(of(one['extensions']).map((line) => [nameOf(line), line]));
  const rows = of(one['documented']).map((line) => [nameOf(line), share(line), share(extended.get(nameOf(line)))]);
  return [
    '## Answers that were lost and settled without asking anybody',
    '',
    ...table(['send', 'documented calls alone', 'with the extensions'], rows),
  ];
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(PAGE, renderReliability());
  console.log(`${PAGE} written`);
}
