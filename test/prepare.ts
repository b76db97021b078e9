import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/build.mjs';
import { PREPARED } from './prepared-account.ts';

const OUT = join(import.meta.dirname, '..', 'out');

/** Brings the bundle up to date whose threads the tests start, and the account that they copy: made by that bundle. */
export default function prepare(): void {
  ensureBuilt(['main']);
  const made = readFileSync(join(OUT, 'main.stamp'), 'utf8');
  const stamp = `${PREPARED}.stamp`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return;
  const fresh = `${PREPARED}-${process.pid}`;
  for (const words of [['account', 'add', '--name', 'Shop', '--practice'], ['status']]) {
    const done = spawnSync(process.execPath, [join(OUT, 'main', 'cli.js'), ...words, '--data', fresh], {
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Error(`No account could be prepared: ${done.stderr}`);
  }
  // Where it was opened before is no matter: a copy would ask which of the two it is.
  rmSync(join(fresh, 'openings.json'));
  rmSync(PREPARED, { recursive: true, force: true });
  renameSync(fresh, PREPARED);
  writeFileSync(stamp, made);
}
