import type Store from 'electron-store';
import type { Preferences } from '../../../shared/contract/app.ts';
import { readPreferences } from '../../accounts/file-preferences.ts';
import type { PreferencesPort } from '../../core-types.ts';

/** Preferences in electron-store, in the very file that the web host uses, so that both hosts look the same. */
export function createStorePreferences(store: Pick<Store<Preferences>, 'get' | 'set'>): PreferencesPort {
  // Read with the same care as in the web host: a file edited by hand costs the parts that do not fit, no more.
  const get = (): Preferences =>
    readPreferences({
      colorScheme: store.get('colorScheme'),
      lastWorkspaceId: store.get('lastWorkspaceId'),
      locale: store.get('locale'),
      quietHours: store.get('quietHours'),
      layout: store.get('layout'),
    });
  return {
    get,
    set: (changes) => {
      store.set({ ...get(), ...changes });
      return get();
    },
  };
}

export const DEFAULT_PREFERENCES: Preferences = {
  colorScheme: 'system',
  lastWorkspaceId: null,
  locale: null,
  quietHours: null,
  layout: {},
};
