import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WINDOW_MUTANTS, type WindowMutant } from './mutants.ts';

/**
 * `npm run test:window-mutants [-- PART_OF_NAME]`: plants one fault of the window after the other and runs the tests that could
 * notice it. Ends with 1 when one went unnoticed.
 */
const root = join(import.meta.dirname, '../../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** @returns the first test that failed, or null when none did */
function firstFailure(name: string | null, tests: readonly string[]): string | null {
  const words = [vitest, 'run', '--root', root, '--maxWorkers=1', '--bail=1', ...tests];
  const fault = name === null ? {} : { WINDOW_MUTANT: name, WINDOW_PATIENCE_MS: '20000' };
  const run = spawnSync(process.execPath, words, {
    env: { ...process.env, NO_COLOR: '1', ...fault },
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  if (run.status === 0) return null;
  const failed = /^ FAIL +(.*)$/m.exec(run.stderr + run.stdout);
  // A run in which no test failed is no verdict on the fault.
  if (failed === null) throw new Error(`The tests for ${name} could not be run:\n${run.stdout}${run.stderr}`);
  return failed[1] ?? '';
}

function noticedBy({ name, file, from, tests }: WindowMutant): string | null {
  if (readFileSync(join(root, file), 'utf8').split(from).length !== 2) {
    throw new Error(`"${name}" does not fit ${file} exactly once: the source has moved on.`);
  }
  return firstFailure(name, tests);
}

const wanted = process.argv[2] ?? '';
const mutants = WINDOW_MUTANTS.filter(({ name }) => name.includes(wanted));
// Tests that fail anyway would notice everything.
if (wanted === '') {
  const failing = firstFailure(null, [...new Set(mutants.flatMap(({ tests }) => tests))]);
  if (failing !== null) throw new Error(`Without any fault this fails: ${failing}`);
}
let survived = 0;
for (const mutant of mutants) {
  const noticed = noticedBy(mutant);
  if (noticed === null) survived += 1;
  console.log(`${noticed === null ? 'SURVIVED' : 'caught'}: ${mutant.name}: ${noticed ?? mutant.takesAway}`);
}
console.log(`${mutants.length - survived} of ${mutants.length} window mutants caught`);
process.exitCode = survived === 0 ? 0 : 1;
