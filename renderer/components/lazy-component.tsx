import { type ReactNode, useEffect, useState } from 'react';

/** Before the first further attempt; each pause is twice as long as the one before it, up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * A part of the window whose code comes when it is drawn for the first time, and is drawn as soon as it is there. React's
 * own `lazy` shows what it has kept back no sooner than 300 ms after it began to, which is longer than a dialog takes.
 *
 * @param load answers the component. Code that does not come, as while the host is away, is asked for again and again;
 *   what else it throws goes to the nearest boundary
 * @param waiting what stands there meanwhile
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<(props: Props) => ReactNode>,
  waiting: ReactNode = null,
): (props: Props) => ReactNode {
  let known: ((props: Props) => ReactNode) | null = null;
  return function Later(props) {
    const [Part, setPart] = useState(() => known);
    const [failure, setFailure] = useState<{ readonly cause: unknown } | null>(null);
    useEffect(() => {
      if (Part !== null) return;
      let gone = false;
      let next: number | undefined;
      const attempt = (pauseMs: number): void => {
        load().then(
          (part) => {
            known = part;
            if (!gone) setPart(() => part);
          },
          (cause: unknown) => {
            if (gone) return;
            // Browsers say so where a module cannot be fetched (HTML, "fetch a single module script").
            if (!(cause instanceof TypeError)) setFailure({ cause });
            else next = window.setTimeout(attempt, pauseMs, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
          },
        );
      };
      attempt(FIRST_PAUSE_MS);
      return () => {
        gone = true;
        window.clearTimeout(next);
      };
    }, [Part]);
    if (failure !== null) throw failure.cause;
    return Part === null ? waiting : <Part {...props} />;
  };
}

/** The first rows of a usual account are on screen by then. */
const START_MS = 1000;
/** So long work waits for a moment of rest at most. */
const REST_MS = 2000;

/**
 * Runs work that nobody waits for once the window has started and has nothing else to do.
 *
 * @returns takes it back
 */
export function afterFirstPaint(work: () => void): () => void {
  let rest = 0;
  const start = window.setTimeout(() => {
    rest = window.requestIdleCallback(work, { timeout: REST_MS });
  }, START_MS);
  return () => {
    window.clearTimeout(start);
    window.cancelIdleCallback(rest);
  };
}
