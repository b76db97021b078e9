/**
 * `node scripts/run.mjs PROGRAM -- ARGS`: installs and builds what is missing, then runs one program of the
 * project on the pinned Node.
 */
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { tellDesktopFiles } from './desktop-files.mjs';
import { ensureInstalled } from './install.mjs';
import { packageWebNow } from './package-web.mjs';
import { exitWithError, root, USAGE } from './repository-root.mjs';
import { runProgram } from './run-program.mjs';

const PROGRAMS = {
  cli: { file: 'out/main/cli.js', modes: ['main'] },
  demo: { file: 'out/main/demo.js', modes: ['main'] },
  sandbox: { file: 'out/sandbox/cli.js', modes: ['sandbox'] },
  bench: { file: 'test/bench/main.ts', modes: ['main', 'sandbox', 'renderer'] },
  package: { file: 'node_modules/electron-builder/cli.js', modes: undefined },
};

const [name, ...rest] = process.argv.slice(2);
const program = Object.hasOwn(PROGRAMS, name ?? '') ? PROGRAMS[name] : undefined;
if (program === undefined) {
  exitWithError(
    `"${name ?? ''}" is not a program of this project.`,
    `Choose one of: ${Object.keys(PROGRAMS).join(', ')}.`,
    USAGE,
  );
} else {
  ensureInstalled();
  ensureBuilt(program.modes);
  const words = rest[0] === '--' ? rest.slice(1) : rest;
  const isPackage = name === 'package';
  process.exitCode =
    isPackage && words.includes('--web') ? await packageWebNow() : await runProgram(program.file, words);
  if (isPackage && !words.includes('--web') && process.exitCode === 0) {
    process.exitCode = await tellDesktopFiles(join(root, 'dist'));
  }
}
