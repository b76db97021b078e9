import type { AccountSecret, SecretBox } from '../core-types.ts';

/**
 * Secrets in memory only: they are asked for again at every start, and nothing of them is on the disk. It is what
 * a host uses that knows no key store.
 */
export function createMemorySecretBox(): SecretBox {
  const secrets = new Map<string, AccountSecret>();
  return {
    grade: 'memory',
    put: async (workspaceId, secret) => {
      secrets.set(workspaceId, secret);
    },
    get: async (workspaceId) => secrets.get(workspaceId) ?? null,
    forget: async (workspaceId) => {
      secrets.delete(workspaceId);
    },
  };
}
