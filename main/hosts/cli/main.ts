import { constants } from 'node:os';
import { CliError, EXIT_CODE } from './cli-error.ts';
import { createOutput } from './output.ts';
import { defectStop, runCli, saidDataDir } from './run.ts';

/**
 * Entry of the command line, and the only place that ends it: with a documented exit code and, after a failure, one
 * message or one JSON object. The user never sees a stack; that of a defect goes to the log.
 */
const args = process.argv.slice(2);
const streams = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};
// An exit before the command has ended counts as a failure.
process.exitCode = EXIT_CODE.defect;
let isOver = false;
let isUnwritten = false;

function end(code: number): void {
  isOver = true;
  // A result that could not be written is a failure for the caller, even if the command succeeded.
  process.exitCode = isUnwritten && code === EXIT_CODE.done ? EXIT_CODE.refused : code;
}

/** Ends on an uncaught error: the state is unknown. */
function endOnDefect(error: unknown): void {
  if (isOver) process.exit();
  const stop = defectStop(error, saidDataDir(args));
  createOutput(args.includes('--json'), streams).problem(stop.code, stop.message);
  end(stop.exitCode);
  process.exit();
}
process.on('uncaughtException', endOnDefect);
process.on('unhandledRejection', endOnDefect);
process.on('exit', () => {
  if (!isOver) streams.err('Adslate ended before the command was done. Saved data is kept. Run the command again.\n');
});

// A reader such as `head` closes the pipe when it has enough: the command still runs to its end. With any other
// failure, the caller would wait for a result that never arrives.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') return;
  // Each line fails again; the first failure is reported.
  if (isUnwritten) return;
  isUnwritten = true;
  streams.err(`Can't write the result to standard output: ${error.message}\n`);
  if (isOver) end(Number(process.exitCode));
});
// There is no other place to report it.
process.stderr.on('error', () => undefined);

const stopped = new Promise<never>((_resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const code = 128 + constants.signals[signal];
    process.once(signal, () => {
      // A second signal ends the process at once.
      process.once(signal, () => process.exit(code));
      reject(new CliError(code, 'STOPPED', `Stopped by ${signal}. Saved data is kept.`));
    });
  }
});
// A command that is running reports it. Where none is running, there is nothing to stop.
stopped.catch(() => undefined);

runCli(args, streams, { stopped }).then((code) => {
  end(code);
  // A stopped command may leave work in the event loop; it is not awaited.
  if (code > EXIT_CODE.defect) process.exit();
}, endOnDefect);
