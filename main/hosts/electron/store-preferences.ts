import type Store from 'electron-store';
import type { Preferences } from '../../../shared/api/app.ts';
import { readPreferences } from '../../accounts/file-preferences.ts';
import type { PreferencesPort } from '../../app/host-ports.ts';
import { diskWords } from '../../app/system.ts';

/**
 * Preferences in electron-store, in the file that the web host uses too, so that both hosts look the same.
 *
 * @param unkept used once the store can no longer write
 */
export function createStorePreferences(
  store: Pick<Store<Preferences>, 'store' | 'set'>,
  unkept: PreferencesPort,
): PreferencesPort {
  // Read as in the web host: an edit by hand loses only the parts that are not valid.
  const get = (): Preferences => readPreferences(store.store);
  let isUnkept = false;
  return {
    get: () => (isUnkept ? unkept.get() : get()),
    set: (changes) => {
      if (isUnkept) return unkept.set(changes);
      try {
        store.set({ ...get(), ...changes });
      } catch (error) {
        // The disk is full or read-only.
        if (diskWords(error) === null) throw error;
        isUnkept = true;
        return unkept.set({ ...get(), ...changes });
      }
      return get();
    },
    takeProblem: () => unkept.takeProblem(),
  };
}
