import { safeStorage, session } from 'electron';
import Store from 'electron-store';
import type { Preferences } from '../../../shared/contract/app.ts';
import { createCredentialStore } from '../../accounts/credential-store.ts';
import { createFilePreferences } from '../../accounts/file-preferences.ts';
import { createProxiedFetch } from '../../api/proxied-fetch.ts';
import { systemClock } from '../../clock.ts';
import { type Core, createCore } from '../../core.ts';
import type { PreferencesPort } from '../../core-types.ts';
import { diskWords } from '../../disk-words.ts';
import type { SleepState } from '../../rest.ts';
import { createElectronKeychain } from './electron-keychain.ts';
import { confirmLargeSync } from './questions.ts';
import { removePageListeners } from './sender.ts';
import { createStorePreferences, DEFAULT_PREFERENCES } from './store-preferences.ts';

/**
 * The core with what only the desktop can give it: the system's proxy, its key store, its dialogs. To be called when the
 * app is ready.
 */
export async function desktopCore(
  dataDir: string,
  rest: SleepState,
): Promise<{ readonly core: Core; readonly preferences: PreferencesPort }> {
  // Reads the file first: a damaged one is put aside before the library would clear it.
  const inFile = createFilePreferences(dataDir);
  inFile.get();
  const preferences = preferencesOn(dataDir, inFile);
  // It answers any page with the path of the data folder; nobody here asks.
  removePageListeners('electron-store-get-data');
  const core = await createCore({
    dataDir,
    host: 'electron',
    clock: systemClock,
    preferences,
    secrets: createCredentialStore({
      dataDir,
      clock: systemClock,
      keychain: async () => createElectronKeychain(safeStorage, process.platform),
    }),
    rest,
    fetch: createProxiedFetch({ resolveProxy: (url) => session.defaultSession.resolveProxy(url), direct: fetch }),
    askToSendMany: confirmLargeSync(preferences),
  });
  return { core, preferences };
}

/** In the store of the desktop; on a folder that cannot be written, in memory over what the file says. */
function preferencesOn(dataDir: string, inFile: PreferencesPort): PreferencesPort {
  try {
    const store = new Store<Preferences>({
      cwd: dataDir,
      name: 'preferences',
      defaults: DEFAULT_PREFERENCES,
      // Preferences are a convenience: a damaged file must not keep the window shut.
      clearInvalidConfig: true,
      // For the user alone, as the web host writes it; the library would let every user of the machine read it.
      configFileMode: 0o600,
    });
    // The library writes where it can; what the disk refuses later counts until the program ends.
    return createStorePreferences(store, inFile);
  } catch (error) {
    if (diskWords(error) === null) throw error;
    return inFile;
  }
}
