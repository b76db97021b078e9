import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveUp, root, say } from './root.mjs';

/**
 * Installs the packages when they are missing or the lock file has changed since. What was installed is told by
 * the lock file's hash kept inside node_modules, because a checkout changes times without changing content.
 */
const stamp = join(root, 'node_modules', '.adslate-lock');
const lock = join(root, 'package-lock.json');

const lockHash = () => createHash('sha256').update(readFileSync(lock)).digest('hex');

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash();

export function ensureInstalled() {
  if (isInstalled()) return;
  say('Installing the packages of package-lock.json (about a minute, once)...');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.error)
    giveUp(`npm could not be started: ${done.error.message}`, 'Install npm 11 (it comes with Node) and try again.');
  if (done.status !== 0)
    giveUp(
      'npm ci failed; its own message is above.',
      'Check that the package registry can be reached, then try again.',
    );
  if (!existsSync(pinnedNode())) {
    giveUp(
      'The pinned Node 24 is missing.',
      'Its package needs its install script: run `npm ci` without --ignore-scripts.',
    );
  }
  writeFileSync(stamp, lockHash());
}

/** The Node that everything but these scripts runs on. */
export function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
