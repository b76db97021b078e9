#!/usr/bin/env node
/**
 * Starts the packaged Adslate: `adslate` opens the window in a browser, `adslate COMMAND` is the command line. Plain
 * Node and old syntax up to the check, so that an old Node gets a sentence and not a syntax error.
 */
const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
  process.stderr.write(
    `Adslate requires Node ${NEEDED} or newer. This is Node ${process.versions.node}.\nInstall it from https://nodejs.org, then start Adslate again.\n`,
  );
  process.exit(2);
}
const first = process.argv[2];
const isWindow = first === undefined || (first.startsWith('--') && first !== '--help');
if (isWindow) await boundMemory();
await import(isWindow ? '../out/main/web.js' : '../out/main/cli.js');

/**
 * Node reads its memory limits at the start. So this process is replaced by one with these flags, and keeps its
 * process ID; Windows can't do that, so there the flags apply at least to threads started later.
 */
async function boundMemory() {
  const { NODE_ENVIRONMENT, NODE_FLAGS } = await import('./node-flags.mjs');
  if (NODE_FLAGS.every((word) => process.execArgv.includes(word))) return;
  if (process.platform === 'win32') {
    const { setFlagsFromString } = await import('node:v8');
    for (const word of NODE_FLAGS) setFlagsFromString(word);
    return;
  }
  const words = [process.execPath, ...process.execArgv, ...NODE_FLAGS, ...process.argv.slice(1)];
  process.execve(process.execPath, words, { ...process.env, ...NODE_ENVIRONMENT });
}
