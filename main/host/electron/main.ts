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
import { createRest } from '../../rest.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { FOLDER_HELD, holdFolder } from '../start/hold-folder.ts';
import { endOnDefect } from '../start/last-words.ts';
import { isFresh, openOnPractice } from '../start/practice-account.ts';
import {
  boundHeaps,
  defaultDataDir,
  readStartOptions,
  readyLine,
  type StartOptions,
  startedInMs,
} from '../start/start-options.ts';
import { readWindowFiles } from '../web/file-routes.ts';
import { PAGE_URL, PRIVILEGED, servePage } from './address.ts';
import { hearArrivals, inWords } from './arrivals.ts';
import { refuseTheRest } from './confine.ts';
import { desktopCore } from './desktop-core.ts';
import { createDragOut } from './drag-out.ts';
import { fromOutside } from './from-outside.ts';
import { groupedNotices, isQuietNow, systemNotes } from './notes.ts';
import { openLines } from './page-line.ts';
import { followPower } from './power.ts';
import { askAfterCrashes, askToStopSync, askToTakeFile } from './questions.ts';
import { createQuitting } from './quitting.ts';
import { type SyncSigns, syncSigns } from './sync-signs.ts';
import { createUsedFolders } from './used-folders.ts';
import { createWindows, type WindowFactory } from './window.ts';
import { windowPlaces } from './window-settings.ts';

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
  boundHeaps();
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged(PRIVILEGED);
  // Chromium's own files; the lock that brings the first window to the front belongs to this folder.
  app.setPath('userData', join(dataDir, 'electron'));
  // Whoever comes second must not even try for the folder: it could get it before the first has.
  if (!app.requestSingleInstanceLock()) {
    end(FOLDER_HELD, `Adslate is already open on ${dataDir}; its window is in front now.`);
    return;
  }
  const held = holdFolder(dataDir, systemClock.nowMs());
  if (!held.ok) {
    end(FOLDER_HELD, held.error.message);
    return;
  }
  run(startOptions, dataDir, held.value.release, hearArrivals(app)).catch((error: unknown) => {
    end(EXIT.failed, `Adslate could not start: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function run(
  startOptions: StartOptions,
  dataDir: string,
  release: () => void,
  listen: ReturnType<typeof hearArrivals>,
): Promise<void> {
  const practice = startOptions.practice || isFresh(dataDir);
  const log = createFileLog(dataDir, systemClock);
  endOnDefect(log, (sentence) => {
    dialog.showErrorBox('Adslate', sentence);
    end(EXIT.failed, sentence);
  });
  await app.whenReady();
  const rest = createRest();
  const { core, preferences } = await desktopCore(dataDir, rest);
  const windows = createWindows({
    preload: join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
    log,
    nowMs: () => systemClock.nowMs(),
    places: windowPlaces(dataDir, log),
    askAfterCrashes,
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
  if (practice) await openOnPractice(core, preferences, log);
  refuseTheRest(log);
  servePage(protocol, readWindowFiles(join(import.meta.dirname, '..', 'renderer')), core.preview);
  const dispatch = createDispatch(core.router, log);
  const folders = createUsedFolders({ dataDir, log, nowMs: () => systemClock.nowMs(), ask: askToTakeFile });
  openLines({ windows, dispatch, grants: core.grants, folders, dragOut, startDrag, log });
  followPower(powerMonitor, rest, leave);
  const show = fromOutside({ core, accounts: dispatch.client.accounts, windows, dataDir, log });
  if (startOptions.open) {
    await show(app.isPackaged ? inWords(process.argv, process.cwd()) : { kind: 'nothing' });
  }
  listen((arrival) => void show(arrival));
  log('electron host ready');
  if (startOptions.readyJson) {
    process.stdout.write(readyLine('electron', PAGE_URL, startedInMs(process.env, systemClock.nowMs())));
  }
}

function signsOf(windows: WindowFactory, tell: AppEvents['publish'], preferences: PreferencesPort): SyncSigns {
  return syncSigns({
    setBar: (share) => {
      // Above 1 the bar moves without an end, below 0 there is none.
      const progress = share === 'busy' ? 2 : (share ?? -1);
      for (const window of windows.all()) window.setProgressBar(progress);
    },
    isInFront: () => windows.all().some((window) => window.isFocused()),
    note: groupedNotices({
      show: systemNotes({
        isSupported: () => Notification.isSupported(),
        make: (options) => new Notification(options),
        follow: (workspaceId, place) => {
          void windows.show(workspaceId).then((page) => {
            if (place !== 'account') tell({ type: 'open.place', workspaceId: asWorkspaceId(workspaceId), place }, page);
          });
        },
      }),
      isQuiet: () => isQuietNow(preferences.get().quietHours, new Date(systemClock.nowMs())),
      later: (delayMs, run) => void systemClock.sleep(delayMs).then(run),
    }),
  });
}

async function hearEvents(events: AsyncIterable<AppEvent>, signs: SyncSigns): Promise<void> {
  for await (const event of events) signs.hear(event);
}

/** @returns what to call when the system ends: no question then */
function endWell(signs: SyncSigns, close: () => Promise<void>): () => void {
  const quitting = createQuitting({
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
