import { useSyncExternalStore } from 'react';
import { standing } from './account-questions.ts';
import { useQuery } from './use-query.ts';

/**
 * Whether the service can be asked: `offline` without a network, `away` when it did not answer the last time it was
 * asked. The browser knows of the network's plug alone; whether the service is there, only its answers tell.
 */
export type ServiceReachability = 'online' | 'offline' | 'away';

export function useServiceReachability(workspaceId: string): ServiceReachability {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine);
  const reachable = useQuery(standing(workspaceId)).data?.reachable;
  return !isOnline ? 'offline' : reachable === false ? 'away' : 'online';
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
