import type { Keychain } from '../../main/accounts/credential-store.ts';
import { err, ok } from '../../shared/result.ts';

/** The system's part of grade A, which no test machine can be expected to have: a store that can be shut. */
interface ATestStore extends Keychain {
  readonly keys: Map<string, Buffer>;
  shut: boolean;
}

export function aKeychain(name = 'secret-service'): ATestStore {
  const keys = new Map<string, Buffer>();
  const store: ATestStore = {
    name,
    keys,
    shut: false,
    keep: async (key) => {
      if (store.shut) return closed('shut');
      const slot = `slot-${keys.size}`;
      keys.set(slot, Buffer.from(key));
      return ok(slot);
    },
    find: async (slot) => {
      const key = keys.get(slot);
      return store.shut || key === undefined ? closed('no such entry') : ok(Buffer.from(key));
    },
    drop: async (slot) => void keys.delete(slot),
  };
  return store;
}

const closed = (detail: string) => err({ kind: 'store-closed' as const, detail });
