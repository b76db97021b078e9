import { implement } from '@orpc/server';
import { historyContract } from '../../shared/contract/history.ts';
import type { MemoryAccount } from './memory-account.ts';

/** A history in memory that keeps no log. */
export function memoryHistory(account: MemoryAccount) {
  const os = implement(historyContract);
  return os.router({
    log: os.log.handler(() => ({ total: 0, entries: [] })),
    compare: os.compare.handler(() => ({ total: 0, differences: [] })),
    restore: os.restore.handler(() => ({ revision: account.revision(), cells: 0, created: 0, removed: 0 })),
  });
}
