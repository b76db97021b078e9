import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './program.mjs';
import { root } from './root.mjs';

/** Unit tests, laws, conformance and short crash tests: everything Vitest runs. */
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
  // Which shares of large tables run.
  const env = {
    TEST_SEED: process.env.TEST_SEED ?? String(Date.now() % 1_000_000),
    SUMMARY_FILE: summary,
  };
  const code = await runProgram('node_modules/vitest/vitest.mjs', args, { env });
  const { passed, skipped, failures } = JSON.parse(readFileSync(summary, 'utf8'));
  if (failures.length === 0 && code !== 0) failures.push(`Vitest ended with code ${code} and named no reason`);
  return { passed, failed: failures.length, skipped, failures };
}
