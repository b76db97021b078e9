import type { AppEvent } from '../../shared/api/app.ts';
import type { Connection } from './transport/connection.ts';

/** What screens hear: everything main announces, and `reconnected` after a gap in which events may have been missed. */
export type DeskEvent = AppEvent | { readonly type: 'reconnected' };

/** The one subscription of a window to main's event stream, fanned out to whoever listens. */
export interface Events {
  on(listener: (event: DeskEvent) => void): () => void;
  close(): void;
}

const RETRY_MS = 500;

/** Subscribes and stays subscribed: when the stream ends or breaks it is opened again and `reconnected` is told. */
export function listenToMain(connection: Connection): Events {
  const listeners = new Set<(event: DeskEvent) => void>();
  const stop = new AbortController();
  const tell = (event: DeskEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };

  async function follow(): Promise<void> {
    let first = true;
    while (!stop.signal.aborted) {
      try {
        const stream = await connection.client.app.events(undefined, { signal: stop.signal });
        if (!first) tell({ type: 'reconnected' });
        first = false;
        for await (const event of stream) tell(event);
      } catch {
        // The line is down; its own state is shown by the status bar and the next turn waits for it.
      }
      if (!stop.signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  void follow();

  return {
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => stop.abort(),
  };
}
