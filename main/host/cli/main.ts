import { runCli } from './run.ts';

/**
 * Entry of the command line. A defect of ours ends with its stack on standard error and code 70, so that it is never
 * taken for one of the documented outcomes.
 */
const DEFECT = 70;

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of ours.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit();
  throw error;
});

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
