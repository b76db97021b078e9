import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Account, CredentialStatus } from '../../shared/api/accounts.ts';
import { nullIfNotFound } from './atomic-write.ts';

/**
 * The facts of the diagnostic report: versions, how many accounts of which kind, and the end of the log, as one text
 * that the user reads before sending it. It has no name of an account, a campaign or a user's file, and no path below
 * the home folder.
 */
export interface DiagnosticFacts {
  readonly info: ReturnType<typeof appInfo>;
  readonly accounts: readonly Account[];
  readonly secrets: CredentialStatus;
  readonly dataDir: string;
  readonly nowMs: number;
}

const LOG_LINES_MAX = 500;

export function diagnosticReport({ info, accounts, secrets, dataDir, nowMs }: DiagnosticFacts): string {
  const log = logLines(join(dataDir, 'log'));
  const lines = [
    'Adslate diagnostic report. Read it before you share it.',
    '',
    `Made at    ${new Date(nowMs).toISOString()}`,
    `Adslate    ${info.version}, ${info.host} host`,
    `System     ${info.platform}`,
    `Node       ${info.node}`,
    `SQLite     ${info.sqlite}`,
    `Electron   ${info.electron ?? 'none'}`,
    `Accounts   ${accounts.filter(({ practice }) => practice).length} practice, ${accounts.filter(({ practice }) => !practice).length} connected`,
    ...accounts.map((account, at) => `  ${at + 1}.       credentials ${account.secrets}, mode ${account.mode}`),
    `Credentials ${secrets.storage}, ${secrets.state}${secrets.problem === null ? '' : `, ${secrets.problem}`}`,
    '',
    'The end of the log:',
    ...log,
    '',
  ];
  return withoutPlaces(lines.join('\n'), dataDir);
}

/** The newest lines of all log files, oldest first. */
function logLines(folder: string): readonly string[] {
  const age = (name: string): number => Number(/\.(\d+)$/.exec(name)?.[1] ?? '0');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('adslate.log')) : [];
  const lines: string[] = [];
  for (const name of files.sort((one, other) => age(one) - age(other))) {
    if (lines.length >= LOG_LINES_MAX) break;
    const own = readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    lines.unshift(...own);
  }
  return lines.slice(-LOG_LINES_MAX);
}

/** Replaces paths, which can identify the user. The longer path goes first, since one contains the other. */
function withoutPlaces(text: string, dataDir: string): string {
  const places: readonly (readonly [string, string])[] = [
    [dataDir, '<data>'],
    [homedir(), '<home>'],
  ];
  return places
    .filter(([place]) => place.length > 1)
    .sort(([one], [other]) => other.length - one.length)
    .reduce(
      (left, [place, word]) => left.replaceAll(place, word).replaceAll(JSON.stringify(place).slice(1, -1), word),
      text,
    );
}

/** Raised together with the version in package.json; a test compares the two. */
export const APP_VERSION = '0.1.0';

/** Electron and plain Node, with a window or without. */
export type HostName = 'electron' | 'web' | 'cli';

export function appInfo(host: HostName) {
  return {
    version: APP_VERSION,
    host,
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    sqlite: sqliteVersion(),
    electron: process.versions['electron'] ?? null,
  };
}

/** The version of SQLite inside Node. */
function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:');
  try {
    const row = database.prepare('SELECT sqlite_version() AS version').get();
    return String(row?.['version'] ?? '');
  } finally {
    database.close();
  }
}

/** The build writes these texts beside its own folder (`scripts/about-texts.mjs`). */
const FOLDER = join(import.meta.dirname, '..', 'about');

/**
 * Texts that a build includes: licenses of its packages, and the reliability results as Markdown. Null when run from
 * sources.
 */
export async function loadAboutDocuments() {
  const read = (name: string): Promise<string | null> => readFile(join(FOLDER, name), 'utf8').catch(nullIfNotFound);
  const [licenses, reliability] = await Promise.all([read('licenses.txt'), read('reliability.md')]);
  return { licenses, reliability };
}
