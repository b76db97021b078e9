import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import type { Log } from '../../app/log.ts';
import { codeOrThrow } from '../../app/system.ts';

/**
 * A small, optional file of the data folder, such as the window's position or recent files. An invalid one counts as
 * missing, an invalid value is not written, and a failure to read or write is only logged.
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
  /** Null for an error of the disk: full, removed, or without permission. */
  const unlessRefused = <R>(event: string, work: () => R): R | null => {
    try {
      return work();
    } catch (error) {
      // Errors of the disk are reported by the workspace; any other is a defect of ours.
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
      const valid = shape.safeParse(value);
      if (!valid.success) return log('convenience not kept', { operation: name, code: 'invalid' });
      const text = JSON.stringify(valid.data);
      unlessRefused('convenience not kept', () => writeFileSync(file, text, { mode: 0o600 }));
    },
  };
}
