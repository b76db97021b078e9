import type { MutableSleepState } from '../../app/clock.ts';

/**
 * Quitting. Closing takes a moment (the last commit, the practice service), so a request to quit is delayed until it
 * is done, but not longer than a limit: what has not ended then is resolved at the next start, as after a crash.
 *
 *   open --wish, nothing runs--> closing --closed, or 5 s are over--> gone
 *     |                            ^  ^
 *     +--wish, sync runs--> asked -+  +--- `leave`, from open or asked
 *     ^                       |  "stop and quit"
 *     +----"keep working"-----+
 */
export interface QuitPorts {
  /** True while a sync is under way. */
  readonly isBusy: () => boolean;
  /** Asks whether to stop what runs; resolves with true for yes. */
  readonly ask: () => Promise<boolean>;
  readonly close: () => Promise<void>;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Ends the process; `problem` says why closing failed, null when it went well. */
  readonly end: (problem: string | null) => void;
}

export const CLOSE_MS = 5_000;

export function createShutdown(ports: QuitPorts) {
  let at: 'open' | 'asked' | 'closing' | 'gone' = 'open';
  const leave = async (): Promise<void> => {
    at = 'closing';
    const problem = await Promise.race([
      ports.close().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
      ports.sleep(CLOSE_MS).then(() => `Closing took longer than ${CLOSE_MS / 1000} s.`),
    ]);
    at = 'gone';
    ports.end(problem);
  };
  const askFirst = async (): Promise<void> => {
    at = 'asked';
    const isWanted = await ports.ask();
    // A user who quit without a question has answered it.
    if (at !== 'asked') return;
    if (isWanted) await leave();
    else at = 'open';
  };
  return {
    /** To be called on every wish to quit; true when the process may end at once. */
    mayEnd: (): boolean => {
      if (at === 'gone') return true;
      if (at === 'open') void (ports.isBusy() ? askFirst() : leave());
      return false;
    },
    /** Leaves without a question: the system ends, or a program has asked, and nobody may be there to answer. */
    leave: () => {
      if (at === 'open' || at === 'asked') void leave();
    },
  };
}

/**
 * A page that fails is loaded again, unless it fails again and again: then reloading helps nobody, and the user is asked.
 *
 *   fails --fewer than 3 in a minute--> loaded again
 *     |
 *     +----the third in a minute-----> asked: --"start with plain views"--> loaded without what was remembered
 *                                        +-----"quit"--> the program ends
 */
interface CrashPorts {
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

/** What Electron's power monitor says, as far as it is heard here. */
interface PowerEvents {
  on(event: 'suspend', listener: () => void): unknown;
  on(event: 'resume', listener: () => void): unknown;
  /** Electron's declarations leave its event out. */
  on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
}

/**
 * Sleep and resume of the computer. Background polls pause during sleep, and overdue ones run on resume; timers alone
 * would be late by the length of the sleep. A shutdown waits for the last commit (on Windows, windows get this event:
 * see `window.ts`).
 */
export function watchPowerEvents(monitor: PowerEvents, sleepState: MutableSleepState, leave: () => void): void {
  monitor.on('suspend', () => sleepState.rest());
  monitor.on('resume', () => sleepState.wake());
  monitor.on('shutdown', (event) => {
    event?.preventDefault();
    leave();
  });
}
