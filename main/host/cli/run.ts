import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createRouterClient } from '@orpc/server';
import { createFilePreferences } from '../../accounts/file-preferences.ts';
import { createSecretBox } from '../../accounts/secret-box.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { type Core, createCore } from '../../core.ts';
import { defaultDataDir } from '../data-dir.ts';
import { systemKeyStore } from '../keyring/system-key-store.ts';
import { helpText, type Invocation, readArguments, usageOf } from './arguments.ts';
import type { Context } from './command.ts';
import { COMMANDS } from './commands.ts';
import { createOutput, type Output, type Streams } from './output.ts';
import { readPassphraseFile } from './passphrase-file.ts';
import { asStop, openingStop, secretsText } from './problem-text.ts';
import { EXIT, type ExitCode, Stop, usageStop } from './stop.ts';

/** Runs one verb and answers with the exit code. It writes to the given streams only and never exits by itself. */
export async function runCli(args: readonly string[], streams: Streams, clock: Clock = systemClock): Promise<ExitCode> {
  const output = createOutput(args.includes('--json'), streams);
  const started: { core: Promise<Core> | null } = { core: null };
  try {
    const invocation = readArguments(COMMANDS, args);
    if (invocation.command === null || invocation.options['help'] === true) {
      streams.out(`${helpText(COMMANDS, invocation.command)}\n`);
      return EXIT.done;
    }
    const dataDir = resolve(textOf(invocation, 'data') ?? defaultDataDir());
    const startCore = () => {
      started.core ??= openCore(dataDir, clock, textOf(invocation, 'passphrase-file'));
      return started.core;
    };
    return await invocation.command.run(contextOf(invocation, dataDir, output, startCore, clock));
  } catch (error) {
    const stop = asStop(error);
    if (stop === null) throw error;
    output.problem(stop.code, stop.message);
    return stop.exitCode;
  } finally {
    // A core that could not be opened has been told about already.
    await (await started.core?.catch(() => null))?.close();
  }
}

async function openCore(dataDir: string, clock: Clock, passphraseFile: string | null): Promise<Core> {
  const secrets = createSecretBox({ dataDir, clock, keyStore: systemKeyStore });
  if (passphraseFile !== null && (await secrets.status()).state === 'locked') {
    const unlocked = await secrets.unlock(await readPassphraseFile(passphraseFile));
    if (!unlocked.ok) throw new Stop(EXIT.refused, 'SECRETS_REFUSED', secretsText(unlocked.error.reason));
  }
  return createCore({ dataDir, host: 'cli', clock, preferences: createFilePreferences(dataDir), secrets });
}

function contextOf(
  invocation: Invocation,
  dataDir: string,
  output: Output,
  startCore: () => Promise<Core>,
  clock: Clock,
): Context {
  const client = async () => createRouterClient((await startCore()).router);
  const workspaceId = async () => {
    const accounts = await (await client()).accounts.list();
    const wanted = textOf(invocation, 'account');
    const found =
      wanted === null ? accounts[0] : accounts.find(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
    if (found !== undefined) return found.workspaceId;
    throw usageStop(
      wanted === null
        ? 'There is no account yet. "adslate account add --name Practice --practice" adds one.'
        : `There is no account "${wanted}". "adslate account list" shows those that are there.`,
    );
  };
  return {
    output,
    dataDir,
    nowMs: () => clock.nowMs(),
    positionals: invocation.positionals,
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true && !output.json,
    flag: (name) => invocation.options[name] === true,
    text: (name) => textOf(invocation, name),
    need: (name) => {
      const text = textOf(invocation, name);
      if (text !== null && text.trim() !== '') return text;
      throw usageStop(
        `--${name} is missing. ${invocation.command === null ? '' : `Write: ${usageOf(invocation.command)}`}`,
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
      throw openingStop(opened.error);
    },
    ask: async (question) => {
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await terminal.question(question);
      } finally {
        terminal.close();
      }
    },
  };
}

function textOf(invocation: Invocation, name: string): string | null {
  const value = invocation.options[name];
  return typeof value === 'string' ? value : null;
}
