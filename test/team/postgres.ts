import { hash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeData, NOBODY, SERVERS, startPostgres as startWith } from '../../main/hosts/cli/demo/postgres.ts';

export {
  hasPostgres,
  type LocalPostgres as TestPostgres,
  NOBODY,
  runnable,
  SERVERS,
} from '../../main/hosts/cli/demo/postgres.ts';

const MADE = join(import.meta.dirname, '..', '..', 'out', 'test-postgres');

function own(path: string): void {
  if (NOBODY.uid !== undefined) chownSync(path, NOBODY.uid, NOBODY.gid);
}

/** Data that these programs have made, with their password beside them: kept for every later server to copy. */
function keptData(programs: string, bin: string): string {
  const kept = join(MADE, hash('sha256', `${programs} ${statSync(join(programs, 'postgres')).size}`).slice(0, 16));
  if (existsSync(kept)) return kept;
  const folder = mkdtempSync(join(tmpdir(), 'adslate-new-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  for (const path of [folder, data]) own(path);
  const password = makeData(bin, data);
  writeFileSync(join(folder, 'password'), password);
  const copy = `${kept}-${process.pid}`;
  cpSync(folder, copy, { recursive: true });
  rmSync(folder, { recursive: true });
  try {
    renameSync(copy, kept);
  } catch (error) {
    // Another process was first.
    if (!existsSync(kept)) throw error;
    rmSync(copy, { recursive: true });
  }
  return kept;
}

/** Begins with a copy of data that were made before, which spares 2 s of CPU for each server. */
export const startPostgres: typeof startWith = (settings, named, tls) => {
  const programs = named ?? SERVERS[0] ?? '';
  return startWith(settings, programs, tls, (bin, data) => {
    const kept = keptData(programs, bin);
    cpSync(join(kept, 'data'), data, { recursive: true });
    for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' })) own(join(data, name));
    return readFileSync(join(kept, 'password'), 'utf8');
  });
};
