import { EventPublisher } from '@orpc/server';
import type { AppEvent } from '../shared/contract/app.ts';

/** What main announces, to any number of listeners. A slow listener loses the oldest events, never the newest. */
export interface AppEvents {
  publish(event: AppEvent): void;
  /** Events from now on, until the signal aborts or the core closes. */
  subscribe(signal: AbortSignal | undefined): AsyncGenerator<AppEvent>;
  /** Ends every subscription. */
  close(): void;
}

const BUFFERED_EVENTS = 1000;

export function createAppEvents(): AppEvents {
  const publisher = new EventPublisher<{ app: AppEvent }>({ maxBufferedEvents: BUFFERED_EVENTS });
  const closing = new AbortController();
  return {
    publish: (event) => publisher.publish('app', event),
    subscribe: (signal) => {
      const ends = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      return untilAborted(publisher.subscribe('app', { signal: ends }), ends);
    },
    close: () => closing.abort(),
  };
}

/** The end of a subscription is no failure: the listener just sees no more events. */
async function* untilAborted(events: AsyncGenerator<AppEvent>, signal: AbortSignal): AsyncGenerator<AppEvent> {
  try {
    yield* events;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
