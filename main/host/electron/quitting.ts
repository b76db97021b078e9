/**
 * The way out. Closing takes a moment (the last commit, the practice service), so every wish to quit is put off until it is
 * done, but not for ever: what has not ended by then is settled at the next start, by the same rules as after a crash.
 *
 *   open --wish, nothing runs--> closing --closed, or 5 s are over--> gone
 *     |                            ^
 *     +--wish, sync runs--> asked --"stop and quit"
 *                             +----"keep working"--> open
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

/** @returns what to call on every wish to quit; it answers true when the process may end at once */
export function createQuitting(ports: QuitPorts): () => boolean {
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
    if (await ports.ask()) await leave();
    else at = 'open';
  };
  return () => {
    if (at === 'gone') return true;
    if (at === 'open') void (ports.isBusy() ? askFirst() : leave());
    return false;
  };
}
