import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BrowserContext, test as base, _electron as electron, expect, type Page } from '@playwright/test';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../main/hosts/start/node-flags.mjs';
import { endHosts, type HostProcess, OUT, startBuiltHost } from './host-process.ts';
import { dateFlags, dateScript } from './shifted-date.ts';

/**
 * `page` is Adslate's window, opened and signed in, whatever the host. A spec says nothing of hosts unless it asks
 * for `adslate`.
 *
 *   web:      out/main/web.js in a process --> Chromium opens its start link
 *   electron: the Electron runtime runs out/main/electron.js --> its first window
 */
export interface HostOptions {
  readonly host: 'web' | 'electron';
  /** False starts on a folder without any account, as after removing the last one. */
  readonly practice: boolean;
  /** Opens the sample account in the window of a newcomer, in place of an empty practice account with its panes open. */
  readonly sample: boolean;
  /** Has the host make this account itself, as at a first start, which costs up to 2 s of CPU; others get a copy of one. */
  readonly isFirstStart: boolean;
  /** Web host only: the day on which the host and its pages run, such as 2026-11-29; null for that of the machine. */
  readonly today: string | null;
}

type FirstAccount = '--practice' | '--sample';

interface WorkerFixtures {
  /** A folder that a host was first started on with this word: made once by each worker, for its specs to copy. */
  readonly firstStarted: (account: FirstAccount, today: string | null) => Promise<string>;
}

export interface Adslate {
  readonly host: HostOptions['host'];
  /** The data folder of this spec; removed at its end. */
  readonly dataDir: string;
  /** Web host only: ends the process and starts it again on the same folder, then opens `page` on it. */
  restart(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Web host only: ends the process as a crash would and leaves the window alone. */
  kill(): Promise<void>;
}

interface Fixtures {
  readonly adslate: Adslate;
  readonly dataDir: string;
  /** The running host of the web project, before a page is open. */
  readonly opened: Pick<Adslate, 'restart' | 'kill'> & { readonly page: Page };
}

/** Each spec has a host of its own: what V8 compiled for one is kept for the next, which starts in a sixth less CPU time. */
const HOST_ENVIRONMENT = { ...NODE_ENVIRONMENT, NODE_COMPILE_CACHE: join(OUT, 'compile-cache') };

const startWeb = (args: readonly string[], today: string | null): Promise<HostProcess> =>
  startBuiltHost(args, [...NODE_FLAGS, ...(today === null ? [] : dateFlags(today))], HOST_ENVIRONMENT);

export const test = base.extend<Fixtures & HostOptions, WorkerFixtures>({
  host: ['web', { option: true }],
  practice: [true, { option: true }],
  sample: [false, { option: true }],
  isFirstStart: [false, { option: true }],
  today: [null, { option: true }],
  firstStarted: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const made = new Map<string, string>();
      await use(async (account, today) => {
        const key = `${account} ${today}`;
        const known = made.get(key);
        if (known !== undefined) return known;
        const folder = await firstStart(account, today);
        made.set(key, folder);
        return folder;
      });
      for (const folder of made.values()) rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  dataDir: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'adslate-e2e-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  context: async ({ context, today }, use) => {
    const policy = watchPolicy(context);
    if (today !== null) await context.addInitScript({ content: dateScript(today) });
    await use(context);
    endHosts();
    policy.settle();
  },
  opened: async ({ host, practice, sample, isFirstStart, today, firstStarted, dataDir, context }, use) => {
    const account = sample ? '--sample' : practice ? '--practice' : null;
    if (host === 'web' && account !== null && !isFirstStart)
      cpSync(await firstStarted(account, today), dataDir, { recursive: true });
    if (!sample) openPanes(dataDir);
    const args = ['--data', dataDir, ...(account === null ? [] : [account])];
    if (host === 'electron') {
      const executablePath = process.env['ELECTRON'];
      const app = await electron.launch({
        args: [join(OUT, 'main/electron.js'), ...args],
        ...(executablePath === undefined ? {} : { executablePath }),
      });
      // A dialog of the system cannot be answered from here: files that a spec picks are the user's own.
      await app.evaluate(({ dialog }) => {
        const ask = dialog.showMessageBox.bind(dialog);
        const showMessageBox = (options: Electron.MessageBoxOptions) =>
          options.message.startsWith('Take ') ? { response: 1, checkboxChecked: false } : ask(options);
        Object.assign(dialog, { showMessageBox });
      });
      const webOnly = () => Promise.reject(new Error('Only the web host is a process of its own within a spec.'));
      const policy = watchPolicy(app.context());
      await use({ page: await app.firstWindow(), restart: webOnly, kill: webOnly });
      policy.settle();
      await app.close();
      return;
    }
    let running = await startWeb(args, today);
    const page = await context.newPage();
    await page.goto(running.url);
    await use({
      page,
      kill: () => running.stop('SIGKILL'),
      restart: async (signal) => {
        await running.stop(signal);
        running = await startWeb(args, today);
        await page.goto(running.url);
      },
    });
    await page.close();
    await running.stop();
  },
  page: ({ opened }, use) => use(opened.page),
  adslate: ({ host, dataDir, opened }, use) => use({ host, dataDir, restart: opened.restart, kill: opened.kill }),
});

async function firstStart(account: FirstAccount, today: string | null): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'adslate-e2e-first-'));
  const host = await startWeb(['--data', join(home, 'made'), account], today);
  await host.stop();
  // A folder whose old place is gone was moved; of one that was copied each copy would ask which of the two it is.
  const folder = join(home, 'data');
  renameSync(join(home, 'made'), folder);
  rmSync(join(folder, 'openings.json'), { force: true });
  return folder;
}

/** Most specs look at the panes, so they are open, as a user of every day has them. */
export function openPanes(dataDir: string): void {
  const layout = { 'hidden.inspector': false, 'hidden.drawer': false };
  writeFileSync(join(dataDir, 'preferences.json'), JSON.stringify({ layout }));
}

/** What the browser says when a page tries what its policy forbids. */
const BREACH = /Content[ -]Security[ -]Policy|TrustedHTML|TrustedScript/i;

/** Listens to every page of a browser's window, whichever spec opened it, from its first word to its last. */
export function watchPolicy(context: BrowserContext) {
  const breaches: string[] = [];
  let pages = context.pages().length;
  context.on('page', () => {
    pages += 1;
  });
  context.on('console', (message) => {
    if (BREACH.test(message.text())) breaches.push(message.text());
  });
  return {
    breaches: breaches as readonly string[],
    /** Leaves the count for the sum of the whole run (`scripts/test-e2e.mjs`), and fails when there is any. */
    settle: (): void => {
      base.info().annotations.push({ type: 'policy', description: `${breaches.length} of ${pages}` });
      expect(breaches, 'every page kept its policy from beginning to end').toEqual([]);
    },
  };
}

export { expect };
