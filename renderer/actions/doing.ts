import type { QueryCache } from '../data/query-cache.ts';
import { errorText } from '../messages/errors.ts';
import type { DeskStore } from '../store/desk-store.ts';
import type { Connection } from '../transport/connection.ts';
import type { InOrder } from './in-order.ts';

/** Short messages at the edge of the window. */
export interface Notes {
  tell(text: string): void;
  fail(text: string): void;
}

/** What actions work with. */
export interface Doing {
  readonly connection: Connection;
  readonly queries: QueryCache;
  readonly store: DeskStore;
  readonly notes: Notes;
  /** For what changes rows. */
  readonly inOrder: InOrder;
}

/**
 * Carries out one call for the open account and shows a failure in words.
 *
 * @returns null when it failed or no account is open
 */
export async function attempt<T>(
  { store, notes }: Doing,
  call: (workspaceId: string) => Promise<T>,
): Promise<T | null> {
  const { workspaceId } = store.getState();
  if (workspaceId === null) return null;
  try {
    return await call(workspaceId);
  } catch (error) {
    notes.fail(errorText(error));
    return null;
  }
}
