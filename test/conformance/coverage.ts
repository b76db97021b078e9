import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, casesOf } from './case.ts';
import { keysToProve, withoutCase } from './keys.ts';

/** What the cases prove against what there is to prove, and the page that says so. */
const folder = import.meta.dirname;

export async function collectCases(): Promise<readonly Case[]> {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.test.ts') && readFileSync(join(folder, file), 'utf8').includes("from './case.ts'"),
  );
  const cases: Case[] = [];
  for (const file of files.sort()) {
    cases.push(...(await casesOf(file, () => import(/* @vite-ignore */ join(folder, file)))));
  }
  return cases;
}

/** Keys that need a case and have none. */
export function missingKeys(cases: readonly Case[]): readonly string[] {
  const proven = new Set(cases.flatMap((one) => one.proves));
  return keysToProve()
    .map(({ key }) => key)
    .filter((key) => !proven.has(key) && withoutCase[key] === undefined);
}

export function renderPage(cases: readonly Case[]): string {
  const sections = [
    ['message', 'Messages of the document', 'text'],
    ['error', 'Errors, operation by operation', 'text'],
    ['own', 'Our words, where the document has none', 'text'],
    ['limit', 'Limits', 'value'],
    ['move', 'States and their moves', 'source'],
  ] as const;
  return `# Conformance of the sandbox

What the partner API document says, and the cases that show the sandbox does it: ${cases.length} cases over HTTP, with a
client that knows the document only. A case counts for a message when it received it, and for a move when the state really
changed; both are checked as it runs. The list of moves stands in \`test/conformance/document-moves.ts\`, written from the
document, and the tables of the sandbox are held against it.

There, \`document\` says so itself, \`shapes\` is our choice where it leaves the wire open, and \`ours\` follows from neither; the
sandbox's README has the reason. Errors marked "ordered" are brought about as a fault, with the reason why.

The page is written by \`npx vitest run test/conformance/coverage.test.ts -u\`; that test fails when a line has no case or the
page is out of date.

${sections.map(([prefix, title, column]) => renderSection(cases, prefix, title, column)).join('\n')}`;
}

function renderSection(cases: readonly Case[], prefix: string, title: string, column: string): string {
  const keys = keysToProve().filter(({ key }) => key.startsWith(`${prefix}.`));
  const rows = keys.map(({ key, what }) => {
    const proving = cases.filter((one) => one.proves.includes(key));
    const shown = proving.slice(0, CASES_SHOWN).map((one) => `${one.section}: ${one.sentence} (${one.file})`);
    const more = proving.length > CASES_SHOWN ? [`and ${proving.length - CASES_SHOWN} more`] : [];
    const where = proving.length === 0 ? [withoutCase[key] ?? ''] : [...shown, ...more];
    const name = prefix === 'error' ? key.split('.').slice(1, 3).join(', ') : `\`${key}\``;
    return `| ${name} | ${cell(what)} | ${where.map(cell).join('<br>')} |`;
  });
  return `## ${title}

| key | ${column} | shown by |
|---|---|---|
${rows.join('\n')}
`;
}

const CASES_SHOWN = 3;

/** Text as the content of a table cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
