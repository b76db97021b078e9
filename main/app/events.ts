import { EventPublisher } from '@orpc/server';
import type { AppEvent } from '../../shared/api/app.ts';

/**
 * Events of main for any number of listeners. A slow listener loses the oldest events, never the newest.
 *
 *   publish(event)        --> all listeners
 *   publish(event, page)  --> the listener of that page; stored until the page listens
 */
export type AppEvents = ReturnType<typeof createAppEvents>;

const BUFFERED_EVENTS = 1000;
/** At most so many events are stored for pages that do not listen yet, so a page that never opens costs no more. */
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

  /** @returns a function to call when the listener leaves; calling it again has no effect */
  function arrive(page: number): () => void {
    listening.set(page, (listening.get(page) ?? 0) + 1);
    let isHere = true;
    return () => {
      if (isHere) listening.set(page, (listening.get(page) ?? 1) - 1);
      isHere = false;
    };
  }

  return {
    /** @param page number of the one page that the event is for; hosts number their windows */
    publish: (event: AppEvent, page?: number) => {
      if (page !== undefined && (listening.get(page) ?? 0) === 0) kept = [...kept, { event, page }].slice(-KEPT_MAX);
      else publisher.publish('app', { event, page });
    },
    /** Events from now on, and those stored for the page, until the signal aborts or the core closes. */
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

/** A subscription ends without a failure: the listener gets no more events. */
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
