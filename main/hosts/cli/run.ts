import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createRouterClient } from '@orpc/server';
import { createCredentialStore } from '../../accounts/credential-store.ts';
import { createFilePreferences } from '../../accounts/file-preferences.ts';
import { type Clock, systemClock } from '../../app/clock.ts';
import { createFileLog } from '../../app/log.ts';
import { diskWords, errorCode } from '../../app/system.ts';
import { type Core, createCore } from '../../core/core.ts';
import { THREADS, type Threads } from '../../core/core-options.ts';
import { systemKeychain } from '../keyring/system-keychain.ts';
import { defaultDataDir } from '../start/start-options.ts';
import {
  CliError,
  EXIT_CODE,
  type ExitCode,
  failureError,
  noAccountText,
  toCliError,
  usageError,
} from './cli-error.ts';
import { type Command, type Context, helpText, type Invocation, readArguments, usageOf } from './command.ts';
import { accountCommands } from './commands/accounts.ts';
import { backupCommands } from './commands/backup.ts';
import { campaignCommands } from './commands/campaign-ids.ts';
import { checkCommands } from './commands/check.ts';
import { compareCommand } from './commands/compare.ts';
import { conflictCommands } from './commands/conflicts.ts';
import { cubeCommands } from './commands/cube.ts';
import { doctorCommands } from './commands/doctor.ts';
import { folderCommands } from './commands/folder.ts';
import { importExportCommands } from './commands/import-export.ts';
import { itemCommands } from './commands/item-ids.ts';
import { keywordCommands } from './commands/keywords.ts';
import { mediaCommands } from './commands/media.ts';
import { metricsCommands } from './commands/metrics.ts';
import { planCommands } from './commands/plan.ts';
import { reportCommands } from './commands/report.ts';
import { responseCommands } from './commands/responses.ts';
import { statusCommands } from './commands/status.ts';
import { storyboardCommands } from './commands/storyboard.ts';
import { suggestCommands } from './commands/suggest.ts';
import { syncCommands } from './commands/sync.ts';
import { teamAdminCommands } from './commands/team-admin.ts';
import { teamRequestCommands } from './commands/team-requests.ts';
import { teamShareCommands } from './commands/team-share.ts';
import { readPassphraseFile } from './named-file.ts';
import { createOutput, type Output, type Streams } from './output.ts';

export interface RunOptions {
  readonly clock?: Clock;
  /** The keychain for credentials; defaults to that of the system. */
  readonly keychain?: typeof systemKeychain;
  /** Defaults to the worker threads of the program. */
  readonly threads?: Threads;
  /** An open core, which stays open; without one the command opens its own. */
  readonly core?: Core;
  /** Rejects with a `CliError` to stop the run early. */
  readonly stopped?: Promise<never>;
}

/** How long a stopped command may take to delete unfinished files, in milliseconds. */
const CLEARING_MS = 3000;

/** Runs one command and always returns an exit code. Writes to the given streams only and never exits the process. */
export async function runCli(args: readonly string[], streams: Streams, options: RunOptions = {}): Promise<ExitCode> {
  const output = createOutput(args.includes('--json'), streams);
  const nowhere = args.includes('--help') || args.length === 0 ? null : workingFolderStop();
  if (nowhere !== null) {
    output.problem(nowhere.code, nowhere.message);
    return nowhere.exitCode;
  }
  try {
    return await runVerb(args, streams, output, options);
  } catch (error) {
    const dataDir = saidDataDir(args);
    const stop = toCliError(error, dataDir) ?? defectStop(error, dataDir, options.clock);
    output.problem(stop.code, stop.message);
    return stop.exitCode;
  }
}

/** Why no command can run in this working folder: relative paths can't be resolved, and no thread can start. */
function workingFolderStop(): CliError | null {
  try {
    process.cwd();
    return null;
  } catch (error) {
    const words = diskWords(error);
    if (words === null) throw error;
    const what = errorCode(error) === 'ENOENT' ? 'no longer exists' : `can't be used: ${words}`;
    return new CliError(
      EXIT_CODE.usage,
      'NO_WORKING_FOLDER',
      `The current folder ${what}. Change to another folder, then run the command again.`,
    );
  }
}

async function runVerb(
  args: readonly string[],
  streams: Streams,
  output: Output,
  options: RunOptions,
): Promise<ExitCode> {
  const { clock = systemClock, core: given, stopped } = options;
  const own: { core: Promise<Core> | null } = { core: null };
  // A core that failed to open was reported already.
  const closeCore = async () => (await own.core?.catch(() => null))?.close();
  try {
    const invocation = readArguments(COMMANDS, args);
    if (invocation.command === null || invocation.options['help'] === true) {
      streams.out(`${helpText(COMMANDS, invocation.command)}\n`);
      return EXIT_CODE.done;
    }
    const dataDir = resolve(textOf(invocation, 'data') ?? defaultDataDir());
    const startCore = async () => {
      if (given !== undefined) return given;
      own.core ??= openCore(dataDir, options, textOf(invocation, 'passphrase-file'), output);
      return own.core;
    };
    const { command } = invocation;
    const context = contextOf(invocation, dataDir, output, startCore, clock, stopped);
    const verb = (async () => (await command.run(context)) ?? EXIT_CODE.done)();
    if (stopped === undefined) return await verb;
    try {
      return await Promise.race([verb, stopped]);
    } catch (error) {
      // A command whose core is closed fails, and deletes unfinished files.
      if (error instanceof CliError && error.code === 'STOPPED')
        await Promise.race([Promise.allSettled([closeCore(), verb]), systemClock.sleep(CLEARING_MS)]);
      throw error;
    }
  } finally {
    await closeCore();
  }
}

/** The data folder of a command line, also one that can't be parsed otherwise. */
export function saidDataDir(args: readonly string[]): string {
  const at = args.lastIndexOf('--data');
  const joined = args.findLast((word) => word.startsWith('--data='))?.slice('--data='.length);
  return resolve((at === -1 ? joined : args[at + 1]) ?? defaultDataDir());
}

/** Converts a defect to a message. Its stack goes to the log. */
export function defectStop(error: unknown, dataDir: string, clock: Clock = systemClock): CliError {
  const what = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0] ?? ''}` : 'not an error';
  createFileLog(dataDir, clock)('unexpected failure', { operation: 'cli', error: what, reason: placesOf(error) });
  return new CliError(
    EXIT_CODE.defect,
    'DEFECT',
    `Internal error (${what}). Saved data is kept. ${join(dataDir, 'log', 'adslate.log')} has details.`,
  );
}

/** The nearest places of our code in a stack, without the path in which Adslate is installed. */
function placesOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return [...stack.matchAll(/((?:main|shared|out)\/[\w./-]+:\d+)/gu)]
    .slice(0, 4)
    .map(([, place]) => place)
    .join(' < ');
}

async function openCore(
  dataDir: string,
  { clock = systemClock, keychain = systemKeychain, threads = THREADS }: RunOptions,
  passphraseFile: string | null,
  output: Output,
): Promise<Core> {
  const secrets = createCredentialStore({ dataDir, clock, keychain });
  if (passphraseFile !== null && (await secrets.status()).state === 'locked') {
    const unlocked = await secrets.unlock(await readPassphraseFile(passphraseFile));
    if (!unlocked.ok) throw failureError(unlocked.error);
  }
  const preferences = createFilePreferences(dataDir, clock);
  const problem = preferences.takeProblem();
  if (problem !== null) output.aside(problem);
  return createCore({ dataDir, host: 'cli', clock, preferences, secrets, threads });
}

function contextOf(
  invocation: Invocation,
  dataDir: string,
  output: Output,
  startCore: () => Promise<Core>,
  clock: Clock,
  stopped: RunOptions['stopped'],
): Context {
  const client = async () => createRouterClient((await startCore()).router);
  const workspaceId = async () => {
    const accounts = await (await client()).accounts.list();
    const wanted = textOf(invocation, 'account');
    const found =
      wanted === null ? accounts[0] : accounts.find(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
    if (found !== undefined) return found.workspaceId;
    throw usageError(
      wanted === null
        ? `No account yet in ${dataDir}. Run "adslate account add --name Practice --practice" to add one.`
        : noAccountText(wanted),
    );
  };
  const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true && !output.json;
  return {
    output,
    dataDir,
    nowMs: () => clock.nowMs(),
    positionals: invocation.positionals,
    interactive,
    flag: (name) => invocation.options[name] === true,
    text: (name) => textOf(invocation, name),
    texts: (name) => [invocation.options[name] ?? []].flat().filter((each) => typeof each === 'string'),
    need: (name) => {
      const text = textOf(invocation, name);
      if (text !== null && text.trim() !== '') return text;
      throw usageError(
        `--${name} is missing. ${invocation.command === null ? '' : `Run "${usageOf(invocation.command)}".`}`,
      );
    },
    core: startCore,
    client,
    workspaceId,
    atAccount: async () => ({ client: await client(), workspaceId: await workspaceId() }),
    account: async () => {
      const id = await workspaceId();
      const opened = await (await startCore()).open.get(id);
      if (opened.ok) return opened.value;
      throw failureError(opened.error);
    },
    isConfirmed: async (question, otherwise) => {
      if (invocation.options['yes'] === true) return true;
      if (!interactive) throw otherwise;
      return /^y(es)?$/i.test((await ask(`${question} [y/N] `, stopped)).trim());
    },
  };
}

/**
 * The reply of the user at the terminal. The prompt goes to standard error, so that standard output has only the result.
 * If the run is stopped, the question ends with it.
 */
async function ask(question: string, stopped: RunOptions['stopped']): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // A closed terminal gives no reply, which counts as no.
  const closed = new Promise<string>((answer) => terminal.once('close', () => answer('')));
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await Promise.race([terminal.question(question), closed, ...(stopped === undefined ? [] : [stopped])]);
  } finally {
    terminal.close();
  }
}

function textOf(invocation: Invocation, name: string): string | null {
  const value = invocation.options[name];
  return typeof value === 'string' ? value : null;
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...importExportCommands,
  ...mediaCommands,
  ...folderCommands,
  ...doctorCommands,
  ...itemCommands,
  ...campaignCommands,
  ...checkCommands,
  ...planCommands,
  ...syncCommands,
  ...teamShareCommands,
  ...teamAdminCommands,
  ...statusCommands,
  ...responseCommands,
  ...conflictCommands,
  compareCommand,
  ...keywordCommands,
  ...storyboardCommands,
  ...metricsCommands,
  ...reportCommands,
  ...cubeCommands,
  ...suggestCommands,
  ...backupCommands,
  ...teamRequestCommands,
];
