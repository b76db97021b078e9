import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOSTILE_ANSWERS } from './hostile-answers.ts';
import { SERVICE_ROWS, SERVICE_TESTS } from './service-rows.ts';

const root = join(import.meta.dirname, '../..');
const numberOf = (id: string): number => Number.parseInt(id, 10);

test('every service, network and media row of the table of faults has its case', () => {
  const answered = new Set(HOSTILE_ANSWERS.map(({ id }) => numberOf(id)));
  expect(SERVICE_ROWS.filter((row) => !answered.has(row) && (SERVICE_TESTS[row] ?? []).length === 0)).toEqual([]);
  expect(SERVICE_ROWS).toHaveLength(46);
  const missing = Object.values(SERVICE_TESTS)
    .flat()
    .filter(([file, title]) => !readFileSync(join(root, file), 'utf8').includes(title));
  expect(missing).toEqual([]);
});

test('beside the table there are at least eighty cases of our own', () => {
  const own = HOSTILE_ANSWERS.filter(({ id }) => id.startsWith('S'));
  expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
  // Each is played twice: for what a read can show, and for what no read shows.
  expect(own.length * 2).toBeGreaterThanOrEqual(80);
});
