import type Store from 'electron-store';
import type { Preferences } from '../../../shared/contract/app.ts';
import type { PreferencesPort } from '../../core-types.ts';

/** Preferences in electron-store, in the very file that the web host uses, so that both hosts look the same. */
export function createStorePreferences(store: Pick<Store<Preferences>, 'get' | 'set'>): PreferencesPort {
  const get = (): Preferences => ({
    colorScheme: store.get('colorScheme'),
    lastWorkspaceId: store.get('lastWorkspaceId'),
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

export const DEFAULT_PREFERENCES: Preferences = { colorScheme: 'system', lastWorkspaceId: null, layout: {} };
