import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../shared/contract/app.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';

export type What = Extract<AppEvent, { type: 'work.progress' }>['what'];

/** Told of again when this much more is done. */
const STEP = 0.01;

/** What is over sooner is not worth a sign that comes and goes. */
const SHOWN_AFTER_MS = 1000;

interface Sign {
  readonly workId?: string;
  /** Whether `exchange.cancel` ends it. */
  readonly canStop?: boolean;
  /** How long it may take before it is told of. */
  readonly afterMs?: number;
}

/**
 * Tells while something is under way that takes a while, for the window and the program's symbol. Whatever comes of it, its
 * end is told as well.
 *
 * @param run may tell how much is done, from 0 to 1, as often as it likes
 */
export async function showingWork<T>(
  { publish }: { readonly publish: (event: AppEvent) => void },
  workspaceId: WorkspaceId,
  what: What,
  run: (tellShare: (share: number) => void) => Promise<T>,
  { workId = randomUUID(), canStop = false, afterMs = SHOWN_AFTER_MS }: Sign = {},
): Promise<T> {
  const event = { type: 'work.progress', workspaceId, workId, what, canStop } as const;
  let isShown = false;
  let known: number | null = null;
  let told = 0;
  const tell = (): void => {
    told = known ?? 0;
    publish({ ...event, share: known, isOver: false });
  };
  const timer = setTimeout(() => {
    isShown = true;
    tell();
  }, afterMs);
  try {
    return await run((share) => {
      known = Math.min(1, share);
      if (isShown && known - told >= STEP) tell();
    });
  } finally {
    clearTimeout(timer);
    if (isShown) publish({ ...event, share: known, isOver: true });
  }
}
