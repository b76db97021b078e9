import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './program.mjs';
import { root } from './root.mjs';

/** Unit tests, laws, conformance and short crash tests: everything Vitest runs. */
export async function unitTests() {
  const report = join(root, 'out', 'test', 'vitest.json');
  rmSync(report, { force: true });
  const args = ['run', '--root', root, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // Lives of the sync simulator; a run of one folder by hand plays fewer.
  const env = { SYNC_LIVES: process.env.SYNC_LIVES ?? '300000' };
  const code = await runProgram('node_modules/vitest/vitest.mjs', args, { env });
  return countVitest(report, code);
}

function countVitest(report, code) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  // A file that could not be loaded has no tests to fail, but it is a failure all the same.
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const failed = numFailedTests + broken;
  // An error outside any test (an unhandled rejection) also ends Vitest with a code of its own.
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  };
}
