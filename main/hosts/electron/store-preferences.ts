import type Store from 'electron-store';
import type { Preferences } from '../../../shared/api/app.ts';
import { readPreferences } from '../../accounts/file-preferences.ts';
import type { PreferencesPort } from '../../app/core-types.ts';
import { diskWords } from '../../app/system.ts';

/**
 * Preferences in electron-store, in the very file that the web host uses, so that both hosts look the same.
 *
 * @param unkept takes over once the store can no longer write
 */
export function createStorePreferences(
  store: Pick<Store<Preferences>, 'store' | 'set'>,
  unkept: PreferencesPort,
): PreferencesPort {
  // Read with the same care as in the web host: a file edited by hand costs the parts that do not fit, no more.
  const get = (): Preferences => readPreferences(store.store);
  let isUnkept = false;
  return {
    get: () => (isUnkept ? unkept.get() : get()),
    set: (changes) => {
      if (isUnkept) return unkept.set(changes);
      try {
        store.set({ ...get(), ...changes });
      } catch (error) {
        // A disk that is full or can only be read by now.
        if (diskWords(error) === null) throw error;
        isUnkept = true;
        return unkept.set({ ...get(), ...changes });
      }
      return get();
    },
    takeProblem: () => unkept.takeProblem(),
  };
}
