import type { MutableSleepState } from '../../app/clock.ts';

/**
 * Quitting. Closing takes a moment (the last commit, the practice service), so a quit request is delayed until it
 * is done, but not longer than a limit: work that has not ended by then is resolved at the next start, as after a crash.
 *
 *   open --request, no sync--> closing --closed, or 5 s are over--> gone
 *     |                            ^  ^
 *     +--request, sync runs-> asked -+  +--- `leave`, from open or asked
 *     ^                       |  "stop and quit"
 *     +----"keep working"-----+
 */
export interface QuitPorts {
  /** True while a sync runs. */
  readonly isBusy: () => boolean;
  /** Asks the user whether to stop the sync; resolves with true for yes. */
  readonly ask: () => Promise<boolean>;
  readonly close: () => Promise<void>;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Ends the process; `problem` is why closing failed, null if it succeeded. */
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
    // `leave` may have begun to quit while the dialog was open.
    if (at !== 'asked') return;
    if (isWanted) await leave();
    else at = 'open';
  };
  return {
    /** Call it on every quit request; true when the process may end at once. */
    mayEnd: (): boolean => {
      if (at === 'gone') return true;
      if (at === 'open') void (ports.isBusy() ? askFirst() : leave());
      return false;
    },
    /** Quits without a dialog: the system shuts down or a program asked, and no user may be there to reply. */
    leave: () => {
      if (at === 'open' || at === 'asked') void leave();
    },
  };
}

/**
 * Reloads a page that fails, unless it fails repeatedly: then reloading does not help, and the user is asked.
 *
 *   fails --fewer than 3 in a minute--> loaded again
 *     |
 *     +----the third in a minute-----> asked: --"start with plain views"--> loaded without saved views
 *                                        +-----"quit"--> the program ends
 */
interface CrashPorts {
  readonly nowMs: () => number;
  readonly reload: () => void;
  /** Loads the page without its saved views. */
  readonly loadPlain: () => void;
  readonly ask: () => Promise<'plain' | 'quit'>;
  readonly quit: () => void;
}

const CRASHES_MAX = 3;
const WITHIN_MS = 60_000;

/** @returns a function to call each time the page has failed */
export function watchCrashes(ports: CrashPorts): () => Promise<void> {
  let recent: readonly number[] = [];
  let isAsking = false;
  return async () => {
    if (isAsking) return;
    const nowMs = ports.nowMs();
    // After a clock was set back, older failures seem to be in the future: they do not count.
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

/** The events of Electron's power monitor that are used here. */
interface PowerEvents {
  on(event: 'suspend', listener: () => void): unknown;
  on(event: 'resume', listener: () => void): unknown;
  /** Electron's type declarations omit its event. */
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
