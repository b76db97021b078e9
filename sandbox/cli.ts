import { parseArgs } from 'node:util';
import { readQuirks } from './quirks.ts';
import { scenarioNames } from './scenarios/load.ts';
import type { SandboxOptions } from './service.ts';
import { startSandbox } from './start.ts';

/** The command line as options, or a sentence about what is wrong with it. */
type ParsedOptions =
  | { readonly ok: true; readonly options: SandboxOptions }
  | { readonly ok: false; readonly problem: string };

const usage = `Usage: sandbox [--port N] [--data DIR] [--scenario empty|demo|conformance|sample] [--now ISO]
               [--clock real|virtual] [--extensions on|off] [--seed N] [--rate N|off]
               [--quirks NAME=VALUE,...]`;

function parseOptions(argv: readonly string[]): ParsedOptions {
  try {
    return { ok: true, options: readOptions(argv) };
  } catch (problem) {
    return { ok: false, problem: problem instanceof Error ? problem.message : String(problem) };
  }
}

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
    ...(scenario === undefined ? {} : { scenario: oneOf('scenario', scenario, scenarioNames) }),
    ...(now === undefined ? {} : { now }),
    ...(clock === undefined ? {} : { clock: oneOf('clock', clock, ['real', 'virtual'] as const) }),
    ...(extensions === undefined
      ? {}
      : { extensions: oneOf('extensions', extensions, ['on', 'off'] as const) === 'on' }),
    ...(seed === undefined ? {} : { seed: wholeNumber('seed', seed, 2 ** 31) }),
    ...(rate === undefined ? {} : { operationsPerHour: rate === 'off' ? null : wholeNumber('rate', rate, 1e9) }),
    ...(quirks === undefined ? {} : { quirks: readQuirks(quirks) }),
  };
}

function oneOf<W extends string>(name: string, value: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new Error(`--${name} must be ${words.join(' or ')}, not ${value}`);
  return word;
}

function wholeNumber(name: string, value: string, max: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > max)
    throw new Error(`--${name} must be a whole number up to ${max}, not ${value}`);
  return number;
}

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
  // The signals are met before the ready line is out: its reader may stop the sandbox in the next moment.
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
  process.stderr.write(`The sandbox couldn't start: ${problem instanceof Error ? problem.message : String(problem)}\n`);
  process.exit(1);
}

run().catch(fail);
