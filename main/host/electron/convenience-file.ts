import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import type { Log } from '../../log.ts';

/**
 * A small file of the data folder that makes life easier and is never needed: where the window stood, what was opened
 * lately. One that does not fit counts as none, and one that cannot be written is worth a line in the log, no more.
 */
export interface ConvenienceFile<T> {
  read(): T | null;
  write(value: T): void;
}

export function convenienceFile<S extends z.ZodType>(
  dataDir: string,
  name: string,
  shape: S,
  log: Log,
): ConvenienceFile<z.infer<S>> {
  const file = join(dataDir, name);
  return {
    read: () => (existsSync(file) ? (shape.safeParse(jsonOrNull(readFileSync(file, 'utf8'))).data ?? null) : null),
    write: (value) => {
      try {
        writeFileSync(file, JSON.stringify(shape.parse(value)), { mode: 0o600 });
      } catch (error) {
        // A full disk or a folder taken away, which the workspace itself will speak of.
        if (!(error instanceof Error && 'code' in error)) throw error;
        log('convenience not kept', { operation: name, code: String(error.code) });
      }
    },
  };
}
