import type { Kind } from '../../../shared/model/kinds.ts';
import type { CommitListener } from '../writer/create-store.ts';

/** What checks find is told this often at most: slices follow each other in tens of milliseconds. */
const FINDINGS_MS = 400;

/**
 * Hands commits on to the main thread. Those of edits go at once; those of slices of checks are put together, because
 * each of them has every window read its rows again, and a window would do nothing else while much is checked.
 */
export interface EventBatcher {
  readonly committed: CommitListener;
  /** Tells what is being held back. */
  flush(): void;
}

export function createEventBatcher(tell: CommitListener): EventBatcher {
  let held: { revision: number; readonly kinds: Set<Kind> } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held === null) return;
    const { revision, kinds } = held;
    held = null;
    tell(revision, [...kinds], 'findings');
  };
  return {
    flush,
    committed: (revision, kinds, only) => {
      if (only === null) {
        // In the order in which they were made.
        flush();
        tell(revision, kinds, null);
        return;
      }
      held = { revision, kinds: new Set([...(held?.kinds ?? []), ...kinds]) };
      timer ??= setTimeout(flush, FINDINGS_MS);
    },
  };
}
