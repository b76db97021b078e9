import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Preferences } from '../../shared/contract/app.ts';
import { TIME_OF_DAY } from '../../shared/model/quiet-hours.ts';
import type { PreferencesPort } from '../core-types.ts';

/** Preferences in `preferences.json` of the data folder, for hosts without a store of their own. No secrets. */
const Stored = z.object({
  colorScheme: z.enum(['system', 'light', 'dark']).catch('system'),
  lastWorkspaceId: z.string().nullable().catch(null),
  locale: z.string().max(40).nullable().catch(null),
  quietHours: z
    .object({ from: z.string().regex(TIME_OF_DAY), to: z.string().regex(TIME_OF_DAY) })
    .nullable()
    .catch(null),
  layout: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])).catch({}),
});

/** What was stored, part by part: a part that is damaged or missing has its default. */
export const readPreferences = (stored: unknown): Preferences => Stored.parse(stored);

export function createFilePreferences(dataDir: string): PreferencesPort {
  const path = join(dataDir, 'preferences.json');
  let current: Preferences | null = null;
  const get = (): Preferences => {
    current ??= readStored(path);
    return current;
  };
  return {
    get,
    set: (changes) => {
      const next = { ...get(), ...changes };
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.part`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${path}.part`, path);
      current = next;
      return next;
    },
  };
}

/** Preferences are a convenience: a missing or damaged file means the defaults, part by part. */
function readStored(path: string): Preferences {
  try {
    return Stored.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || isFileError(error)) return Stored.parse({});
    throw error;
  }
}

const isFileError = (error: unknown): boolean => error instanceof Error && 'code' in error;
