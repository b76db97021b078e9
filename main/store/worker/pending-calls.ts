import { unpackCodes } from './thread-calls.ts';

/** The error of a call to a closed workspace, or to a thread that ends before it answers. */
export class WorkspaceClosed extends Error {
  override readonly name = 'WorkspaceClosed';
}

/** Tracks the calls of a thread, so that it is not ended while they run. */
export interface PendingCalls<Calls extends object> {
  readonly calls: Calls;
  /** Refuses all calls from now on; the first reason is kept. */
  refuse(why: string): void;
  /** Resolves when all running calls are answered, or after `limitMs`. */
  answered(limitMs: number): Promise<void>;
}

/**
 *   open --refuse--> answering running calls --all answered, or time-out--> closed
 *
 * @param calls an object with a method for every name, such as a connection to a thread
 */
export function trackCalls<Calls extends object>(calls: Calls): PendingCalls<Calls> {
  const underWay = new Set<Promise<unknown>>();
  let refusal: string | null = null;
  const watched = new Proxy(calls, {
    get: (target, name) => {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return (...args: readonly unknown[]): Promise<unknown> => {
        if (refusal !== null) return Promise.reject(new WorkspaceClosed(refusal));
        const answer: Promise<unknown> = Promise.resolve(Reflect.apply(call, target, args));
        underWay.add(answer);
        const over = (): void => void underWay.delete(answer);
        answer.then(over, over);
        return answer.catch((error: unknown) => {
          throw unpackCodes(error);
        });
      };
    },
  });
  return {
    calls: watched,
    refuse: (why) => {
      refusal ??= why;
    },
    answered: async (limitMs) => {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([Promise.allSettled(underWay), limit]);
      clearTimeout(timer);
    },
  };
}
