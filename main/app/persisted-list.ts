import { ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { Workspace } from '../store/store.ts';

/**
 * A short list that lies in a workspace's file under one key, so that backups have it too. Changes are made one after the
 * other: each starts from what the one before has written.
 */
export interface PersistedList<T> {
  read(): Promise<readonly T[]>;
  /** @returns what the list is from now on */
  change(next: (known: readonly T[]) => readonly T[]): Promise<readonly T[]>;
  /** The same for a change that may be refused; then the list stays as it is. */
  tryChange<E>(next: (known: readonly T[]) => Result<readonly T[], E>): Promise<Result<readonly T[], E>>;
}

/** @param parse what the text under the key says; null is what a workspace has before the first change */
export function createPersistedList<T>(
  workspace: Pick<Workspace, 'getMeta' | 'setMeta'>,
  key: string,
  parse: (text: string | null) => readonly T[],
  print: (list: readonly T[]) => string = JSON.stringify,
): PersistedList<T> {
  const inTurn = createSerialQueue();
  const read = async (): Promise<readonly T[]> => parse(await workspace.getMeta(key));
  const write = async (list: readonly T[]): Promise<readonly T[]> => {
    await workspace.setMeta(key, print(list));
    return list;
  };
  return {
    read,
    change: (next) => inTurn(async () => write(next(await read()))),
    tryChange: (next) =>
      inTurn(async () => {
        const changed = next(await read());
        return changed.ok ? ok(await write(changed.value)) : changed;
      }),
  };
}
