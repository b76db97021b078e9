import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** What the specs are about, by the tag they carry. Each of these has to have one. */
export const LINES = {
  '@frame': 'Frame: panes, commands, shortcuts, menus',
  '@grid': 'Grid: edit, copy, paste, columns, sort, views',
  '@editing': 'Editing: details, bulk tools, matrices, templates, copies',
  '@media': 'Media bench',
  '@findings': 'Findings, changes, history, conflicts, rules',
  '@sync': 'Sync and submit',
  '@launch': 'Review and launch, notifications',
  '@reports': 'Reports',
  '@accounts': 'Accounts, first run, practice, keys, backups',
  '@everyone': 'Everyone: accessibility, keyboard alone, zoom, languages, pictures',
  '@sheets': 'Sheets and archives',
  '@safety': 'A hostile or failing world',
} as const;
export type Line = keyof typeof LINES;

export interface ListedSpec {
  readonly file: string;
  readonly title: string;
  readonly tags: readonly string[];
}

const root = join(import.meta.dirname, '../..');

/** Every spec of both projects, as Playwright itself lists them; nothing is run. */
export function listSpecs(): readonly ListedSpec[] {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const text = execFileSync(process.execPath, [cli, 'test', '--list', '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  const seen = new Map<string, ListedSpec>();
  for (const spec of specsIn(JSON.parse(text))) seen.set(`${spec.file} ${spec.title}`, spec);
  return [...seen.values()].sort((a, b) => (`${a.file} ${a.title}` < `${b.file} ${b.title}` ? -1 : 1));
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly title: string; readonly file: string; readonly tags: readonly string[] }[];
}

/** Tags come without their sign. */
function specsIn({ suites = [], specs = [] }: Suite): readonly ListedSpec[] {
  const own = specs.map(({ file, title, tags }) => ({
    file: file.replace(/\.spec\.ts$/, ''),
    title,
    tags: tags.map((tag) => `@${tag.replace(/^@/, '')}`),
  }));
  return [...own, ...suites.flatMap(specsIn)];
}

export const specsOf = (specs: readonly ListedSpec[], line: string): readonly ListedSpec[] =>
  specs.filter(({ tags }) => tags.includes(line));

/** The table of counts and, line by line, the names, as they stand in the README. */
export function renderSpecs(specs: readonly ListedSpec[]): string {
  const lines = Object.entries(LINES);
  const table = lines.map(([tag, what], i) => `| ${i + 1} | ${what} | \`${tag}\` | ${specsOf(specs, tag).length} |`);
  const names = lines.flatMap(([tag, what]) => [
    '',
    `**${what}**`,
    '',
    ...specsOf(specs, tag).map(({ file, title }) => `- \`${file}\`: ${title}`),
  ]);
  return [
    `${specs.length} specs, some of which are about more than one line.`,
    '',
    '| | what | tag | specs |',
    '|---|---|---|---|',
    ...table,
    ...names,
  ].join('\n');
}

const BEGIN = '<!-- specs: written by spec-table-main.ts -->';
const END = '<!-- end of specs -->';

/** The README with another list in the place of the one it has. */
export function withSpecs(readme: string, specs: readonly ListedSpec[]): string {
  const from = readme.indexOf(BEGIN);
  const to = readme.indexOf(END);
  if (from < 0 || to < from) throw new Error('The README has no place for the list of specs.');
  return `${readme.slice(0, from + BEGIN.length)}\n\n${renderSpecs(specs)}\n\n${readme.slice(to)}`;
}
