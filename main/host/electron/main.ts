import { join, resolve } from 'node:path';
import { app, type BrowserWindow, dialog, Notification, protocol, safeStorage } from 'electron';
import Store from 'electron-store';
import type { AppEvent, Preferences } from '../../../shared/contract/app.ts';
import { asWorkspaceId } from '../../../shared/model/scalars.ts';
import { createSecretBox } from '../../accounts/secret-box.ts';
import { systemClock } from '../../clock.ts';
import { createCore } from '../../core.ts';
import { createFileLog } from '../../log.ts';
import { defaultDataDir } from '../data-dir.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { FOLDER_HELD, holdFolder } from '../start/hold-folder.ts';
import { isFresh, openOnPractice } from '../start/practice-account.ts';
import { readyLine, startedInMs } from '../start/ready.ts';
import { readStartOptions, type StartOptions } from '../start/start-options.ts';
import { readWindowFiles } from '../web/window-files.ts';
import { PAGE_URL } from './address.ts';
import { type DeepLink, LINK_SCHEME, linkInWords, readDeepLink } from './deep-link.ts';
import { desktopKeyStore } from './key-store.ts';
import { setMenu } from './menu.ts';
import { openLines } from './page-line.ts';
import { PRIVILEGED, servePage } from './page-protocol.ts';
import { createQuitting } from './quitting.ts';
import { silence } from './sender.ts';
import { createStorePreferences, DEFAULT_PREFERENCES } from './store-preferences.ts';
import { type SyncSigns, syncSigns } from './sync-signs.ts';
import { createWindows, refuseTheRest } from './window.ts';
import { windowPlaces } from './window-place.ts';

/**
 * Entry of the desktop app.
 *
 *   options -> sandbox, scheme -> data folder held -> ready -> core -> page, lines -> window
 *      |                              |
 *      +-- not understood: 2          +-- held by another window: that one comes to the front, 5
 */
const EXIT = { failed: 1, usage: 2 } as const;

const options = readStartOptions(app.isPackaged ? [] : wordsAfter(import.meta.filename, process.argv));
if (options.ok) start(options.value);
else end(EXIT.usage, options.error.message);

/** What stands after our own file: before it are words for the runtime itself. */
function wordsAfter(file: string, words: readonly string[]): readonly string[] {
  return words.slice(words.findIndex((word) => resolve(word) === file) + 1);
}

function start(startOptions: StartOptions): void {
  const dataDir = resolve(startOptions.dataDir ?? defaultDataDir());
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged(PRIVILEGED);
  // Chromium's own files; the lock that brings the first window to the front belongs to this folder.
  app.setPath('userData', join(dataDir, 'electron'));
  const isFirst = app.requestSingleInstanceLock();
  const held = holdFolder(dataDir, systemClock.nowMs());
  if (!isFirst || !held.ok) {
    end(
      FOLDER_HELD,
      held.ok ? `Adslate is already open on ${dataDir}; its window is in front now.` : held.error.message,
    );
    return;
  }
  run(startOptions, dataDir, held.value.release).catch((error: unknown) => {
    end(EXIT.failed, `Adslate could not start: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function run(startOptions: StartOptions, dataDir: string, release: () => void): Promise<void> {
  const practice = startOptions.practice || isFresh(dataDir);
  const log = createFileLog(dataDir, systemClock);
  await app.whenReady();
  const store = new Store<Preferences>({
    cwd: dataDir,
    name: 'preferences',
    defaults: DEFAULT_PREFERENCES,
    // Preferences are a convenience: a damaged file must not keep the window shut.
    clearInvalidConfig: true,
  });
  // It answers any page with the path of the data folder; nobody here asks.
  silence('electron-store-get-data');
  const preferences = createStorePreferences(store);
  const core = await createCore({
    dataDir,
    host: 'electron',
    clock: systemClock,
    preferences,
    secrets: createSecretBox({
      dataDir,
      clock: systemClock,
      keyStore: async () => desktopKeyStore(safeStorage, process.platform),
    }),
  });
  const signs = signsOf(() => windows.current());
  const listening = new AbortController();
  const hearing = hearEvents(core.events.subscribe(listening.signal), signs);
  endWell(signs, async () => {
    listening.abort();
    await hearing;
    await core.close();
    release();
  });
  if (practice) await openOnPractice(core, preferences, log);
  const windows = createWindows(join(import.meta.dirname, '..', 'preload', 'preload.cjs'), log, windowPlaces(dataDir));
  refuseTheRest(log);
  servePage(protocol, readWindowFiles(join(import.meta.dirname, '..', 'renderer')), core.preview);
  openLines(windows, createDispatch(core.router, log), core.grants);
  setMenu();
  const follow = async (link: DeepLink | null): Promise<void> => {
    await windows.show();
    if (link === null) return;
    log('link followed', { operation: link.kind });
    core.events.publish({ type: 'open.row', ...link, workspaceId: asWorkspaceId(link.workspaceId) });
  };
  // What comes along with a second start was written by anybody: one link at its end counts, all else is not read.
  app.on('second-instance', (_event, words) => void follow(linkInWords(words)));
  app.on('open-url', (event, address) => {
    event.preventDefault();
    void follow(readDeepLink(address));
  });
  app.on('activate', () => void windows.show());
  // The two dashes keep Chromium from reading switches out of a link.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  if (startOptions.open) await follow(app.isPackaged ? linkInWords(process.argv) : null);
  log('electron host ready');
  if (startOptions.readyJson) {
    process.stdout.write(readyLine('electron', PAGE_URL, startedInMs(process.env, systemClock.nowMs())));
  }
}

function signsOf(current: () => BrowserWindow | null): SyncSigns {
  return syncSigns({
    setBar: (share) => current()?.setProgressBar(share ?? -1),
    isInFront: () => current()?.isFocused() ?? false,
    note: (title, body) => {
      if (Notification.isSupported()) new Notification({ title, body }).show();
    },
  });
}

async function hearEvents(events: AsyncIterable<AppEvent>, signs: SyncSigns): Promise<void> {
  for await (const event of events) signs.hear(event);
}

function endWell(signs: SyncSigns, close: () => Promise<void>): void {
  const mayEnd = createQuitting({
    isBusy: () => signs.isBusy(),
    ask: async () => {
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: 'A sync is under way.',
        detail: 'What is on its way is settled at the next start. Nothing is lost and nothing is sent twice.',
        buttons: ['Keep working', 'Stop and quit'],
        defaultId: 0,
        cancelId: 0,
      });
      return response === 1;
    },
    close,
    sleep: systemClock.sleep,
    end: (problem) => (problem === null ? app.quit() : end(EXIT.failed, problem)),
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (!mayEnd()) event.preventDefault();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}

function end(code: number, message: string): void {
  process.stderr.write(`${message}\n`);
  app.exit(code);
}
