import { spawn } from 'node:child_process';
import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { WebServer } from './server.ts';

/** A link that is copied by hand takes longer to be used than one passed to a browser. */
const HANDED_MS = 60_000;
const PRINTED_MS = 10 * 60_000;

/** Gives the user or the program that started the host a sign-in link. Messages go to standard error. */
export function createLoginLink(server: WebServer, dataDir: string) {
  const file = createLoginFile(dataDir);
  const print = (): void =>
    say(`To sign in, open this link within 10 minutes. It works once: ${server.startUrl(PRINTED_MS)}`);
  const onInterrupt = (): void => void process.kill(process.pid, 'SIGINT');
  const terminal = process.stdin.isTTY
    ? createTerminalPrompt({ input: process.stdin, say, onLine: print, onInterrupt })
    : null;
  const howToGetAnother =
    terminal === null ? 'Start Adslate again to get a new link.' : 'Press Enter to get a new link.';
  return {
    forProgram: (): string => server.startUrl(PRINTED_MS),
    print,
    /** Opens a browser window if possible, else prints the link. */
    openWindow: () => {
      const opener = findOpener(process.env);
      if (opener === null) return print();
      const url = server.startUrl(HANDED_MS);
      opener.open(opener.readsFiles ? file.write(url) : url, () => {
        say("Can't open the window.");
        print();
      });
      return say(`Adslate is open. Its data folder is ${dataDir}. ${howToGetAnother} Press Ctrl+C to stop Adslate.`);
    },
    sayLocked: (): void => say(`Sign-in is locked after 10 failed attempts in one minute. ${howToGetAnother}`),
    /** Asks the user at the terminal; null without one. */
    ask: terminal?.ask ?? null,
    saySignedOut: (): void => say(`All windows were signed out. ${howToGetAnother}`),
    close: (): void => {
      terminal?.close();
      file.remove();
    },
  };
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Browsers that can show a URL in a separate window without tabs. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A browser that can show the window here and now. */
interface WindowOpener {
  /** False for a sandboxed browser package that can't read hidden folders, and so not the start file. */
  readonly readsFiles: boolean;
  /** @param failed called when the browser does not start */
  open(address: string, failed: () => void): void;
}

/** @returns null when there is no display or no such browser; the caller then prints the link */
function findOpener(env: NodeJS.ProcessEnv): WindowOpener | null {
  const hasDisplay = process.platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  const folders = (env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  const browser = candidates.find((path) => existsSync(path));
  if (!hasDisplay || browser === undefined) return null;
  return {
    readsFiles: !/[\\/]snap([\\/]|$)/.test(realpathSync(browser)) && !existsSync('/snap/bin/chromium'),
    open: (address, failed) => {
      const child = spawn(browser, [`--app=${address}`], { detached: true, stdio: 'ignore' });
      child.once('error', failed);
      child.unref();
    },
  };
}

/**
 * A page on the disk that sends the browser to the window. Every user of the computer can read a command line but not
 * a file of mode 0600, so the one-time code is passed in the file.
 */
export function createLoginFile(dataDir: string) {
  const path = join(dataDir, 'start.html');
  return {
    /** Writes the link and returns the URL of the file. */
    write: (url: string): string => {
      rmSync(path, { force: true }); // an existing file would keep its mode
      writeFileSync(path, pageTo(url), { mode: 0o600, flag: 'wx' });
      return pathToFileURL(path).href;
    },
    remove: (): void => rmSync(path, { force: true }),
  };
}

/** @param url made by us: host, port and hexadecimal digits, so nothing needs escaping */
const pageTo = (url: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Adslate</title><meta http-equiv="refresh" content="0; url=${url}">\n`;

interface TerminalPorts {
  readonly input: Readable;
  readonly say: (line: string) => void;
  /** Called for a line while no question is open. */
  readonly onLine: () => void;
  /** Called for Ctrl+C, which reading a terminal intercepts. */
  readonly onInterrupt: () => void;
}

/**
 * The terminal that started the host: the only place to ask the user where no page can see or answer. A line answers
 * the open question; without a question it requests another link.
 *
 *   idle --question--> asked --"yes"----------> true
 *     \--line--> link     \--anything else, or the terminal closes--> false
 */
export function createTerminalPrompt({ input, say, onLine, onInterrupt }: TerminalPorts) {
  const lines = createInterface({ input });
  const waiting: { readonly question: string; readonly answer: (isYes: boolean) => void }[] = [];
  let isClosed = false;
  const put = (): void => {
    const next = waiting[0];
    if (next !== undefined) say(`${next.question} Type "yes" to continue. Any other text cancels.`);
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
    /** Questions are asked one at a time. @returns true for "yes" */
    ask: (question: string): Promise<boolean> =>
      new Promise((resolve) => {
        if (isClosed) return resolve(false);
        waiting.push({ question, answer: resolve });
        if (waiting.length === 1) put();
        return undefined;
      }),
    close: () => lines.close(),
  };
}
