import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * The terminal that the host was started from: the one place where the user can be asked something that no page sees or
 * answers. A line is the answer to the question that stands; without a question it is a wish for another link.
 *
 *   idle --question--> asked --"yes"----------> true
 *     \--line--> wish     \--anything else, or the terminal goes--> false
 */
export interface Terminal {
  /** Questions stand one after the other. @returns true for a line that says yes */
  ask(question: string): Promise<boolean>;
  close(): void;
}

export interface TerminalPorts {
  readonly input: Readable;
  readonly say: (line: string) => void;
  /** Called for a line that answers nothing. */
  readonly onLine: () => void;
  /** Called for Ctrl+C, which a terminal that is read takes for itself. */
  readonly onInterrupt: () => void;
}

export function createTerminal({ input, say, onLine, onInterrupt }: TerminalPorts): Terminal {
  const lines = createInterface({ input });
  const waiting: { readonly question: string; readonly answer: (isYes: boolean) => void }[] = [];
  let isClosed = false;
  const put = (): void => {
    const next = waiting[0];
    if (next !== undefined) say(`${next.question} Type "yes" to go on; anything else means no.`);
  };
  lines.on('line', (line) => {
    const asked = waiting.shift();
    if (asked === undefined) return onLine();
    asked.answer(line.trim().toLowerCase() === 'yes');
    return put();
  });
  lines.on('SIGINT', onInterrupt);
  lines.on('close', () => {
    isClosed = true;
    for (const { answer } of waiting.splice(0)) answer(false);
  });
  return {
    ask: (question) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(false);
        waiting.push({ question, answer: resolve });
        if (waiting.length === 1) put();
        return undefined;
      }),
    close: () => lines.close(),
  };
}
