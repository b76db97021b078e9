import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { codeOrThrow } from './system.ts';

/**
 * The program's log: one line of JSON per event, with allow-listed fields only. No objects are logged, so a token,
 * a header or a path inside one can't get into the log.
 */
export interface LogFields {
  readonly operation?: string;
  readonly code?: string;
  readonly status?: number;
  readonly count?: number;
  readonly reason?: string;
  /** Message of an unexpected error, cut and on one line. */
  readonly error?: string;
}
export type Log = (event: string, fields?: LogFields) => void;

const MAX_TEXT = 200;
const ROTATE_BYTES = 4 * 1024 * 1024;
const KEPT = 4;

/** Writes to `log/adslate.log` of the data folder and keeps a few older files. */
export function createFileLog(dataDir: string, clock: Clock): Log {
  const folder = join(dataDir, 'log');
  const file = join(folder, 'adslate.log');
  let isSilent = false;
  return (event, fields = {}) => {
    try {
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
      if (existsSync(file) && statSync(file).size > ROTATE_BYTES) rotate(file);
      appendFileSync(file, `${logLine(clock.nowMs(), event, fields)}\n`, { mode: 0o600 });
      isSilent = false;
    } catch (error) {
      // A full disk or a removed folder must not end the program; the problem is printed once.
      const code = codeOrThrow(error);
      if (!isSilent) process.stderr.write(`The log in ${folder} cannot be written (${code}).\n`);
      isSilent = true;
    }
  };
}

/** One event as one line. Texts are cut, and line breaks and characters that change the text direction are removed. */
function logLine(atMs: number, event: string, fields: LogFields): string {
  const { operation, code, status, count, reason, error } = fields;
  const shown = { at: new Date(atMs).toISOString(), event, operation, code, status, count, reason, error };
  return JSON.stringify(shown, (_key, value: unknown) => (typeof value === 'string' ? plain(value) : value));
}

const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, MAX_TEXT);

function rotate(file: string): void {
  for (let age = KEPT - 1; age >= 1; age -= 1) {
    if (existsSync(`${file}.${age}`)) renameSync(`${file}.${age}`, `${file}.${age + 1}`);
  }
  renameSync(file, `${file}.1`);
}
