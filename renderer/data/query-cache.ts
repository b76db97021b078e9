import type { Client } from '../app/transport/connection.ts';
import type { DeskEvent, Events } from './events.ts';

/**
 * What a screen knows of one question to main, and what is under way. The two are apart on purpose: an answer
 * can be on screen while a newer one is being read or while main is away.
 */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
}

export interface QueryDefinition<T> {
  readonly key: string;
  readonly read: (client: Client) => Promise<T>;
  /** True for an event after which the answer may differ. `reconnected` always asks again. */
  readonly outdatedBy: (event: DeskEvent) => boolean;
}

interface Entry {
  state: QueryState<unknown>;
  question: QueryDefinition<unknown>;
  readonly listeners: Set<() => void>;
  running: boolean;
  again: boolean;
  /** Something changed while nobody was looking. */
  outdated: boolean;
}

/** Answers kept although nobody looks at them, so that going back and forth between screens shows no blank. */
const UNWATCHED_MAX = 60;

/** During a sync changes come in a stream; the same question is asked this often at most. */
const REPEAT_MS = 120;

/** Answers by key, shared by every component that asks the same. Unwatched ones are read again only when looked at. */
export interface QueryCache {
  watch<T>(question: QueryDefinition<T>, listener: () => void): () => void;
  peek(key: string): QueryState<unknown>;
  refetch(key: string): void;
}

const UNKNOWN: QueryState<unknown> = { data: undefined, error: null, loading: true };

export function createQueryCache(client: Client, events: Events): QueryCache {
  const entries = new Map<string, Entry>();

  function publish(entry: Entry, state: QueryState<unknown>): void {
    entry.state = state;
    for (const listener of [...entry.listeners]) listener();
  }

  // At most one read per key is under way; changes announced meanwhile lead to exactly one more.
  async function run(entry: Entry): Promise<void> {
    if (entry.running) {
      entry.again = true;
      return;
    }
    entry.running = true;
    do {
      entry.again = false;
      try {
        const data = await entry.question.read(client);
        publish(entry, { data, error: null, loading: false });
      } catch (error) {
        publish(entry, { data: entry.state.data, error, loading: false });
      }
      if (entry.again) await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
    } while (entry.again && entry.listeners.size > 0);
    entry.running = false;
    if (entry.again) entry.outdated = true;
  }

  events.on((event) => {
    for (const entry of entries.values()) {
      if (event.type !== 'reconnected' && !entry.question.outdatedBy(event)) continue;
      if (entry.listeners.size === 0) entry.outdated = true;
      else void run(entry);
    }
  });

  function dropOldest(): void {
    const unwatched = [...entries].filter(([, entry]) => entry.listeners.size === 0);
    for (const [key] of unwatched.slice(0, Math.max(0, unwatched.length - UNWATCHED_MAX))) entries.delete(key);
  }

  return {
    watch: (question, listener) => {
      let entry = entries.get(question.key);
      if (entry === undefined) {
        entry = { state: UNKNOWN, question, listeners: new Set(), running: false, again: false, outdated: true };
        entries.set(question.key, entry);
        dropOldest();
      }
      const watched = entry;
      watched.question = question;
      watched.listeners.add(listener);
      if (watched.outdated) {
        watched.outdated = false;
        void run(watched);
      }
      return () => {
        watched.listeners.delete(listener);
      };
    },
    peek: (key) => entries.get(key)?.state ?? UNKNOWN,
    refetch: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined) void run(entry);
    },
  };
}
