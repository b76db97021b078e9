import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository-root.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Seed of all random tests: the same everywhere and for every commit, so that a failure is caused by a change. `npm
 * run test:long` searches for unknown cases with other seeds.
 */
const SEED = '1';

/** Unit tests, property tests, conformance and short crash tests: everything Vitest runs. */
export async function unitTests() {
  const summary = join(root, 'out', 'test', 'vitest.json');
  rmSync(summary, { force: true });
  const args = [
    'run',
    '--root',
    root,
    '--reporter=default',
    `--reporter=${join(root, 'scripts', 'vitest-summary.mjs')}`,
  ];
  const env = { TEST_SEED: process.env.TEST_SEED ?? SEED, SUMMARY_FILE: summary };
  process.stdout.write(`TEST_SEED=${env.TEST_SEED}\n`);
  const code = await runProgram('node_modules/vitest/vitest.mjs', args, { env });
  const { passed, skipped, failures } = JSON.parse(readFileSync(summary, 'utf8'));
  if (failures.length === 0 && code !== 0) failures.push(`Vitest ended with code ${code} and named no reason`);
  return { passed, failed: failures.length, skipped, failures };
}
