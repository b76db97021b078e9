import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { campaignMoves } from '../../sandbox/campaign-states.ts';
import { limits } from '../../sandbox/limits.ts';
import { messages, ownMessages } from '../../sandbox/messages.ts';
import { type Case, casesOf } from './case.ts';

/** What the cases prove against what there is to prove, and the table that says so. */
const folder = import.meta.dirname;

/** Numbers that no caller can observe as a limit, each with the reason. */
export const withoutCase: Readonly<Record<string, string>> = {
  'limit.openEndDate': 'a default, not a limit',
  'limit.nameMaxCharacters': 'ours; the document has no limit for names',
};

export async function collectCases(): Promise<readonly Case[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && file !== 'coverage.test.ts');
  const cases: Case[] = [];
  for (const file of files.sort()) {
    cases.push(...(await casesOf(file, () => import(/* @vite-ignore */ join(folder, file)))));
  }
  return cases;
}

/** Every key that a case must account for: each documented and own message, each limit, each transition. */
export function keysToProve(): ReadonlyMap<string, string> {
  const texts = (table: object, prefix: string) =>
    Object.entries(table).map(([name, text]): [string, string] => [`${prefix}.${name}`, textOf(text)]);
  const moves = Object.entries(campaignMoves).map(([move, steps]): [string, string] => [
    `move.${move}`,
    steps.map(([from, to]) => `${from} to ${to}`).join(', '),
  ]);
  return new Map([...texts(messages, 'message'), ...texts(ownMessages, 'own'), ...texts(limits, 'limit'), ...moves]);
}

export function renderTable(cases: readonly Case[]): string {
  const rows = [...keysToProve()].map(([key, text]) => {
    const proving = cases.filter((one) => one.proves.includes(key));
    const shown = proving.slice(0, CASES_SHOWN).map((one) => `${one.section}: ${one.sentence} (${one.file})`);
    const more = proving.length > CASES_SHOWN ? [`and ${proving.length - CASES_SHOWN} more`] : [];
    const where = proving.length === 0 ? [withoutCase[key] ?? ''] : [...shown, ...more];
    return `| \`${key}\` | ${cell(text)} | ${where.map(cell).join('<br>')} |`;
  });
  return `# Conformance of the sandbox

What the partner API document says, and the cases that show the sandbox does it: ${cases.length} cases over HTTP, with a
client that knows the document only. \`message\` is a text of the document, \`own\` one of ours where the document is silent (only
its \`code\` counts), \`limit\` a number, \`move\` a transition of a campaign. The page is written by
\`npx vitest run test/conformance/coverage.test.ts -u\`; that test fails when a line has no case or the page is out of date.

| key | what | shown by |
|---|---|---|
${rows.join('\n')}
`;
}

const CASES_SHOWN = 3;

function textOf(value: unknown): string {
  if (typeof value === 'function') return String(value('…'));
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, entry]) => (Array.isArray(value) ? String(entry) : `${key}: ${String(entry)}`))
    .join('; ');
}

/** Text as the content of a table cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
