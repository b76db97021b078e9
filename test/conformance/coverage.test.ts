import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectCases, keysToProve, renderTable, withoutCase } from './coverage.ts';

const cases = await collectCases();

test('every message, limit and transition has a case', () => {
  const proven = new Set(cases.flatMap((one) => one.proves));
  const missing = [...keysToProve().keys()].filter((key) => !proven.has(key) && withoutCase[key] === undefined);
  expect(missing).toEqual([]);
});

test('no case claims to prove something that does not exist', () => {
  const known = keysToProve();
  expect(cases.flatMap((one) => one.proves.filter((key) => !known.has(key)))).toEqual([]);
});

test('no two cases have the same name, and there are more than 300', () => {
  const names = cases.map((one) => `${one.section}: ${one.sentence}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThan(300);
});

test('docs/conformance.md says what the cases say', async () => {
  await expect(renderTable(cases)).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/conformance.md'));
});
