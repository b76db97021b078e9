import { fileURLToPath } from 'node:url';

/** The folder of the repository, wherever the command was typed. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Progress goes to standard error: standard output belongs to what the program prints. */
export const print = (line) => process.stderr.write(`${line}\n`);

/** Says what failed and what to do, and ends the process. */
export function exitWithError(problem, nextStep, code = 1) {
  print(`\n${problem}\n${nextStep}`);
  process.exit(code);
}

/** Exit code for words that make no sense, as on the command line. */
export const USAGE = 2;
