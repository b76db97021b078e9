import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Preferences } from '../../shared/api/app.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { TIME_OF_DAY } from '../../shared/model/plain-date.ts';
import { type Clock, systemClock } from '../app/clock.ts';
import type { PreferencesPort } from '../app/host-ports.ts';
import { diskWords } from '../app/system.ts';

/** Preferences in `preferences.json` of the data folder, for hosts without their own store. No secrets. */
const Stored = z.object({
  colorScheme: z.enum(['system', 'light', 'dark']).catch('system'),
  lastWorkspaceId: z.string().nullable().catch(null),
  locale: z.string().max(40).nullable().catch(null),
  quietHours: z
    .object({ from: z.string().regex(TIME_OF_DAY), to: z.string().regex(TIME_OF_DAY) })
    .nullable()
    .catch(null),
  alertNotices: z.boolean().catch(true),
  lockAfterMinutes: z.int().min(1).max(480).nullable().catch(null),
  layout: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])).catch({}),
});

/** The stored preferences; a part that is damaged or missing has its default. */
export const readPreferences = (stored: unknown): Preferences => Stored.parse(stored);

/**
 * Preferences never keep the program from working. A damaged file is renamed with the time, reported once, and each
 * value that can't be read has its default. If nothing can be written, changes last until the program ends.
 */
export function createFilePreferences(dataDir: string, clock: Clock = systemClock): PreferencesPort {
  const path = join(dataDir, 'preferences.json');
  let current: Preferences | null = null;
  let problem: string | null = null;
  /** A damaged file that could not be moved aside yet; until then it is not overwritten. */
  let isInTheWay = false;

  const keep = (preferences: Preferences): void => {
    if (isInTheWay) problem = `${DAMAGED} The damaged file is kept as ${putAside(dataDir, path, clock.nowMs())}.`;
    isInTheWay = false;
    writeFileSync(`${path}.part`, `${JSON.stringify(preferences, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  };
  /** @returns the error of the disk, or null */
  const tryToKeep = (preferences: Preferences): string | null => {
    try {
      keep(preferences);
      return null;
    } catch (error) {
      const words = diskWords(error);
      if (words === null) throw error;
      return words;
    }
  };
  const get = (): Preferences => {
    if (current !== null) return current;
    const stored = readStored(path);
    current = stored.preferences;
    isInTheWay = stored.problem === 'damaged';
    if (isInTheWay) {
      const refusal = tryToKeep(current);
      if (refusal !== null)
        problem = `${DAMAGED} The damaged file couldn't be copied (${refusal}) and was not changed.`;
    } else if (stored.problem !== null) {
      problem = `Can't read the preferences: ${stored.problem}. Adslate uses the defaults.`;
    }
    return current;
  };
  return {
    get,
    set: (changes) => {
      current = { ...get(), ...changes };
      const refusal = tryToKeep(current);
      if (refusal !== null) problem ??= `Can't save the preferences: ${refusal}. They apply until you close Adslate.`;
      return current;
    },
    takeProblem: () => {
      get();
      const told = problem;
      problem = null;
      return told;
    },
  };
}

const DAMAGED = 'The preferences file was damaged. Adslate uses defaults for values it could not read.';

/** Moved and not copied, so that it needs no space on a full disk. */
function putAside(dataDir: string, path: string, nowMs: number): string {
  const name = `preferences-damaged-${new Date(nowMs).toISOString().replaceAll(/[:.]/gu, '-')}.json`;
  renameSync(path, join(dataDir, name));
  return name;
}

/** Preferences take up a few KiB; a file of this size can't be ours. */
const BYTES_MAX = 4 * 2 ** 20;

function readStored(path: string): { readonly preferences: Preferences; readonly problem: 'damaged' | string | null } {
  const usual = Stored.parse({});
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { preferences: usual, problem: null };
    if (found.isFile() && found.size > BYTES_MAX) return { preferences: usual, problem: 'damaged' };
    const stored: unknown = jsonOrNull(readFileSync(path, 'utf8'));
    const parts = Stored.safeParse(stored);
    if (!parts.success) return { preferences: usual, problem: 'damaged' };
    return { preferences: parts.data, problem: isAsStored(stored, parts.data) ? null : 'damaged' };
  } catch (error) {
    const words = diskWords(error);
    if (words === null) throw error;
    return { preferences: usual, problem: words };
  }
}

/** Whether every stored part could be parsed; missing parts do not count. */
const isAsStored = (stored: unknown, read: Preferences): boolean =>
  Object.entries(read).every(([part, value]) => {
    const was: unknown = Object.getOwnPropertyDescriptor(stored, part)?.value;
    return was === undefined || isDeepStrictEqual(was, value);
  });
