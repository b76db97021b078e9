import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultsDocument } from './document.ts';
import type { FaultRow } from './fault-row.ts';
import { FAULT_ROWS, OPEN_ROWS } from './rows.ts';

/** The rows of the table of faults that concern texts, files, imports and the machine. */
const WANTED = [
  ...[45, 46, 47, 49, 50, 51, 53, 54, 55, 57, 58, 59],
  ...[61, 62, 63, 65, 66, 67, 69, 70, 71],
  ...[73, 74, 75, 77, 78, 79, 81, 82, 83, 85, 86, 87, 89, 90, 91],
  ...[110, 111, 113, 114, 115, 117, 118, 119, 121, 122, 123, 125, 126, 127],
].map(String);
const OWN_LEAST = 60;
const OWN_FILES = ['test/faults/machine.test.ts', 'test/faults/bad-sheets.test.ts', 'test/faults/texts.test.ts'];

/** Rows whose file does not have the title they name. */
function withoutCase(rows: readonly FaultRow[]): readonly string[] {
  return rows
    .filter(({ shown: [file, title] }) => !titlesOf(file).some((found) => found.includes(title)))
    .map(({ id }) => id);
}

const titles = new Map<string, readonly string[]>();
function titlesOf(file: string): readonly string[] {
  const known = titles.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/\btest(?:\.each)?\b[^'`]*?(['`])((?:(?!\1).)+)\1/gsu)].map(
    ([, , title]) => title ?? '',
  );
  const afterLists = [...text.matchAll(/\]\)\(\s*(['`])((?:(?!\1).)+)\1/gsu)].map(([, , title]) => title ?? '');
  const listed = [...text.matchAll(/\[\s*'([^']+)',/gu)].map(([, title]) => title ?? '');
  titles.set(file, [...found, ...afterLists, ...listed]);
  return titles.get(file) ?? [];
}

test('every row of the table has its case, or is said to be open', () => {
  const known = new Set([...FAULT_ROWS.map(({ id }) => id), ...OPEN_ROWS.map(({ id }) => id)]);
  expect(WANTED.filter((id) => !known.has(id))).toEqual([]);
  expect(withoutCase(FAULT_ROWS)).toEqual([]);
});

test('a row that names no case would be noticed', () => {
  const [first] = FAULT_ROWS;
  if (first === undefined) throw new Error('the table is empty');
  const made: FaultRow = { ...first, id: 'X', shown: [first.shown[0], 'a case that nobody wrote'] };
  expect(withoutCase([made])).toEqual(['X']);
});

test('no number is used twice, and no row is open and met at once', () => {
  const ids = [...FAULT_ROWS, ...OPEN_ROWS].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a case that is numbered has a row', () => {
  const known = new Set(FAULT_ROWS.map(({ id }) => id));
  const numbered = OWN_FILES.flatMap((name) => [...readFileSync(name, 'utf8').matchAll(/'fault ([A-Z]?\d+):/gu)]).map(
    ([, id]) => id ?? '',
  );
  expect(numbered.length).toBeGreaterThan(5);
  expect(numbered.filter((id) => !known.has(id))).toEqual([]);
});

test('at least sixty faults are our own', () => {
  const wanted = new Set(WANTED);
  expect(FAULT_ROWS.filter(({ id }) => !wanted.has(id)).length).toBeGreaterThanOrEqual(OWN_LEAST);
});

test('docs/faults.md is what the table says', () => {
  expect(readFileSync('docs/faults.md', 'utf8')).toBe(faultsDocument());
});
