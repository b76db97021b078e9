import { DatabaseSync } from 'node:sqlite';
import type { CoreOptions } from './core-types.ts';

/** Raised together with the version in package.json; a test holds the two equal. */
export const APP_VERSION = '0.1.0';

export interface AppInfo {
  readonly version: string;
  readonly host: CoreOptions['host'];
  readonly platform: string;
  readonly node: string;
  readonly sqlite: string;
  readonly electron: string | null;
}

export function appInfo(host: CoreOptions['host']): AppInfo {
  return {
    version: APP_VERSION,
    host,
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    sqlite: sqliteVersion(),
    electron: process.versions['electron'] ?? null,
  };
}

/** The version of the SQLite that Node carries. */
function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:');
  try {
    const row = database.prepare('SELECT sqlite_version() AS version').get();
    return String(row?.['version'] ?? '');
  } finally {
    database.close();
  }
}
