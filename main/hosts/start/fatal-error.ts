import type { Log } from '../../app/log.ts';

/**
 * What becomes of a failure that nobody has caught: a line in the log, a sentence for the user, the end. Going on would be
 * going on in a state that nobody knows. What was acknowledged is on the disk, and the next start settles the rest by the
 * rules of a crash. No stack is shown: it says nothing to the user, and the log has what helps.
 *
 * @param end shows the sentence and ends the process; called once, also where ending fails in turn
 */
export function exitOnFatalError(log: Log, end: (sentence: string) => void): void {
  let isEnding = false;
  const onDefect = (error: unknown): void => {
    if (isEnding) return;
    isEnding = true;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
    log('unexpected failure', { operation: 'host', error: what });
    end(
      `Adslate has to stop, because of a fault of its own (${what}). Your drafts are safe on this machine: start it again.`,
    );
  };
  process.on('uncaughtException', onDefect);
  // Node makes these an exception, Electron a mere warning.
  process.on('unhandledRejection', onDefect);
}
