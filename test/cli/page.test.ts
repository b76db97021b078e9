import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../main/hosts/cli/run.ts';

/** The last section of the page is written from the commands: `npx vitest run test/cli/page.test.ts -u`. */
const page = join(import.meta.dirname, '..', '..', 'docs', 'command-line.md');
const HEADING = '## All commands and options';

const commandText = ({ name, takes = '', alsoTakes, summary }: (typeof COMMANDS)[number]): string => {
  const also = alsoTakes === undefined ? '' : `\n  Also understood: \`${alsoTakes}\`.`;
  return `- \`adslate ${`${name} ${takes}`.trim()}\`\n  ${summary}${also}\n`;
};

test('the page of the command line has every command with its options', async () => {
  const [guide = ''] = readFileSync(page, 'utf8').split(`\n${HEADING}`);
  const section = `${HEADING}\n\nWritten from the program; \`--help\` shows the same.\n\n${COMMANDS.map(commandText).join('')}`;
  await expect(`${guide}\n${section}`).toMatchFileSnapshot(page);
});
