import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS, THREATS } from './threats.ts';
import { root } from './tool.ts';

const page = join(root, 'docs', 'security.md');

/** Whether the title of a `test` or `describe` of the file begins with these words. A comment does not count. */
function isTitle(file: string, title: string): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8').replaceAll(/\(\s+/g, '(');
  return ["'", '"', '`'].some((quote) =>
    ['test(', 'describe(', ')('].some((call) => source.includes(`${call}${quote}${title}`)),
  );
}

const shownBy = (tests: (typeof THREATS)[number]['tests']): string =>
  tests.length === 0
    ? 'out of reach'
    : tests.map(([file, title]) => `\`${file}\` "${title.replaceAll('"', '\\"')}"`).join('; ');

const rowsOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** Replaces the rows below the heading of a table. */
function withRows(text: string, section: string, rows: string): string {
  const start = text.indexOf('|---', text.indexOf(`## ${section}\n`));
  const first = text.indexOf('\n', start) + 1;
  const end = text.indexOf('\n\n', first) + 1;
  return text.slice(0, first) + rows + text.slice(end);
}

test('docs/security.md has the tables of threats and faults', async () => {
  const threats = THREATS.map(({ id, what, from, how, against, tests }) => [
    id,
    what,
    from,
    how,
    against,
    shownBy(tests),
  ]);
  const faults = FAULTS.map(({ id, fault, against, tests }) => [id, fault, against, shownBy(tests)]);
  const text = readFileSync(page, 'utf8');
  const written = withRows(text, 'Threats', rowsOf(threats));
  await expect(withRows(written, 'Faults of the machine and of the web host', rowsOf(faults))).toMatchFileSnapshot(
    page,
  );
});

test.each([...THREATS, ...FAULTS].filter(({ id }) => id !== 'T39'))(
  '$id is shown by tests that are there',
  ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter(([file, title]) => !isTitle(file, title))).toEqual([]);
  },
);

test('every threat and every fault of the web host is there once, in order', () => {
  expect(THREATS.map(({ id }) => id)).toEqual(Array.from({ length: 46 }, (_, at) => `T${at + 1}`));
  const web = FAULTS.map(({ id }) => Number(id.slice(1))).filter((number) => number >= 129);
  expect(web).toEqual(Array.from({ length: 20 }, (_, at) => at + 129));
});

test('planted, a title that is not there is noticed, also one that only a comment has', () => {
  expect(isTitle('test/gates/threats.test.ts', 'every threat and every fault')).toBe(true);
  expect(isTitle('test/gates/threats.test.ts', 'A comment does not count')).toBe(false);
  expect(isTitle('test/gates/none.test.ts', 'every threat')).toBe(false);
});
