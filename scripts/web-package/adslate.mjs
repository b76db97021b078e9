#!/usr/bin/env node
/**
 * Starts the packaged Adslate: `adslate` opens the window in a browser, `adslate <verb>` is the command line. Plain
 * Node and old syntax up to the check, so that an old Node gets a sentence and not a syntax error.
 */
const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
  process.stderr.write(
    `Adslate needs Node ${NEEDED} or newer; this is ${process.versions.node}.\nInstall it from https://nodejs.org and start again.\n`,
  );
  process.exit(2);
}
const first = process.argv[2];
const isWindow = first === undefined || (first.startsWith('--') && first !== '--help');
await import(isWindow ? '../out/main/web.js' : '../out/main/cli.js');
