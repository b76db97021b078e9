import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import { err, ok, type Result } from '../../shared/result.ts';
import { asText } from './db/db.ts';
import { type OpenDb, openDb } from './db/open-db.ts';
import type { NotWritable } from './port.ts';

/** Pages copied before the connection may serve something else; 4 KB each. */
const PAGES_A_STEP = 4096;

/**
 * Copies the open database to `target` while it stays in use: to a temporary name, flushed, read back and checked,
 * and only then under its own name. A copy that cannot be verified never gets that name.
 */
export async function backUp(db: OpenDb, target: string): Promise<Result<null, NotWritable>> {
  const temporary = `${target}.tmp`;
  rmSync(temporary, { force: true });
  try {
    await backup(db.raw, temporary, { rate: PAGES_A_STEP });
    flush(temporary);
    const problem = integrityProblem(temporary);
    if (problem !== null) return err({ kind: 'not-writable', why: 'damaged', detail: problem });
    renameSync(temporary, target);
    flush(dirname(target));
    return ok(null);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(temporary + suffix, { force: true });
  }
}

/** What SQLite finds wrong with a file nobody has open, or null. */
export function integrityProblem(file: string): string | null {
  const db = openDb(file, { readOnly: true });
  try {
    const found = asText(db.get('PRAGMA integrity_check(1)')?.[0]);
    return found === 'ok' ? null : found;
  } finally {
    db.close();
  }
}

function flush(path: string): void {
  // Windows cannot open a folder for flushing, and needs no such call.
  if (process.platform === 'win32' && !path.endsWith('.tmp')) return;
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
