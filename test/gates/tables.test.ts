import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BAD_SHEETS } from '../faults/bad-sheets.ts';
import { HOSTILE_ANSWERS, type HostileAnswer } from '../faults/hostile-answers.ts';
import { root } from './tool.ts';

/** docs/security.md and docs/faults.md hold tables whose rows name the tests that show them: those tests are there. */
interface Row {
  readonly id: string;
  readonly line: string;
  readonly tests: readonly (readonly [file: string, title: string])[];
}

function rowsOf(page: string): readonly Row[] {
  const lines = readFileSync(join(root, 'docs', page), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, id] = /^\| ([A-Z]?\d+[a-z]?) \|/u.exec(line) ?? [];
    if (id === undefined) return [];
    const named = line.matchAll(/`(test\/[^`]+)` "((?:\\.|[^"\\])+)"/gu);
    return [{ id, line, tests: [...named].map(([, file = '', title = '']) => [file, bare(title)] as const) }];
  });
}
const bare = (cell: string): string => cell.replaceAll(/\\(["|])/gu, '$1').replaceAll('&lt;', '<');
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const security = rowsOf('security.md');
const faults = rowsOf('faults.md');

/** Words of the titles of tests, and of the tables that they run through. A comment does not count. */
function titlesOf(file: string): readonly string[] {
  if (!existsSync(join(root, file))) return [];
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(?:\/\*\*[\s\S]*?\*\/|\/\/.*$)/gmu, '');
  const found = [...text.matchAll(/\b(?:test|describe)(?:\.each)?[(<][^'"`]*?(['"`])((?:(?!\1).)+)\1/gsu)];
  const afterLists = [...text.matchAll(/(?:\](?: as const)?|\))\)\(\s*(['"`])((?:(?!\1).)+)\1/gsu)];
  const listed = [...text.matchAll(/\[\s*(['"])((?:(?!\1).)+)\1,/gu)];
  return [...found, ...afterLists, ...listed].map(([, , title]) => title ?? '');
}
const isTitle = ([file, title]: readonly [string, string]): boolean =>
  titlesOf(file).some((found) => found.includes(title));

const ids = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => id);
const upTo = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('the page of what no other editor has names 27 abilities, each with a test that is there', () => {
  const lines = readFileSync(join(root, 'docs', 'what-no-other-editor-has.md'), 'utf8').split('\n');
  const rows = lines.flatMap((line) => {
    const [, number, tests] = /^\| (\d+) \|.*\| ((?:`test\/[^`]+\.(?:test|spec)\.ts`(?:, )?)+) \|$/u.exec(line) ?? [];
    return tests === undefined ? [] : [{ number: Number(number), files: tests.replaceAll('`', '').split(', ') }];
  });
  expect(rows.map(({ number }) => number)).toEqual(upTo(1, 27));
  expect(rows.filter(({ files }) => !files.every((file) => existsSync(join(root, file))))).toEqual([]);
});

test('every test that a row of a table names is there', () => {
  const named = [...security, ...faults].flatMap(({ id, tests }) => tests.map((shown) => ({ id, shown })));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ shown }) => !isTitle(shown))).toEqual([]);
  const outOfReach = security.filter(({ tests }) => tests.length === 0);
  expect(ids(outOfReach)).toEqual(['T39']);
});

test('every threat, every fault of the web host and every fault with a number has its row', () => {
  expect(ids(security).filter((id) => id.startsWith('T'))).toEqual(upTo(1, 52).map((number) => `T${number}`));
  expect(ids(security).filter((id) => id >= 'F129' && id <= 'F148')).toEqual(upTo(129, 148).map((at) => `F${at}`));
  const known = new Set(ids(faults).map((id) => id.replace(/^(\d+)[a-z]$/u, '$1')));
  // The plan of faults left every fourth number free.
  expect(upTo(1, 127).filter((at) => at % 4 !== 0 && !known.has(String(at)))).toEqual([]);
});

test('a case that is numbered has a row', () => {
  const known = new Set(ids(faults));
  const numbered = ['machine', 'bad-sheets', 'texts'].flatMap((name) => [
    ...readFileSync(join(root, `test/faults/${name}.test.ts`), 'utf8').matchAll(/'fault ([A-Z]?\d+):/gu),
  ]);
  expect(numbered.length).toBeGreaterThan(5);
  expect(numbered.filter(([, id = '']) => !known.has(id))).toEqual([]);
});

test('every sheet and every answer of the tables of faults has a row that says what becomes of it', () => {
  const sheets = BAD_SHEETS.map(({ id, what, expect: becomes }) => `| ${id} | ${cell(what)} | ${outcomeOf(becomes)} |`);
  const answers = HOSTILE_ANSWERS.map(({ id, what, becomes }) => `| ${id} | ${cell(what)} | ${BECOMES[becomes]} |`);
  const lines = faults.map(({ line }) => line);
  expect([...sheets, ...answers].filter((start) => !lines.some((line) => line.startsWith(start)))).toEqual([]);
});

function outcomeOf(becomes: (typeof BAD_SHEETS)[number]['expect']): string {
  if ('refused' in becomes) return `the file is refused (${becomes.refused})`;
  if ('error' in becomes) return `an error in line ${becomes.error[0]}; other rows are imported`;
  if ('unknown' in becomes) return 'reported as unknown; the other columns are read';
  if ('formulas' in becomes) return 'read as plain text, with a warning';
  return 'read as intended';
}

const BECOMES: Readonly<Record<HostileAnswer['becomes'], string>> = {
  done: 'accepted as intended',
  doubt: 'unconfirmed: resolved by a read, or by the user',
  refused: 'reported as refused; the next sync sends it again',
  later: 'the same sync sends it again when it is allowed to',
  'rate-limited': 'the sync ends and reports until when; a later sync sends it again',
  credentials: 'the sync ends and asks for credentials; nothing is lost',
  security: 'the sync ends; nothing is sent elsewhere',
};

test('planted, a title that is not there is noticed, also one that only a comment has', () => {
  expect(isTitle(['test/gates/tables.test.ts', 'every threat, every fault'])).toBe(true);
  expect(isTitle(['test/gates/tables.test.ts', 'A comment does not count'])).toBe(false);
  expect(isTitle(['test/gates/none.test.ts', 'every threat'])).toBe(false);
});
