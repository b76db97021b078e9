import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../shared/contract/app.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';

type What = Extract<AppEvent, { type: 'work.progress' }>['what'];

/** What is over sooner is not worth a sign that comes and goes. */
const SHOWN_AFTER_MS = 1000;

/**
 * Tells while something is under way that takes a while, for the window and the program's symbol. Whatever comes of it, its
 * end is told as well.
 *
 * @param afterMs how long it may take before it is told of
 */
export async function showingWork<T>(
  { publish }: { readonly publish: (event: AppEvent) => void },
  workspaceId: WorkspaceId,
  what: What,
  run: () => Promise<T>,
  afterMs = SHOWN_AFTER_MS,
): Promise<T> {
  const event = { type: 'work.progress', workspaceId, workId: randomUUID(), what } as const;
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    publish({ ...event, isOver: false });
  }, afterMs);
  try {
    return await run();
  } finally {
    clearTimeout(timer);
    if (isShown) publish({ ...event, isOver: true });
  }
}
