import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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
  return `${[INTRODUCTION, simulation(), schedules(), mutants(), kills(), storeKills(), uploads(), teamKills(), shares(), soakSection(), LIMITS].flat().join('\n')}\n`;
}

const INTRODUCTION = `# Reliability

These runs try to make a sync lose an edit, send something twice or mix up IDs. \`npm run reliability\` writes this page
from the files in \`test/reliability/results\`, which the runs wrote. [main/sync/README.md](main/sync/README.md) explains the
protocol, and [test/README.md](test/README.md) the tests.
`;

const LIMITS = `## Limits of these results

- Zero failures in N independent runs bound the true rate below 3 / N (95%), for the faults that the runs inject.
- A service that carries out a request later than two minutes after it was sent, or whose lists omit a row for longer,
  can still create a duplicate. Adslate reports it afterwards.
- Killing a process does not test the disk. A disk that confirms writes it has not stored is part of the simulation only.`;

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
  return ['## Simulated lives', '', `${all} lives.`, '', ...table([...head, 'violations'], rows)];
}

function schedules(): readonly string[] {
  const one = read('schedules');
  if (one === null) return [];
  const row = [one['singles'], one['pairs'], one['withFault'], one['crashes'], one['failed'] === null ? 0 : 1];
  return [
    '## Every crash point of one draft',
    '',
    ...table(['single crashes', 'pairs', 'with an added fault', 'crashes', 'violations'], [row.map(count)]),
  ];
}

function mutants(): readonly string[] {
  const one = read('protocol-mutants');
  if (one === null) return [];
  const results = one['results'] as readonly Figures[];
  const rows = results.map(({ name, takesAway, life }) => [
    name,
    takesAway,
    life === null ? '**not found**' : count(life),
  ]);
  return [
    '## Planted protocol faults',
    '',
    `${count(one['caught'])} of ${count(one['of'])} faults planted in the protocol were found.`,
    '',
    ...table(['removed', 'effect', 'found by the life with seed'], rows),
  ];
}

const HIDDEN = `Its ad group was on the service, the response was lost, and the group was sent again. The
service refused it. The faults of these runs can make a list omit its last row twice in a row, which is wrongly treated as
proof that the row is missing. A test of exactly this ends in the same refusal. Adslate now finds an ad group by its name,
because a campaign has only one.`;

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
    ...(miscounted > 0 ? [`${count(miscounted)} of the lost edits were counted by mistake. ${MISCOUNTED}`, ''] : []),
    ...(hidden > 0 ? [`Another ${count(hidden)} were one draft that was also left unresolved. ${HIDDEN}`, ''] : []),
  ];
}

const STORE = ['kills', 'acknowledged', 'doneUnheard', 'backups', 'seconds'];
const STORE_BAD = ['lost', 'half', 'unsound', 'badBackups'];
const STORE_HEAD = ['kills', 'acknowledged', 'done, not acknowledged', 'backups checked', 'seconds'].concat([
  ...['lost', 'partial', 'damaged workspaces', 'damaged backups'],
]);

function storeKills(): readonly string[] {
  const runs = resultsOf('store-kills');
  if (runs.length === 0) return [];
  return [
    '## `kill -9` in the middle of edits, imports, undo and backups',
    '',
    'After each kill the workspace must be undamaged and hold every acknowledged action. The action in progress may be there or not.',
    '',
    ...table(STORE_HEAD, [[...STORE, ...STORE_BAD].map((name) => count(sumOf(runs, name)))]),
  ];
}

const MISCOUNTED = `A process announces an edit, makes it, and acknowledges it once it is durable. For an item
without earlier edits, the count allowed only the announced bid. A process killed before the edit left the item at its
first bid, which was reported as a loss. Killed at every announcement, 30 processes made 18 such reports; none of
these items had an edit in its history. The count now knows the earlier bid (\`test/crash/sync-kills.ts\`) and also compares
the bids on the service. One kill in ten happens at an announcement.`;

function uploads(): readonly string[] {
  const one = read('upload-kills');
  if (one === null) return [];
  const gigabytes = (Number(one['bytesSent']) / 1e9).toFixed(1);
  return [
    `## \`kill -9\` in the middle of an upload of ${count(one['megabytes'])} MB`,
    '',
    ...table(
      ['kills', 'while completing', 'GB sent', 'videos at the end', 'growth of memory, MB'],
      [[count(one['kills']), count(one['atCompletion']), gigabytes, count(one['media']), count(one['grownMb'])]],
    ),
  ];
}

const TEAM_SYNC = ['computers', 'connections', 'servers', 'taken', 'drafts', 'things', 'requests', 'questions'];
const TEAM_SYNC_HEAD = ['computers', 'connections', 'servers', 'syncs taken over', 'drafts', 'rows'].concat([
  ...['requests', 'questions', 'lost', 'twice', 'unsettled'],
]);
const TEAM_EDITS = ['computers', 'connections', 'servers', 'push', 'pull', 'edits', 'entries', 'broken'];
const TEAM_EDITS_HEAD = ['computers', 'connections', 'servers', 'in mid-push', 'in mid-pull', 'edits'].concat([
  ...['entries of the log', 'violations'],
]);

function teamKills(): readonly string[] {
  const [syncs, edits] = [read('team-kills'), read('team-desk-kills')];
  if (syncs === null || edits === null) return [];
  return [
    '## Kills in a team, on a real PostgreSQL',
    '',
    'Two computers sync one draft with a faulty service. One computer after another is killed, or its connection, or the database server:',
    '',
    ...table(TEAM_SYNC_HEAD, [[...TEAM_SYNC, 'lost', 'twice', 'unsettled'].map((name) => count(syncs[name]))]),
    'Three computers share what they edit, with the same three kinds of kills. A violation is an edit that is lost or twice in the log,',
    'a broken chain of the log, or computers that differ in the end:',
    '',
    ...table(TEAM_EDITS_HEAD, [TEAM_EDITS.map((name) => count(edits[name]))]),
  ];
}

function shares(): readonly string[] {
  const one = read('doubt-shares');
  if (one === null) return [];
  const of = (list: unknown): readonly Figures[] => list as readonly Figures[];
  const share = (found: Figures | undefined): string =>
    found === undefined
      ? '-'
      : `${Math.round((1 - Number(found['asked']) / Number(found['inDoubt'])) * 100)}% of ${count(found['inDoubt'])}`;
  const nameOf = (line: Figures): string => `${String(line['kind'])} ${String(line['verb'])}`;
  const extended = new Map(of(one['extensions']).map((line) => [nameOf(line), line]));
  const rows = of(one['documented']).map((line) => [nameOf(line), share(line), share(extended.get(nameOf(line)))]);
  return [
    '## Lost responses resolved without the user',
    '',
    ...table(['request', 'documented calls only', 'with extensions'], rows),
  ];
}

const writePage = (): void => writeFileSync(PAGE, renderReliability());

/** Keeps what a long run came to, and writes the page again, so that neither is committed without the other. */
export function saveResult(name: string, figures: object): void {
  mkdirSync(RESULTS, { recursive: true });
  const at = new Date().toISOString().slice(0, 10);
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify({ at, ...figures }, null, 2)}\n`);
  writePage();
}

if (process.argv[1] === import.meta.filename) {
  writePage();
  console.log(`${PAGE} written`);
}
