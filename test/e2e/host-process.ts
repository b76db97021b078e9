import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../main/hosts/start/node-flags.mjs';

/** The built program; OUT names another folder than `out`. */
export const OUT = process.env['OUT'] ?? join(import.meta.dirname, '..', '..', 'out');

/** One command of the built program on a data folder. No window may have it open. */
export function adslate(dataDir: string, ...words: readonly string[]): void {
  const run = spawnSync(process.execPath, [join(OUT, 'main/cli.js'), ...words, '--data', dataDir], {
    encoding: 'utf8',
  });
  // 1 says that there are issues, 3 that something needs the user.
  if (![0, 1, 3].includes(run.status ?? -1)) throw new Error(`${words[0]}: ${run.stdout}${run.stderr}`);
}

/** The built web host in a process of its own, started the way `npm start` starts it. */
export interface HostProcess {
  /** Signs one page in, once, within a minute. */
  readonly url: string;
  readonly origin: string;
  readonly startedInMs: number;
  readonly pid: number;
  /** All that was written to standard error so far. */
  said(): string;
  /** Ends it politely, or at once as a crash would, and waits for its end. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Hosts that have not ended yet. */
const running = new Set<ChildProcess>();

/** Ends the hosts that a spec has left running because it failed on the way. */
export function endHosts(): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * @param entry file to run on the Node that runs the tests
 * @param nodeArgs words for Node itself
 * @param environment beside that of the tests
 */
export async function startHostProcess(
  entry: string,
  args: readonly string[],
  nodeArgs: readonly string[] = NODE_FLAGS,
  environment: Readonly<Record<string, string>> = NODE_ENVIRONMENT,
): Promise<HostProcess> {
  const child = spawn(process.execPath, [...nodeArgs, entry, ...args, '--ready-json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, ADSLATE_STARTED_AT: String(Date.now()) },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const line = await Promise.race([firstLine(child), once(child, 'exit').then(() => null)]);
  if (line === null) throw new Error(`The host ended before it was ready:\n${said}`);
  const ready = readReadyLine(line);
  return {
    ...ready,
    pid: child.pid ?? 0,
    origin: new URL(ready.url).origin,
    said: () => said,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

/** The same with the built program, which opens no browser. */
export const startBuiltHost = (args: readonly string[], ...more: NodeWords): Promise<HostProcess> =>
  startHostProcess(join(OUT, 'main/web.js'), [...args, '--no-open'], ...more);

type NodeWords = Parameters<typeof startHostProcess> extends [unknown, unknown, ...infer More] ? More : never;

async function firstLine(child: ChildProcess): Promise<string | null> {
  if (child.stdout === null) return null;
  for await (const line of createInterface({ input: child.stdout })) return line;
  return null;
}

function readReadyLine(line: string): { readonly url: string; readonly startedInMs: number } {
  const ready: unknown = JSON.parse(line);
  if (typeof ready !== 'object' || ready === null || !('url' in ready && 'startedInMs' in ready)) {
    throw new Error(`This is not the line of a host that is ready: ${line}`);
  }
  return { url: String(ready.url), startedInMs: Number(ready.startedInMs) };
}
