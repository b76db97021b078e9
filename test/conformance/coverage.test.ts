import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Machine, machines } from '../../sandbox/states.ts';
import { collectCases, missingKeys, renderPage } from './coverage.ts';
import { listDocumentErrors } from './document-errors.ts';
import { documentMoves } from './document-moves.ts';
import { strangeMoves } from './evidence.ts';
import { keysToProve, withoutCase } from './keys.ts';

const cases = await collectCases();
const keys = keysToProve().map(({ key }) => key);

test('every message, limit and move has a case', () => {
  expect(missingKeys(cases)).toEqual([]);
});

test('the check notices when any one line loses its cases', () => {
  for (const key of keys.filter((one) => withoutCase[one] === undefined)) {
    const fewer = cases.map((one) => ({ ...one, proves: one.proves.filter((proven) => proven !== key) }));
    expect(missingKeys(fewer)).toEqual([key]);
  }
});

test('the tables of the sandbox hold the moves of the document, and no others', () => {
  const entries: readonly (readonly [string, Machine])[] = Object.entries(machines);
  const inTables = entries.flatMap(([name, { begins, moves }]) =>
    [...begins.map((word) => ['(new)', word] as const), ...Object.values(moves).flat()].map(
      ([from, to]) => `${name} ${from}>${to}`,
    ),
  );
  const inDocument = documentMoves.map(({ machine, from, to }) => `${machine} ${from}>${to}`);
  expect([...new Set(inTables)].sort()).toEqual([...inDocument].sort());
});

test('every text of the document stands in the suite in words of its own, not only in the table of the sandbox', () => {
  const written = readdirSync(import.meta.dirname)
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll("\\'", "'"))
    .concat(listDocumentErrors().map(({ text }) => text))
    .join('\n');
  const texts = keysToProve().filter(({ key }) => key.startsWith('message.'));
  // Around what varies, the pieces must be there.
  const missing = texts.filter(({ what }) => !what.split('…').every((piece) => written.includes(piece)));
  expect(missing).toEqual([]);
  expect(texts.length).toBeGreaterThan(60);
});

test('a move that the document does not list is strange', () => {
  expect(strangeMoves(['campaign live>paused', 'campaign paused>scheduled', 'review cancelled>pending'])).toEqual([
    'campaign paused>scheduled',
    'review cancelled>pending',
  ]);
});

test('no case claims to prove something that does not exist', () => {
  expect(cases.flatMap((one) => one.proves.filter((key) => !keys.includes(key)))).toEqual([]);
});

test('no two cases have the same name, and there are more than 300', () => {
  const names = cases.map((one) => `${one.section}: ${one.sentence}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThan(300);
});

test('docs/conformance.md says what the cases say', async () => {
  await expect(renderPage(cases)).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/conformance.md'));
});
