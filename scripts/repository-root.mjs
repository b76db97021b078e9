import { fileURLToPath } from 'node:url';

/** The folder of the repository, wherever the command was typed. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Progress goes to standard error: standard output is for the program. */
export const print = (line) => process.stderr.write(`${line}\n`);

/** Prints the problem and the next step, and ends the process. */
export function exitWithError(problem, nextStep, code = 1) {
  print(`\n${problem}\n${nextStep}`);
  process.exit(code);
}

/** Exit code for invalid arguments, as on the command line. */
export const USAGE = 2;
