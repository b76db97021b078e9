import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LINES, listSpecs, renderSpecs, specsOf, withSpecs } from '../e2e/spec-table.ts';

const readme = readFileSync('test/e2e/README.md', 'utf8');
const specs = listSpecs();

test('every end-to-end spec says what it is about, and everything the program does has one', () => {
  expect(specs.length, 'the specs were found').toBeGreaterThan(50);
  expect(specs.filter(({ tags }) => !tags.some((tag) => Object.hasOwn(LINES, tag)))).toEqual([]);
  expect(Object.keys(LINES).filter((line) => specsOf(specs, line).length === 0)).toEqual([]);
});

test('the README counts and names the specs there are', () => {
  expect(readme, 'node test/e2e/spec-table-main.ts brings it up to date').toBe(withSpecs(readme, specs));
  expect(readme).not.toBe(withSpecs(readme, specs.slice(1)));
});

test('a line without a spec shows in the table as 0', () => {
  expect(renderSpecs([])).toContain('| 2 | Grid: edit, copy, paste, columns, sort, views | `@grid` | 0 |');
});
