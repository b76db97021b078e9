import type { SyncContext } from './context.ts';

/** How long nothing may be limited before one more request at once is tried. */
const QUIET_MS = 120_000;

/**
 * How many requests may be under way now. A service that is busy gets half as many, and one more again with every two
 * minutes in which it limits nothing. One that has left a request without an answer gets one at a time until it answers.
 *
 *   requestsMax --429--> half --429--> ... 1 --quiet--> 2 --quiet--> ... requestsMax
 */
export function maxRequests({ options, ports, state }: SyncContext): number {
  if (state.unanswered > 0) return 1;
  const now = ports.clock.nowMs();
  if (state.requestLimit < options.requestsMax && now - state.requestLimitAt >= QUIET_MS) {
    state.requestLimit++;
    state.requestLimitAt = now;
  }
  return state.requestLimit;
}

/**
 * How many campaigns are worked on at once: more than there are requests at once, so that while one writes down what
 * came of its request, or waits out a limit, another uses the slot.
 */
export const maxCampaigns = ({ options }: SyncContext): number => options.requestsMax * 2;

export function halveLimit({ ports, state }: SyncContext): void {
  state.requestLimit = Math.max(1, Math.floor(state.requestLimit / 2));
  state.requestLimitAt = ports.clock.nowMs();
}

/** Part of a run. It gets a context of its own, whose `order` says which part is served first. */
export type Work<T = void> = (ctx: SyncContext) => Promise<T>;
export const doWork = (part: SyncContext, work: Work): Promise<void> => work(part);

/**
 * Does the work of each item, at most `limit()` at once; the limit may change meanwhile. When one fails the others end
 * what they are doing, no further one begins, and the first failure is thrown: a request under way is never abandoned.
 */
export async function inParallel<T>(
  ctx: SyncContext,
  items: readonly T[],
  work: (part: SyncContext, item: T) => Promise<void>,
  limit: () => number = () => maxCampaigns(ctx),
): Promise<void> {
  const waiting = [...items.entries()];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < Math.max(1, limit()) && failures.length === 0) {
      const next = waiting.shift();
      if (next === undefined) break;
      const [order, item] = next;
      const task: Promise<void> = work({ ...ctx, order }, item)
        .catch((thrown: unknown) => {
          failures.push(thrown);
        })
        .finally(() => running.delete(task));
      running.add(task);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Does other work beside this one.
 *
 * @returns what the first came to, once both have ended; a failure of either is thrown
 */
export async function inBackground<T>(ctx: SyncContext, work: Work<T>, other: Work): Promise<T> {
  const ended: T[] = [];
  const first: Work = async (part) => {
    ended.push(await work(part));
  };
  await inParallel(ctx, [first, other], doWork, () => 2);
  return ended[0] as T;
}

/**
 * Does work of which all parts of a run together do at most `limit()` at once. A `request` slot is held while a request is
 * under way, an `intent` slot from before its intent until its response. Who holds an intent slot may ask for a request slot.
 */
export const withRequestSlot = <T>(
  { state, order }: SyncContext,
  kind: 'intent' | 'request',
  limit: () => number,
  work: () => Promise<T>,
): Promise<T> => state.slots[kind].run(order, limit, work);
