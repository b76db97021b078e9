import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isFull, runs, SEED } from '../share.ts';
import { playBatch } from './simulator/batch.ts';
import { countDuplicates } from './simulator/lost-commits.ts';

/** How many lives; `npm run test:simulation` plays 300,000. A failing seed is printed and can be played alone. */
const LIVES = Number(process.env['SYNC_LIVES'] ?? runs(3000, 400));
const MAIN = join(import.meta.dirname, 'simulator/main.ts');

/** Outside the test runner, which makes everything several times as slow. */
async function simulate(...args: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args]);
  return JSON.parse(stdout.split('\n')[0] ?? '') as Readonly<Record<string, number>>;
}

test('in every life with faults, crashes, pauses and full disks, everything is there once in the end', async () => {
  const figures = await simulate('--runs', String(LIVES), '--seed', String(SEED), '--workers', '0');
  expect(figures, `TEST_SEED=${SEED}`).toMatchObject({ runs: LIVES, violations: 0 });
  // The lives have to have been hard ones, or the test proves nothing.
  expect(figures['crashes']).toBeGreaterThan(LIVES / 2);
  expect(figures['faults']).toBeGreaterThan(LIVES);
  for (const name of ['questions', 'pauses', 'fullDisks', 'conflicts']) {
    expect(figures[name], name).toBeGreaterThan(LIVES / 50);
  }
}, 900_000);

test('the model of the store gives every answer that the store gives', async () => {
  const lives = runs(100, 8);
  const outcome = await playBatch({ from: 500_000, lives, store: 'twin' });
  expect(outcome).toMatchObject({ lives, failed: null });
  expect(outcome.compared).toBeGreaterThan(200 * lives);
});

test('a process may die at any effect and the next one at any effect, or any request may go wrong besides', async () => {
  const parts = isFull ? 1 : 32;
  const figures = await simulate('--schedules', '8', '--part', `${SEED % parts}/${parts}`);
  expect(figures, `TEST_SEED=${SEED}`).toMatchObject({ failed: null });
  expect(figures['singles']).toBeGreaterThan(100);
  // Of two deaths that leave the same, one is followed by every second death.
  expect(figures['pairs']).toBeGreaterThan(3000 / parts / 2);
  expect(figures['withFault']).toBeGreaterThan(8000 / parts / 2);
});

test('a disk that loses commits it had confirmed makes duplicates, unless the side journal is left', async () => {
  // Among them are lives 144 and 156, which make duplicates. Were it otherwise, they would not notice what a lost commit does.
  const lives = { from: 141, lives: runs(200, 20) };
  expect(await countDuplicates({ ...lives, loses: 3, keepsJournal: false })).toBeGreaterThan(0);
  expect(await countDuplicates({ ...lives, loses: 3, keepsJournal: true })).toBe(0);
  expect(await countDuplicates({ ...lives, loses: 0, keepsJournal: true })).toBe(0);
});
