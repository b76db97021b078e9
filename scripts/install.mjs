import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithError, print, root } from './repository-root.mjs';

/**
 * Installs the packages when node_modules is missing or older than the lock file. npm writes its own copy of the lock
 * into node_modules at the end of an install, so an incomplete one does not count.
 */
const lock = join(root, 'package-lock.json');
const installedLock = join(root, 'node_modules', '.package-lock.json');

const isInstalled = () => existsSync(installedLock) && statSync(installedLock).mtimeMs >= statSync(lock).mtimeMs;

export function ensureInstalled() {
  if (isInstalled()) return;
  print('Installing packages (once, about 1 minute)...');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.error)
    exitWithError(`Can't start npm: ${done.error.message}`, 'Install npm 11 (included in Node), then try again.');
  if (done.status !== 0)
    exitWithError(
      'npm ci failed. Its message is above.',
      'Check the connection to the package registry, then try again.',
    );
  if (!existsSync(pinnedNode())) {
    exitWithError('The pinned Node 24 is missing.', 'Run `npm ci` without --ignore-scripts to install it.');
  }
}

/** The pinned Node that everything but these scripts runs on. */
export function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
