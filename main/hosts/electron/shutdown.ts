/**
 * The way out. Closing takes a moment (the last commit, the practice service), so every wish to quit is put off until it is
 * done, but not for ever: what has not ended by then is settled at the next start, by the same rules as after a crash.
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

export interface Shutdown {
  /** To be called on every wish to quit; true when the process may end at once. */
  mayEnd(): boolean;
  /** Leaves without a question: the system ends, or a program has asked, and nobody may be there to answer. */
  leave(): void;
}

export const CLOSE_MS = 5_000;

export function createShutdown(ports: QuitPorts): Shutdown {
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
    // Whoever left without a question has answered it.
    if (at !== 'asked') return;
    if (isWanted) await leave();
    else at = 'open';
  };
  return {
    mayEnd: () => {
      if (at === 'gone') return true;
      if (at === 'open') void (ports.isBusy() ? askFirst() : leave());
      return false;
    },
    leave: () => {
      if (at === 'open' || at === 'asked') void leave();
    },
  };
}
