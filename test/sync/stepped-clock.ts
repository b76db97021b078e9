import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../main/app/clock.ts';

/** What an account has under way, so that a clock does not move meanwhile. */
export interface Progress {
  /** The fetch of the account: its requests are under way until they are answered. */
  readonly fetch: typeof fetch;
  /** The same object; calls of it are under way until they are answered, as calls of a thread take their time. */
  watched<T extends object>(of: T): T;
  /** Resolves when nothing has been under way for a moment. */
  quiet(): Promise<void>;
}

/** A clock that stands still until it is moved; whoever sleeps wakes when their time has come. */
export interface SteppedClock extends Clock, Omit<Progress, 'quiet'> {
  /** Moves it on at once. Sleepers whose time has passed wake. */
  advance(ms: number): void;
  /** Moves it from sleeper to sleeper, while nothing is under way, until this holds. */
  until(holds: () => unknown): Promise<void>;
}

/** How often nothing may happen before a clock moves: answers are written down in other threads. */
const QUIET_LOOKS = 12;

export function watchProgress(): Progress {
  let inProgress = 0;
  const during = async <T>(work: Promise<T>): Promise<T> => {
    inProgress++;
    try {
      return await work;
    } finally {
      inProgress--;
    }
  };
  return {
    fetch: (input, init) => during(fetch(input, init)),
    watched: (of) => watchedBy(during, of),
    quiet: async () => {
      for (let looks = 0; looks < QUIET_LOOKS; looks++) {
        if (inProgress > 0) looks = 0;
        await delay(2);
      }
    },
  };
}

export function steppedClock(startMs = Date.now()): SteppedClock {
  const { quiet, ...progress } = watchProgress();
  let now = startMs;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const moveTo = (at: number): void => {
    now = Math.max(now, at);
    const due = sleepers.filter((sleeper) => sleeper.at <= now);
    sleepers = sleepers.filter((sleeper) => sleeper.at > now);
    for (const { wake } of due) wake();
  };
  return {
    nowMs: () => now,
    monotonicMs: () => now,
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        const sleeper = { at: now + delayMs, wake: resolve };
        if (delayMs <= 0 || signal?.aborted === true) return resolve();
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((each) => each !== sleeper);
          resolve();
        });
      }),
    advance: (ms) => moveTo(now + ms),
    until: async (holds) => {
      for (let looks = 0; !(await holds()); looks++) {
        if (looks > 800) throw new Error('it never came to it');
        await quiet();
        if (await holds()) return;
        const next = Math.min(...sleepers.map(({ at }) => at));
        if (Number.isFinite(next)) moveTo(next);
      }
    },
    ...progress,
  };
}

function watchedBy<T extends object>(during: <V>(work: Promise<V>) => Promise<V>, of: T): T {
  return new Proxy(of, {
    get: (target, name, self) => {
      const member: unknown = Reflect.get(target, name, self);
      if (typeof member === 'object' && member !== null) return watchedBy(during, member);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, args);
        return answer instanceof Promise ? during(answer) : answer;
      };
    },
  });
}
