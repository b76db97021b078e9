import { parseOptions, usage } from './options.ts';
import { startSandbox } from './start.ts';

/**
 * The sandbox as a program. Standard output carries the ready line and nothing else, so that a program can read it;
 * everything meant for people goes to standard error, but for the words of `--help`, after which there is no ready line.
 * Exit 2 for a wrong command line, 1 when it cannot start.
 */
async function run(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const parsed = parseOptions(words);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.problem}\n${usage}\n`);
    process.exitCode = 2;
    return;
  }
  // The signals are met before the ready line is out: whoever reads it may stop the sandbox in the next moment.
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
  const sandbox = await startSandbox(parsed.options);
  process.stdout.write(`${JSON.stringify(sandbox.ready)}\n`);
  await stopped;
  await sandbox.close();
  process.exit(0);
}

function fail(problem: unknown): void {
  process.stderr.write(`The sandbox cannot run: ${problem instanceof Error ? problem.message : String(problem)}\n`);
  process.exit(1);
}

run().catch(fail);
