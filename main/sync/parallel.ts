import type { SyncContext } from './context.ts';

/** How long no limit may be reported before the request limit is raised by one. */
const QUIET_MS = 120_000;

/**
 * The number of requests that may be in progress now. A 429 halves it; it is raised by one for every two minutes
 * without a limit. After a request without a response it is 1 until the service responds.
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
 * How many campaigns are processed at once: more than requests at once, so that another campaign uses the slot while
 * one stores its outcome or waits for a limit.
 */
export const maxCampaigns = ({ options }: SyncContext): number => options.requestsMax * 2;

export function halveLimit({ ports, state }: SyncContext): void {
  state.requestLimit = Math.max(1, Math.floor(state.requestLimit / 2));
  state.requestLimitAt = ports.clock.nowMs();
}

/** A part of a run. It gets its own context, whose `order` is its priority. */
export type Work<T = void> = (ctx: SyncContext) => Promise<T>;
export const doWork = (part: SyncContext, work: Work): Promise<void> => work(part);

/**
 * Runs the work for each item, at most `limit()` at once; the limit may change while it runs. If one fails, running
 * ones are completed, no further one begins, and the first failure is thrown: a request in progress is never abandoned.
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
 * Runs other work in parallel with this one.
 *
 * @returns the result of the first, after both have ended; a failure of either is thrown
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
 * Runs work of which at most `limit()` run at once in the whole run. A `request` slot is held while a request is in
 * progress, an `intent` slot from before the intent until its response. The holder of an intent slot may wait for a
 * request slot.
 */
export const withRequestSlot = <T>(
  { state, order }: SyncContext,
  kind: 'intent' | 'request',
  limit: () => number,
  work: () => Promise<T>,
): Promise<T> => state.slots[kind].run(order, limit, work);
