import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { pinnedNode } from './install.mjs';
import { root } from './repository-root.mjs';

/** The environment of all child processes: the pinned Node comes first, so that tools of tools find it too. */
export const environment = (extra = {}) => ({
  ...process.env,
  PATH: `${join(root, 'node_modules', 'node', 'bin')}${delimiter}${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
  ...extra,
});

const PARENT_MS = 500;

/**
 * Runs a built program on the pinned Node until it ends, forwards signals, and resolves with its exit code. Standard
 * input and output are inherited.
 */
export function runProgram(file, args, options = {}) {
  const child = spawn(options.executable ?? pinnedNode(), [...(options.nodeArgs ?? []), join(root, file), ...args], {
    // npm changes into the repository; the user's relative paths refer to the original folder.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
    env: environment(options.env),
  });
  const passOn = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn);
  const watch = watchParent(() => passOn('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
    });
  });
}

/** A terminated npm ends its shell but not the shell's children; this ends the program too. */
function watchParent(onGone) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent || process.env.npm_lifecycle_event === undefined) return;
    clearInterval(watch);
    onGone();
  }, PARENT_MS);
  return watch;
}
