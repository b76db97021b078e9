import { constants } from 'node:os';
import { CliError, EXIT_CODE } from './cli-error.ts';
import { createOutput } from './output.ts';
import { defectStop, runCli, saidDataDir } from './run.ts';

/**
 * Entry of the command line, and the one place where it ends: with an exit code that is documented and, when something went
 * wrong, one message or one object of JSON. Nobody is ever shown a stack; that of a defect goes to the log.
 */
const args = process.argv.slice(2);
const streams = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};
// Until the command has ended, nothing counts as done.
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

// A reader that has seen enough, such as `head`, closes the pipe: the work goes on to its end, unread. Any other failure
// means that the caller waits for a result that never arrives.
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
      // A user who asks twice does not want to wait.
      process.once(signal, () => process.exit(code));
      reject(new CliError(code, 'STOPPED', `Stopped by ${signal}. Saved data is kept.`));
    });
  }
});
// A command that is running reports it. Where none is running, there is nothing to stop.
stopped.catch(() => undefined);

runCli(args, streams, { stopped }).then((code) => {
  end(code);
  // Work that a stopped command left in the event loop is not awaited.
  if (code > EXIT_CODE.defect) process.exit();
}, endOnDefect);
