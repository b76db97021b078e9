import { parseArgs } from 'node:util';
import { oneOf, readQuirks } from './quirks.ts';
import { type SandboxOptions, scenarioNames } from './service.ts';

const usage = `Usage: sandbox [--port N] [--data DIR] [--scenario empty|demo|conformance|sample] [--now ISO]
               [--clock real|virtual] [--extensions on|off] [--seed N] [--rate N|off]
               [--quirks NAME=VALUE,...]`;

/** @throws an error that says what is wrong with the command line */
function readOptions(argv: readonly string[]): SandboxOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: text,
      data: text,
      scenario: text,
      now: text,
      clock: text,
      extensions: text,
      seed: text,
      rate: text,
      quirks: text,
    },
  });
  const { port, data, scenario, now, clock, extensions, seed, rate, quirks } = values;
  if (now !== undefined && Number.isNaN(Date.parse(now))) throw new Error(`--now must be an ISO 8601 time, not ${now}`);
  return {
    ...(port === undefined ? {} : { port: wholeNumber('port', port, 65_535) }),
    ...(data === undefined ? {} : { dataDir: data }),
    ...(scenario === undefined ? {} : { scenario: oneOf('--scenario', scenario, scenarioNames) }),
    ...(now === undefined ? {} : { now }),
    ...(clock === undefined ? {} : { clock: oneOf('--clock', clock, ['real', 'virtual']) }),
    ...(extensions === undefined ? {} : { extensions: oneOf('--extensions', extensions, ['on', 'off']) === 'on' }),
    ...(seed === undefined ? {} : { seed: wholeNumber('seed', seed, 2 ** 31) }),
    ...(rate === undefined ? {} : { operationsPerHour: rate === 'off' ? null : wholeNumber('rate', rate, 1e9) }),
    ...(quirks === undefined ? {} : { quirks: readQuirks(quirks) }),
  };
}

function wholeNumber(name: string, value: string, max: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > max)
    throw new Error(`--${name} must be a whole number up to ${max}, not ${value}`);
  return number;
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/**
 * The sandbox as a program. Standard output has only the ready line, so that a program can read it; text for people
 * goes to standard error. With `--help`, standard output has the help text and no ready line. Exit 2 for a wrong
 * command line, 1 if it can't start.
 */
async function run(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  let options: SandboxOptions;
  try {
    options = readOptions(words);
  } catch (problem) {
    process.stderr.write(`${messageOf(problem)}\n${usage}\n`);
    process.exitCode = 2;
    return;
  }
  // Signals are handled before the ready line is printed: its reader may stop the sandbox right after it.
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
  // Loaded only when the service starts, so that errors in the command line are reported at once.
  const { startSandbox } = await import('./start.ts');
  const sandbox = await startSandbox(options);
  process.stdout.write(`${JSON.stringify(sandbox.ready)}\n`);
  await stopped;
  await sandbox.close();
  process.exit(0);
}

run().catch((problem: unknown) => {
  process.stderr.write(`The sandbox couldn't start: ${messageOf(problem)}\n`);
  process.exit(1);
});
