/**
 * One time for a client and its service. It stands still while anything is asked, and moves to the end of the nearest wait
 * once nothing is: two machines never disagree about it, and a wait costs a test nothing.
 */
export interface SharedTime {
  /** As `Clock.sleep`. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Requests that go out here hold the time. */
  readonly fetch: typeof fetch;
  /** Moves it by so much at once. */
  move(ms: number): Promise<void>;
}

/** How long nothing may have been asked before the time moves, in milliseconds of the machine. */
const QUIET_MS = 25;

interface Wait {
  readonly untilMs: number;
  readonly end: () => void;
}

/** @param moveBoth moves both clocks by so many milliseconds */
export function createSharedTime(nowMs: () => number, moveBoth: (ms: number) => Promise<void>): SharedTime {
  const waits = new Set<Wait>();
  let underWay = 0;
  let quietSince = performance.now();
  let moving: Promise<void> = Promise.resolve();
  let isLooking = false;

  const move = (ms: number): Promise<void> => {
    moving = moving.then(() => moveBoth(ms)).then(endWaits);
    return moving;
  };
  const endWaits = (): void => {
    const now = nowMs();
    for (const wait of [...waits]) if (wait.untilMs <= now) wait.end();
  };
  const look = (): void => {
    if (isLooking || waits.size === 0) return;
    isLooking = true;
    setTimeout(() => {
      isLooking = false;
      if (underWay > 0 || performance.now() - quietSince < QUIET_MS) return look();
      const nearest = Math.min(...[...waits].map(({ untilMs }) => untilMs));
      quietSince = performance.now();
      void move(Math.max(0, nearest - nowMs())).then(look);
    }, QUIET_MS);
  };
  return {
    move,
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        const wait: Wait = {
          untilMs: nowMs() + delayMs,
          end: () => {
            waits.delete(wait);
            signal?.removeEventListener('abort', wait.end);
            resolve();
          },
        };
        waits.add(wait);
        if (signal?.aborted === true) wait.end();
        else signal?.addEventListener('abort', wait.end, { once: true });
        look();
      }),
    fetch: async (...asked) => {
      await moving;
      underWay += 1;
      try {
        return await fetch(...asked);
      } finally {
        underWay -= 1;
        quietSince = performance.now();
      }
    },
  };
}
