import { createCredentialStore } from '../../main/accounts/credential-store.ts';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { systemClock } from '../../main/app/clock.ts';
import { type Core, createCore } from '../../main/app/core.ts';
import type { CoreOptions } from '../../main/app/core-types.ts';

/** The program on a folder, as a host starts it: preferences in their file, secrets in memory only. */
export const startCore = (dataDir: string, more: Partial<Omit<CoreOptions, 'dataDir'>> = {}): Promise<Core> =>
  createCore({
    dataDir,
    host: 'web',
    clock: systemClock,
    preferences: createFilePreferences(dataDir),
    secrets: createCredentialStore({ dataDir, clock: systemClock, keychain: async () => null }),
    ...more,
  });
