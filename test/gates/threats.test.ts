import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './tool.ts';

/** Every row of the tables in docs/security.md names a test that is there. */
interface Row {
  readonly id: string;
  readonly shown: readonly { readonly file: string; readonly name: string }[];
  readonly isOutOfReach: boolean;
}

const SHOWN_BY = /`(test\/[\w./-]+)` "((?:[^"\\]|\\.)+)"/g;

function rowsOf(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter((line) => /^\| [TF]\d+ \|/.test(line))
    .map((line) => {
      const last = line.split(' | ').at(-1) ?? '';
      const shown = [...last.matchAll(SHOWN_BY)].map(([, file = '', name = '']) => ({
        file,
        name: name.replaceAll('\\"', '"'),
      }));
      return { id: /[TF]\d+/.exec(line)?.[0] ?? '', shown, isOutOfReach: last.startsWith('out of reach') };
    });
}

/** @returns why the row shows nothing, or null */
function problemOf({ shown }: Row): string | null {
  if (shown.length === 0) return 'names no test';
  for (const { file, name } of shown) {
    const path = join(root, file);
    if (!existsSync(path)) return `${file} is not there`;
    if (!isTitle(readFileSync(path, 'utf8'), name)) return `${file} has no test "${name}"`;
  }
  return null;
}

/** Whether these words begin what stands behind `test(`, or behind the list of a `test.each`: a remark shows nothing. */
const isTitle = (source: string, name: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    ['test(', 'describe(', ')('].some((call) => source.replaceAll(/\(\s+/g, '(').includes(`${call}${quote}${name}`)),
  );

const rows = rowsOf(readFileSync(join(root, 'docs', 'security.md'), 'utf8'));

test('every threat is in the table, in order, once', () => {
  const threats = rows.filter(({ id }) => id.startsWith('T')).map(({ id }) => id);
  expect(threats).toEqual(Array.from({ length: 46 }, (_, at) => `T${at + 1}`));
});

test('every family of faults of the web host is in the table', () => {
  const families = rows.map(({ id }) => id).filter((id) => id.startsWith('F') && Number(id.slice(1)) >= 129);
  expect(families).toEqual(Array.from({ length: 20 }, (_, at) => `F${at + 129}`));
});

test('one threat is out of reach, and only that one', () => {
  expect(rows.filter(({ isOutOfReach }) => isOutOfReach).map(({ id }) => id)).toEqual(['T39']);
});

test.each(rows.filter(({ isOutOfReach }) => !isOutOfReach))('$id is shown by a test', (row) => {
  expect(problemOf(row)).toBeNull();
});

describe('planted, it is noticed', () => {
  test.each([
    ['| T1 | A | M | x | y | |', 'names no test'],
    ['| T1 | A | M | x | y | soon |', 'names no test'],
    ['| T1 | A | M | x | y | `test/none.test.ts` "a" |', 'test/none.test.ts is not there'],
    [
      '| T1 | A | M | x | y | `test/gates/threats.test.ts` "a remark shows nothing" |',
      'test/gates/threats.test.ts has no test "a remark shows nothing"',
    ],
    [
      '| T1 | A | M | x | y | `test/gates/threats.test.ts` "every threat is"; `test/none.test.ts` "a" |',
      'test/none.test.ts is not there',
    ],
    ['| T1 | A | M | x | y | `test/gates/threats.test.ts` "every threat is in the table" |', null],
    [
      '| T1 | A | M | x | y | `test/hosts/log.test.ts` "no such words at all" |',
      'test/hosts/log.test.ts has no test "no such words at all"',
    ],
  ])('%s', (line, problem) => {
    const [row] = rowsOf(line);
    expect(row === undefined ? 'no row' : problemOf(row)).toBe(problem);
  });
});
