/** What a call is refused with that comes when a workspace is closed already, or whose thread ends before it answers. */
export class WorkspaceClosed extends Error {
  override readonly name = 'WorkspaceClosed';
}

/** The calls of a thread, watched so that it is not ended under them. */
export interface PendingCalls<Calls extends object> {
  readonly calls: Calls;
  /** From now on calls are refused; the first reason stands. */
  refuse(why: string): void;
  /** Resolves when all that are under way were answered, or after `limitMs`. */
  answered(limitMs: number): Promise<void>;
}

/**
 *   open --refuse--> answering what is under way --all answered, or too late--> closed
 *
 * @param calls an object with a method for every name, as a connection to a thread is
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
        return answer;
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
