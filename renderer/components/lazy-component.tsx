import { type ReactNode, useEffect, useState } from 'react';

/** Milliseconds before the first retry; each delay is twice the one before, up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * A component whose code is loaded when it is first rendered, and that is rendered as soon as it is loaded. React's own
 * `lazy` shows suspended content no sooner than 300 ms after it was suspended, which is longer than a dialog takes to
 * load.
 *
 * @param load resolves with the component. Code that can't be fetched, for example while the host can't be reached, is
 *   requested again; other errors go to the nearest error boundary
 * @param waiting the placeholder while the code loads
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
            // How browsers report a module that can't be fetched (HTML, "fetch a single module script").
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

/** Milliseconds until the first rows of a typical account are on screen. */
const START_MS = 1000;
/** The longest wait for an idle moment, in milliseconds. */
const REST_MS = 2000;

/**
 * Runs work that is not urgent, once the window has started and is idle.
 *
 * @returns cancels it
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
