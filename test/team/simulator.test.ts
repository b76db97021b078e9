import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** How many lives; `npm run test:team` plays 300,000. A failing seed is printed and can be played alone. */
const LIVES = Number(process.env['TEAM_LIVES'] ?? 2000);
const run = promisify(execFile);

// Outside the test runner, which makes everything several times as slow.
test('whatever is lost, late or repeated, all computers end up equal and no change is lost, twice or overwritten unseen', async () => {
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'simulator/main.ts'),
    '--runs',
    String(LIVES),
  ]);
  const [lives, edits, pushes, answers, failovers] = (
    /^(\d+) lives in .*: (\d+) edits, (\d+) pushes, (\d+) answers, (\d+) failovers$/m.exec(stdout)?.slice(1) ?? []
  ).map(Number);
  expect(lives).toBe(LIVES);
  // The lives have to have been hard ones, or the test proves nothing.
  expect(edits).toBeGreaterThan(20 * LIVES);
  expect(pushes).toBeGreaterThan(5 * LIVES);
  expect(answers).toBeGreaterThan(LIVES / 2);
  expect(failovers).toBeGreaterThan(LIVES / 2);
});

test('every planted fault is noticed', async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, '../sync/mutants/main.ts'), 'team']);
  expect(stdout).toContain('11 of 11 team mutants caught');
});
