import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../main/store/db/open-db.ts';
import { migrate } from '../../main/store/schema/migrate.ts';

let bytes: Buffer | undefined;

/**
 * Makes a workspace without rows where there is no file. The migrations, which take 25 ms of CPU, run once in a process
 * and their outcome is copied; what they make of an empty file is for `schema.test.ts` to say.
 */
export function makeNewFile(file: string): void {
  if (existsSync(file)) return;
  bytes ??= migrated();
  writeFileSync(file, bytes);
}

function migrated(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-new-file-'));
  try {
    const file = join(folder, 'workspace.db');
    const db = openDb(file);
    migrate(db);
    db.close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
