import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import type { Log } from '../../app/log.ts';
import { codeOrThrow } from '../../app/system.ts';

/**
 * A small file of the data folder that makes life easier and is never needed: where the window stood, what was opened
 * lately. One that does not fit counts as none, and one that cannot be read or written is worth a line in the log, no more.
 */
export interface UiStateFile<T> {
  read(): T | null;
  write(value: T): void;
}

export function createUiStateFile<S extends z.ZodType>(
  dataDir: string,
  name: string,
  shape: S,
  log: Log,
): UiStateFile<z.infer<S>> {
  const file = join(dataDir, name);
  /** Null where the disk refuses: it is full, the folder was taken away, or the rights are another's. */
  const unlessRefused = <R>(event: string, work: () => R): R | null => {
    try {
      return work();
    } catch (error) {
      // The workspace itself will speak of what the disk refuses; all else is a fault of ours.
      log(event, { operation: name, code: codeOrThrow(error) });
      return null;
    }
  };
  return {
    read: () => {
      const text = existsSync(file) ? unlessRefused('convenience not read', () => readFileSync(file, 'utf8')) : null;
      return text === null ? null : (shape.safeParse(jsonOrNull(text)).data ?? null);
    },
    write: (value) => {
      const text = JSON.stringify(shape.parse(value));
      unlessRefused('convenience not kept', () => writeFileSync(file, text, { mode: 0o600 }));
    },
  };
}
