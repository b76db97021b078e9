import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../main/host/cli/commands.ts';

/** The page of the command line is what scripts are written by. */
const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'command-line.md'), 'utf8');
/** The first cell of every row of its table of verbs; the words of `nextStep` stand in a table of their own. */
const [verbs = ''] = page.split('| `nextStep` |');
const verbCells = [...verbs.matchAll(/^\| (`.*?`.*?) (?<!\\)\| /gm)].map(([, cell = '']) => cell);

test.each(COMMANDS.map(({ name, options }) => ({ name, options: Object.keys(options) })))(
  'the page of the command line has $name and all that can be said with it',
  ({ name, options }) => {
    expect(verbCells.filter((cell) => cell.includes(`\`${name} `) || cell.includes(`\`${name}\``))).toHaveLength(1);
    for (const option of options) expect(page).toMatch(new RegExp(`--${option}(?![\\w-])`));
  },
);
