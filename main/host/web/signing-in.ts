import { createInterface } from 'node:readline';
import { findOpener } from './open-window.ts';
import type { WebServer } from './server.ts';
import { createStartFile } from './start-file.ts';

/** How the person or the program that started the host comes by a link that signs in. Words go to standard error. */
export interface SigningIn {
  forProgram(): string;
  print(): void;
  /** Opens a window where that is possible, else prints the link. */
  openWindow(): void;
  sayLocked(): void;
  saySignedOut(): void;
  close(): void;
}

/** A link that somebody copies takes longer to be used than one that a browser is handed. */
const HANDED_MS = 60_000;
const PRINTED_MS = 10 * 60_000;

export function signingIn(server: WebServer, dataDir: string): SigningIn {
  const file = createStartFile(dataDir);
  const terminal = process.stdin.isTTY ? createInterface({ input: process.stdin }) : null;
  const print = (): void => say(`Open this link within ten minutes; it signs in once: ${server.startUrl(PRINTED_MS)}`);
  terminal?.on('line', print);
  // The terminal takes Ctrl+C for itself while it is read; the host still has to hear of it.
  terminal?.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
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
    saySignedOut: () => say(`Every window was signed out. ${howToGetAnother}`),
    close: () => {
      terminal?.close();
      file.remove();
    },
  };
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
