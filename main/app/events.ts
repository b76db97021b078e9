import { EventPublisher } from '@orpc/server';
import type { AppEvent } from '../../shared/api/app.ts';

/**
 * What main announces, to any number of listeners. A slow listener loses the oldest events, never the newest.
 *
 *   publish(event)        --> everybody
 *   publish(event, page)  --> the listener of that page, or kept until the page listens
 */
export type AppEvents = ReturnType<typeof createAppEvents>;

const BUFFERED_EVENTS = 1000;
/** So many events wait for pages that do not listen yet; a page that never comes costs no more. */
const KEPT_MAX = 16;

interface Addressed {
  readonly event: AppEvent;
  readonly page: number | undefined;
}

export function createAppEvents() {
  const publisher = new EventPublisher<{ app: Addressed }>({ maxBufferedEvents: BUFFERED_EVENTS });
  const closing = new AbortController();
  const listening = new Map<number, number>();
  let kept: readonly Addressed[] = [];

  /** @returns what to call when the listener leaves, as often as one likes */
  function arrive(page: number): () => void {
    listening.set(page, (listening.get(page) ?? 0) + 1);
    let isHere = true;
    return () => {
      if (isHere) listening.set(page, (listening.get(page) ?? 1) - 1);
      isHere = false;
    };
  }

  return {
    /** @param page number of the one page that the event is for; hosts with several windows know theirs by number */
    publish: (event: AppEvent, page?: number) => {
      if (page !== undefined && (listening.get(page) ?? 0) === 0) kept = [...kept, { event, page }].slice(-KEPT_MAX);
      else publisher.publish('app', { event, page });
    },
    /** Events from now on, and those that were kept for the page, until the signal aborts or the core closes. */
    subscribe: (signal: AbortSignal | undefined, page?: number): AsyncGenerator<AppEvent> => {
      const ends = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      const events = publisher.subscribe('app', { signal: ends });
      if (page === undefined || ends.aborted) return chosen([], events, page, ends, () => {});
      const waited = kept.filter((each) => each.page === page);
      kept = kept.filter((each) => each.page !== page);
      const leave = arrive(page);
      ends.addEventListener('abort', leave, { once: true });
      return chosen(waited, events, page, ends, leave);
    },
    /** Ends every subscription. */
    close: () => closing.abort(),
  };
}

/** The end of a subscription is no failure: the listener just sees no more events. */
async function* chosen(
  waited: readonly Addressed[],
  events: AsyncGenerator<Addressed>,
  page: number | undefined,
  ends: AbortSignal,
  leave: () => void,
): AsyncGenerator<AppEvent> {
  try {
    for (const { event } of waited) yield event;
    for await (const each of events) if (each.page === undefined || each.page === page) yield each.event;
  } catch (error) {
    if (!ends.aborted) throw error;
  } finally {
    leave();
  }
}
