import type { QueryClient } from '@tanstack/react-query';
import type { SerialQueue } from '../../../shared/serial-queue.ts';
import { errorText } from '../error-text.ts';
import type { Api } from '../queries.ts';
import type { AppStore } from '../store/app-store.ts';
import type { Connection, FileOut } from '../transport/connection.ts';

/** Short messages at the edge of the window. */
export interface Toasts {
  tell(text: string): void;
  fail(text: string): void;
  /** A file that was just made: it stays at hand for a while, to be dragged where it is wanted. */
  offer(file: FileOut): void;
}

/** What actions work with. */
export interface ActionContext {
  readonly connection: Connection;
  readonly api: Api;
  readonly queries: QueryClient;
  readonly store: AppStore;
  readonly notes: Toasts;
  /**
   * For what changes rows: two changes on their way at once may be carried out the other way round, and filling down
   * right after typing would repeat what was there before.
   */
  readonly inOrder: SerialQueue;
}

/**
 * Carries out one call for the open account and shows a failure in words.
 *
 * @returns null when it failed or no account is open
 */
export async function runAction<T>(
  { store, notes }: ActionContext,
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
