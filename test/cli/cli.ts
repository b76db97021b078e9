import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { z } from 'zod';
import type { Keychain } from '../../main/accounts/credential-store.ts';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import type { Core } from '../../main/core/core.ts';
import { type RunOptions, runCli } from '../../main/hosts/cli/run.ts';
import type { ReadyLine } from '../../sandbox/start.ts';
import { startCore } from '../core/a-core.ts';
import { copyAccount } from '../prepared-account.ts';
import { HERE } from '../store/without-threads.ts';

/** One run of the command line on a data folder, inside this process. */
export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Waits are over at once and count as time that has passed, so that back-off and settling cost a test nothing. It runs
 * ahead of the machine's clock, which the client has to cope with anyway.
 */
export function impatientClock(): Clock {
  let aheadMs = 0;
  return {
    nowMs: () => systemClock.nowMs() + aheadMs,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    sleep: async (delayMs, signal) => {
      aheadMs += delayMs;
      await systemClock.sleep(Math.min(delayMs, 5), signal);
    },
  };
}

/** Programs that stay open between the commands on their data folder. */
const opened = new Map<string, Core>();

/**
 * Has the commands of a suite on this data folder share one open account, where they are about what a command does and not
 * about what its end leaves: each that opens the account anew costs 0.3 s of CPU.
 */
export function keptOpen(dataDir: string): string {
  beforeAll(async () => {
    const core = await startCore(dataDir, { host: 'cli', clock: impatientClock() });
    opened.set(dataDir, core);
    return async () => {
      opened.delete(dataDir);
      await core.close();
    };
  });
  return dataDir;
}

export const cli = (dataDir: string, ...args: readonly string[]): Promise<CliRun> => {
  const core = opened.get(dataDir);
  return runWith(core === undefined ? {} : { core }, dataDir, args);
};

/** The same where the system keeps keys: one that a passphrase protects takes a third of a second to open, at every command. */
export const cliWithKeychain = (keychain: Keychain | null, dataDir: string, args: readonly string[]): Promise<CliRun> =>
  runWith({ keychain: async () => keychain }, dataDir, args);

async function runWith(options: RunOptions, dataDir: string, args: readonly string[]): Promise<CliRun> {
  let out = '';
  let err = '';
  const streams = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const code = await runCli([...args, '--data', dataDir], streams, {
    clock: impatientClock(),
    threads: HERE,
    ...options,
  });
  return { code, out, err };
}

/** The same with `--json`, whose one object is read. */
export async function cliJson<T extends z.ZodType>(
  shape: T,
  dataDir: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly json: z.infer<T> }> {
  const { code, out } = await cli(dataDir, ...args, '--json');
  return { code, json: shape.parse(JSON.parse(out)) };
}

/** A data folder in this folder, with the practice account "Shop". */
export function practiceData(folder: string): string {
  const data = join(folder, 'data');
  copyAccount(data);
  return data;
}

/** A file of this folder, written. */
export function written(folder: string, name: string, content: string | Buffer): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** `account add` for the first account of a service, its secrets in files of the folder; an option may be changed. */
export function connecting(
  { ready }: { readonly ready: ReadyLine },
  folder: string,
  changes: Readonly<Record<string, string>> = {},
): readonly string[] {
  const [account] = ready.accounts;
  if (account === undefined) throw new Error('the service has no account');
  const options: Record<string, string> = {
    name: 'Shop',
    'base-url': ready.baseUrl,
    advertiser: String(account.advertiserId),
    'consumer-id': account.consumerId,
    'key-version': account.keyVersion,
    'key-file': written(folder, 'key.pem', account.privateKeyPem),
    'token-file': written(folder, 'token.txt', `${account.token}\n`),
    'retail-host': ready.retailHost,
    ...changes,
  };
  return ['account', 'add', ...Object.entries(options).flatMap(([key, value]) => [`--${key}`, value])];
}

export const Problem = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
