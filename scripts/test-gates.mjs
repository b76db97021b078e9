import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { root } from './repository-root.mjs';
import { environment } from './run-program.mjs';

const AREAS = ['shared', 'main', 'preload', 'renderer', 'sandbox'];

/**
 * The static gates: tools with their configuration. `sees` reads the number of files or modules that a tool reports, with
 * a plausible minimum, because a tool could pass by checking nothing. `test/gates` plants a violation for each gate.
 *
 * Types are checked by one checker, and the type-aware lint runs on one core: each further one computes the types of zod
 * and oRPC again, which costs a third more CPU time. Both are Go programs that collect garbage at every doubling of their
 * memory; five times as much before a collection saves a sixth of their CPU time and needs 2.6 GB.
 */
const GATES = [
  { name: 'types', command: ['tsc', '-b', '--checkers', '1'], env: { GOGC: '400' } },
  {
    name: 'format and lint',
    command: ['biome', 'check', '.'],
    sees: [/Checked (\d+) files/, 1000],
  },
  {
    name: 'type-aware lint',
    // Known unsafe uses of `any`. Lower it when one is removed.
    command: ['oxlint', '--type-aware', '--max-warnings', '32', ...AREAS, 'test'],
    env: { GOMAXPROCS: '1', GOGC: '400' },
    sees: [/on (\d+) files/, 1000],
  },
  {
    name: 'imports',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...AREAS],
    sees: [/\((\d+) modules/, 500],
  },
  {
    name: 'unused files, exports and packages',
    command: ['knip', '--no-progress', '--include', 'files,dependencies,unlisted,unresolved,exports'],
  },
  {
    name: 'exports that only tests use',
    command: ['knip', '--no-progress', '--production', '--include', 'exports'],
  },
  { name: 'copies', command: ['jscpd', '--config', '.jscpd.json', '--no-colors', '--fail-on-empty'] },
];

export async function gates() {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const { name, command, env = {}, sees } of GATES) {
    const [tool, ...args] = command;
    // Yields, so that a disconnect of the parent process is handled between two gates.
    await setImmediate();
    const done = spawnSync(join(root, 'node_modules', '.bin', tool), args, {
      cwd: root,
      encoding: 'utf8',
      env: environment(env),
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    });
    const output = `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`;
    const passed = done.status === 0 && hasSeen(output, sees);
    counts[passed ? 'passed' : 'failed'] += 1;
    process.stdout.write(`${passed ? 'ok' : 'FAILED'}  ${name}\n`);
    if (passed) continue;
    counts.failures.push(name);
    process.stdout.write(`${output}\n`);
  }
  return counts;
}

function hasSeen(output, sees) {
  if (sees === undefined) return true;
  const [pattern, least] = sees;
  return Number(pattern.exec(output)?.[1] ?? 0) >= least;
}
