import { findOpener } from './open-window.ts';
import type { WebServer } from './server.ts';
import { createStartFile } from './start-file.ts';
import { createTerminal } from './terminal.ts';

/** How the person or the program that started the host comes by a link that signs in. Words go to standard error. */
export interface SigningIn {
  forProgram(): string;
  print(): void;
  /** Opens a window where that is possible, else prints the link. */
  openWindow(): void;
  sayLocked(): void;
  saySignedOut(): void;
  /** Asks whoever sits at the terminal; null where there is none. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
  close(): void;
}

/** A link that somebody copies takes longer to be used than one that a browser is handed. */
const HANDED_MS = 60_000;
const PRINTED_MS = 10 * 60_000;

export function signingIn(server: WebServer, dataDir: string): SigningIn {
  const file = createStartFile(dataDir);
  const print = (): void => say(`Open this link within ten minutes; it signs in once: ${server.startUrl(PRINTED_MS)}`);
  const onInterrupt = (): void => void process.kill(process.pid, 'SIGINT');
  const terminal = process.stdin.isTTY
    ? createTerminal({ input: process.stdin, say, onLine: print, onInterrupt })
    : null;
  const howToGetAnother = terminal === null ? 'Start again for another link.' : 'Press Enter for another link.';
  return {
    forProgram: () => server.startUrl(PRINTED_MS),
    print,
    openWindow: () => {
      const opener = findOpener(process.env);
      if (opener === null) return print();
      const url = server.startUrl(HANDED_MS);
      opener.open(opener.readsFiles ? file.write(url) : url, () => {
        say('The window could not be opened.');
        print();
      });
      return say(`Adslate is open; its data is in ${dataDir}. ${howToGetAnother} Ctrl+C ends it.`);
    },
    sayLocked: () => say(`Signing in is locked after ten wrong attempts within a minute. ${howToGetAnother}`),
    ask: terminal?.ask ?? null,
    saySignedOut: () => say(`Every window was signed out. ${howToGetAnother}`),
    close: () => {
      terminal?.close();
      file.remove();
    },
  };
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
