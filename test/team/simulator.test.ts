import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runs, share } from '../share.ts';
import { TEAM_MUTANTS } from './mutants/mutants.ts';

/** How many lives; `npm run test:team` plays 300,000. A failing seed is printed and can be played alone. */
const LIVES = Number(process.env['TEAM_LIVES'] ?? runs(2000, 300));
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

test.each(share('faults planted in a team', TEAM_MUTANTS, 4))(
  'the planted fault "$name" is noticed',
  async ({ name }) => {
    const main = join(import.meta.dirname, '../sync/mutants/main.ts');
    const { stdout } = await run(process.execPath, [main, 'team', name]);
    expect(stdout).toMatch(/^([1-9]) of \1 team mutants caught$/mu);
  },
);
