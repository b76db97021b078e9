/**
 * A page that fails is loaded again, unless it fails again and again: then reloading helps nobody, and the user is asked.
 *
 *   fails --fewer than 3 in a minute--> loaded again
 *     |
 *     +----the third in a minute-----> asked: --"start with plain views"--> loaded without what was remembered
 *                                        +-----"quit"--> the program ends
 */
export interface CrashPorts {
  readonly nowMs: () => number;
  readonly reload: () => void;
  /** Loads the page without what was remembered of its views. */
  readonly loadPlain: () => void;
  readonly ask: () => Promise<'plain' | 'quit'>;
  readonly quit: () => void;
}

const CRASHES_MAX = 3;
const WITHIN_MS = 60_000;

/** @returns what to call each time the page has failed */
export function watchCrashes(ports: CrashPorts): () => Promise<void> {
  let recent: readonly number[] = [];
  let isAsking = false;
  return async () => {
    if (isAsking) return;
    const nowMs = ports.nowMs();
    // A clock that was set back makes older failures look like ones to come: they count as none.
    recent = [...recent.filter((at) => at <= nowMs && nowMs - at < WITHIN_MS), nowMs];
    if (recent.length < CRASHES_MAX) {
      ports.reload();
      return;
    }
    isAsking = true;
    const answer = await ports.ask();
    isAsking = false;
    recent = [];
    if (answer === 'plain') ports.loadPlain();
    else ports.quit();
  };
}
