import { runCli } from './run.ts';

/**
 * Entry of the command line. A defect of ours ends with its stack on standard error and code 70, so that it is never
 * taken for one of the documented outcomes.
 */
const DEFECT = 70;

try {
  process.exitCode = await runCli(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
} catch (error) {
  process.stderr.write(`Adslate failed in a way it should not. Nothing that was saved is lost.\n${stackOf(error)}\n`);
  process.exitCode = DEFECT;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
