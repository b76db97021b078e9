import { join, resolve } from 'node:path';
import {
  app,
  dialog,
  type NativeImage,
  Notification,
  nativeImage,
  powerMonitor,
  protocol,
  type WebContents,
} from 'electron';
import type { AppEvent } from '../../../shared/contract/app.ts';
import { asWorkspaceId } from '../../../shared/model/scalars.ts';
import { systemClock } from '../../clock.ts';
import type { PreferencesPort } from '../../core-types.ts';
import type { AppEvents } from '../../events.ts';
import { createFileLog } from '../../log.ts';
import { createSleepState } from '../../rest.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { EXIT_FOLDER_LOCKED, lockDataFolder } from '../start/hold-folder.ts';
import { exitOnFatalError } from '../start/last-words.ts';
import { isEmptyDataFolder, openPracticeAccount } from '../start/practice-account.ts';
import {
  limitHeaps,
  defaultDataDir,
  readStartOptions,
  readyLine,
  type StartOptions,
  startedInMs,
} from '../start/start-options.ts';
import { readWindowFiles } from '../web/file-routes.ts';
import { PAGE_URL, PRIVILEGED, servePage } from './address.ts';
import { listenForOpenRequests, fromArguments } from './arrivals.ts';
import { restrictPage } from './confine.ts';
import { desktopCore } from './desktop-core.ts';
import { createDragOut } from './drag-out.ts';
import { connectExternalEvents } from './from-outside.ts';
import { batchNotifications, isQuietHour, createSystemNotifications } from './notes.ts';
import { connectPages } from './page-line.ts';
import { watchPowerEvents } from './power.ts';
import { confirmSafeStart, askToStopSync, confirmFileAccess } from './questions.ts';
import { createShutdown } from './quitting.ts';
import { type SyncIndicators, createSyncIndicators } from './sync-signs.ts';
import { createAllowedFolders } from './used-folders.ts';
import { createWindows, type WindowFactory } from './window.ts';
import { createWindowBounds } from './window-settings.ts';

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
  limitHeaps();
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged(PRIVILEGED);
  // Chromium's own files; the lock that brings the first window to the front belongs to this folder.
  app.setPath('userData', join(dataDir, 'electron'));
  // Whoever comes second must not even try for the folder: it could get it before the first has.
  if (!app.requestSingleInstanceLock()) {
    end(EXIT_FOLDER_LOCKED, `Adslate is already open on ${dataDir}; its window is in front now.`);
    return;
  }
  const held = lockDataFolder(dataDir, systemClock.nowMs());
  if (!held.ok) {
    end(EXIT_FOLDER_LOCKED, held.error.message);
    return;
  }
  run(startOptions, dataDir, held.value.release, listenForOpenRequests(app)).catch((error: unknown) => {
    end(EXIT.failed, `Adslate could not start: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function run(
  startOptions: StartOptions,
  dataDir: string,
  release: () => void,
  listen: ReturnType<typeof listenForOpenRequests>,
): Promise<void> {
  const practice = startOptions.practice || isEmptyDataFolder(dataDir);
  const log = createFileLog(dataDir, systemClock);
  exitOnFatalError(log, (sentence) => {
    dialog.showErrorBox('Adslate', sentence);
    end(EXIT.failed, sentence);
  });
  await app.whenReady();
  const rest = createSleepState();
  const { core, preferences } = await desktopCore(dataDir, rest);
  const windows = createWindows({
    preload: join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
    log,
    nowMs: () => systemClock.nowMs(),
    places: createWindowBounds(dataDir, log),
    askAfterCrashes: confirmSafeStart,
    quit: () => app.quit(),
    leave: () => leave(),
  });
  const dragOut = createDragOut(join(dataDir, 'dragged'), core.offered);
  const signs = signsOf(windows, core.events.publish, preferences);
  const listening = new AbortController();
  const hearing = hearEvents(core.events.subscribe(listening.signal), signs);
  const leave = endWell(signs, async () => {
    listening.abort();
    await hearing;
    await core.close();
    await dragOut.close();
    release();
  });
  if (practice) await openPracticeAccount(core, preferences, log);
  restrictPage(log);
  servePage(protocol, readWindowFiles(join(import.meta.dirname, '..', 'renderer')), core.preview);
  const dispatch = createDispatch(core.router, log);
  const folders = createAllowedFolders({ dataDir, log, nowMs: () => systemClock.nowMs(), ask: confirmFileAccess });
  connectPages({ windows, dispatch, grants: core.grants, folders, dragOut, startDrag, log });
  watchPowerEvents(powerMonitor, rest, leave);
  const show = connectExternalEvents({ core, accounts: dispatch.client.accounts, windows, dataDir, log });
  if (startOptions.open) {
    await show(app.isPackaged ? fromArguments(process.argv, process.cwd()) : { kind: 'nothing' });
  }
  listen((arrival) => void show(arrival));
  log('electron host ready');
  if (startOptions.readyJson) {
    process.stdout.write(readyLine('electron', PAGE_URL, startedInMs(process.env, systemClock.nowMs())));
  }
}

function signsOf(windows: WindowFactory, tell: AppEvents['publish'], preferences: PreferencesPort): SyncIndicators {
  return createSyncIndicators({
    setBar: (share) => {
      // Above 1 the bar moves without an end, below 0 there is none.
      const progress = share === 'busy' ? 2 : (share ?? -1);
      for (const window of windows.all()) window.setProgressBar(progress);
    },
    isInFront: () => windows.all().some((window) => window.isFocused()),
    note: batchNotifications({
      show: createSystemNotifications({
        isSupported: () => Notification.isSupported(),
        make: (options) => new Notification(options),
        follow: (workspaceId, place) => {
          void windows.show(workspaceId).then((page) => {
            if (place !== 'account') tell({ type: 'open.place', workspaceId: asWorkspaceId(workspaceId), place }, page);
          });
        },
      }),
      isQuiet: () => isQuietHour(preferences.get().quietHours, new Date(systemClock.nowMs())),
      later: (delayMs, run) => void systemClock.sleep(delayMs).then(run),
    }),
  });
}

async function hearEvents(events: AsyncIterable<AppEvent>, signs: SyncIndicators): Promise<void> {
  for await (const event of events) signs.hear(event);
}

/** @returns what to call when the system ends: no question then */
function endWell(signs: SyncIndicators, close: () => Promise<void>): () => void {
  const quitting = createShutdown({
    isBusy: () => signs.isBusy(),
    ask: askToStopSync,
    close,
    sleep: systemClock.sleep,
    end: (problem) => (problem === null ? app.quit() : end(EXIT.failed, problem)),
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (!quitting.mayEnd()) event.preventDefault();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quitting.leave);
  return quitting.leave;
}

function end(code: number, message: string): void {
  process.stderr.write(`${message}\n`);
  app.exit(code);
}

/** Pixels of the picture that goes with the pointer, where the system has none for the kind of file. */
const SIDE = 32;
/** Blue, green, red and opacity of one pixel of it. */
const PAPER = [0xd0, 0xa0, 0x70, 0xff];

/** Hands a file to the system's own dragging, with the picture that the system has for its kind. */
async function startDrag(page: WebContents, file: string): Promise<void> {
  const icon = await app.getFileIcon(file, { size: 'normal' }).catch(plainSheet); // a desktop without pictures of files
  if (!page.isDestroyed()) page.startDrag({ file, icon: icon.isEmpty() ? plainSheet() : icon });
}

const plainSheet = (): NativeImage =>
  nativeImage.createFromBitmap(Buffer.from(Array.from({ length: SIDE * SIDE }, () => PAPER).flat()), {
    width: SIDE,
    height: SIDE,
  });
