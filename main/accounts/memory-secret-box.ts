import { err, ok } from '../../shared/result.ts';
import type { AccountSecret, SecretBox } from '../core-types.ts';

/**
 * Secrets in memory and no other way: for a core that ends with the work it was started for, such as the demo. There
 * is nothing to choose, to lock or to open.
 */
export function createMemorySecretBox(): SecretBox {
  const secrets = new Map<string, AccountSecret>();
  return {
    status: async () => ({ grade: 'memory', state: 'open', problem: null, store: null, offered: ['memory'] }),
    put: async (workspaceId, secret) => {
      secrets.set(workspaceId, secret);
      return ok(null);
    },
    get: async (workspaceId) => secrets.get(workspaceId) ?? null,
    forget: async (workspaceId) => {
      secrets.delete(workspaceId);
    },
    choose: async (grade) => (grade === 'memory' ? ok(null) : err({ kind: 'secrets-refused', reason: 'refused' })),
    unlock: async () => err({ kind: 'secrets-refused', reason: 'not-locked' }),
    lock: async () => {},
  };
}
