import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environment } from './program.mjs';
import { root } from './root.mjs';

/**
 * The static gates: each is one check. That they are awake is proven by `test/gates/`, which plants violations
 * and sees them refused.
 */
const GATES = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  {
    name: 'type-aware lint',
    command: ['oxlint', '--type-aware', '--deny-warnings', 'shared', 'main', 'preload', 'renderer', 'sandbox', 'test'],
  },
  {
    name: 'architecture',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'shared', 'main', 'preload', 'renderer', 'sandbox'],
  },
];

export function gates() {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const { name, command } of GATES) {
    const [tool, ...args] = command;
    const done = spawnSync(join(root, 'node_modules', '.bin', tool), args, {
      cwd: root,
      encoding: 'utf8',
      env: environment(),
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    });
    const passed = done.status === 0;
    counts[passed ? 'passed' : 'failed'] += 1;
    process.stdout.write(`${passed ? 'ok' : 'FAILED'}  ${name}\n`);
    if (passed) continue;
    counts.failures.push(name);
    process.stdout.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\n`);
  }
  return counts;
}
