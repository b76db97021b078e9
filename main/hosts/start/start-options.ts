import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { err, ok, type Result } from '../../../shared/result.ts';
import { NODE_FLAGS } from './node-flags.mjs';

/** Options at the start of a host. Unknown options are refused, not ignored. */
export interface StartOptions {
  readonly dataDir: string | null;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly open: boolean;
  /** Opens a practice account, created if there is none. */
  readonly practice: boolean;
  /** Opens the sample account, created if there is none. */
  readonly sample: boolean;
  readonly readyJson: boolean;
}

const PORT_MAX = 65_535;

export function readStartOptions(args: readonly string[]): Result<StartOptions, { readonly message: string }> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        port: { type: 'string', default: '0' },
        'no-open': { type: 'boolean', default: false },
        practice: { type: 'boolean', default: false },
        sample: { type: 'boolean', default: false },
        'ready-json': { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > PORT_MAX) {
      return err({
        message: `--port must be a number from 0 to ${PORT_MAX}, not "${values.port}". With 0, the system chooses a port.`,
      });
    }
    if (values.data === '') return err({ message: '--data is empty. Enter a folder, or remove the option.' });
    return ok({
      dataDir: values.data ?? null,
      port,
      open: !values['no-open'],
      practice: values.practice,
      sample: values.sample,
      readyJson: values['ready-json'],
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return err({
      message: `${error.message.replace(/\.?$/, '.')} Use --data, --port, --no-open, --practice, --sample or --ready-json.`,
    });
  }
}

/** The per-user folder for application data, where the window keeps its accounts too. */
export function defaultDataDir(): string {
  const { env, platform } = process;
  // An empty or relative value would mean another folder depending on where Adslate is started.
  const named = (variable: string): string | null => {
    const folder = env[variable];
    return folder !== undefined && isAbsolute(folder) ? folder : null;
  };
  if (platform === 'win32') return join(named('APPDATA') ?? join(homedir(), 'AppData', 'Roaming'), 'Adslate');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Adslate');
  return join(named('XDG_DATA_HOME') ?? join(homedir(), '.local', 'share'), 'adslate');
}

/**
 * The line for programs that start Adslate (`--ready-json`). Standard output has nothing else; messages for people go
 * to standard error.
 */
export function readyLine(host: 'web' | 'electron', url: string, startedInMs: number): string {
  return `${JSON.stringify({ ready: true, host, url, startedInMs: Math.round(startedInMs) })}\n`;
}

/** Milliseconds since `npm start` began, or since this process did when it was started directly. */
export function startedInMs(environment: Readonly<Record<string, string | undefined>>, nowMs: number): number {
  const startedAt = Number(environment['ADSLATE_STARTED_AT']);
  return Number.isFinite(startedAt) && startedAt > 0 && startedAt <= nowMs ? nowMs - startedAt : performance.now();
}

/**
 * Limits the memory of this process from inside, for a start without the flags of a host. Call it before the first
 * thread starts: the space for new objects is fixed then, so the main thread keeps its own. The limit on garbage
 * applies to all threads from now on.
 */
export function limitHeaps(): void {
  for (const word of NODE_FLAGS) setFlagsFromString(word);
}
