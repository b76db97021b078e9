import { join, resolve } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  type NativeImage,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  type WebContents,
} from 'electron';
import Store from 'electron-store';
import { type AppEvent, type Preferences, WindowMenu as Shape, type WindowMenu } from '../../../shared/api/app.ts';
import { accountOfLink, LINK_SCHEME } from '../../../shared/model/deep-link.ts';
import { asWorkspaceId } from '../../../shared/model/scalars.ts';
import { createCredentialStore } from '../../accounts/credential-store.ts';
import { createFilePreferences, readPreferences } from '../../accounts/file-preferences.ts';
import { createProxiedFetch } from '../../api/proxy-fetch.ts';
import { createSleepState, type SleepState, systemClock } from '../../app/clock.ts';
import type { AppEvents } from '../../app/events.ts';
import type { PreferencesPort, Updates } from '../../app/host-ports.ts';
import { createFileLog, type Log } from '../../app/log.ts';
import { codeOrThrow, diskWords } from '../../app/system.ts';
import { type Core, createCore } from '../../core/core.ts';
import type { CoreOptions } from '../../core/core-options.ts';
import { createDispatch, type Dispatch } from '../dispatch/dispatch.ts';
import { EXIT, exitOnFatalError, lockDataFolder, openWantedAccount } from '../start/start-host.ts';
import {
  defaultDataDir,
  limitHeaps,
  readStartOptions,
  readyLine,
  type StartOptions,
  startedInMs,
} from '../start/start-options.ts';
import { readWindowFiles } from '../web/file-routes.ts';
import { createElectronKeychain } from './electron-keychain.ts';
import { createShutdown, watchCrashes, watchPowerEvents } from './lifecycle.ts';
import { createRecentFiles, type MenuPorts, menuTemplate } from './menu-template.ts';
import {
  askToStopSync,
  chooseFolder,
  confirmFileAccess,
  confirmLargeSync,
  confirmSafeStart,
  showFileError,
} from './native-dialogs.ts';
import {
  type ArrivalPorts,
  fromArguments,
  handleOpenRequest,
  listenForOpenRequests,
  type OpenRequest,
  setJumpList,
} from './open-requests.ts';
import { connectPages } from './page-connection.ts';
import { accountIn, PAGE_URL, PRIVILEGED, pageUrl, servePage } from './page-url.ts';
import { restrictPage } from './restrict-page.ts';
import { createStorePreferences } from './store-preferences.ts';
import {
  batchNotifications,
  createSyncIndicators,
  createSystemNotifications,
  isQuietHour,
  type SyncIndicators,
} from './sync-indicators.ts';
import { onPageMessage, removePageListeners, type Windows } from './trusted-sender.ts';
import { FEED_VARIABLE, readUpdateFeed } from './update-feed.ts';
import type { UpdatePorts } from './updates.ts';
import { createAllowedFolders, createDragOut } from './window-files.ts';
import { createWindowBounds, windowOptions } from './window-settings.ts';

/**
 * Creates all windows. A window shows one account, named in the URL of its page. The page keeps the URL current, so no
 * second record here could differ from what the user sees.
 */
interface WindowFactory extends Windows {
  all(): readonly BrowserWindow[];
  /**
   * Brings the window of an account to the front, or opens one for it; null means the window that was last in front.
   *
   * @returns the number of the page, once it exists
   */
  show(workspaceId: string | null): Promise<number>;
  /** Opens a window for an account that no window shows; if every account is shown, focuses the last used window. */
  another(accounts: readonly string[]): Promise<number>;
}

interface WindowPorts {
  readonly preload: string;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly places: ReturnType<typeof createWindowBounds>;
  /** Asks what to do with a page that fails repeatedly. */
  readonly askAfterCrashes: () => Promise<'plain' | 'quit'>;
  readonly quit: () => void;
  /** Ends the program without a dialog, because the system shuts down. */
  readonly leave: () => void;
}

/** Offset of a further window from the one before, in pixels. */
const CASCADE = 28;

function createWindows(ports: WindowPorts): WindowFactory {
  const open = new Map<number, BrowserWindow>();
  const all = (): readonly BrowserWindow[] => [...open.values()];
  const accountOf = (window: BrowserWindow): string | null => accountIn(window.webContents.getURL());
  const lastUsed = (): BrowserWindow | undefined => all().find((window) => window.isFocused()) ?? all().at(-1);

  const comeUp = (window: BrowserWindow): number => {
    if (window.isMinimized()) window.restore();
    window.focus();
    return window.webContents.id;
  };

  const make = async (workspaceId: string | null): Promise<number> => {
    const displays = () => screen.getAllDisplays().map(({ workArea }) => workArea);
    const place = ports.places.read(displays());
    const aside = CASCADE * open.size;
    const moved = place === null ? null : { ...place, x: place.x + aside, y: place.y + aside };
    const window = new BrowserWindow(windowOptions(ports.preload, nativeTheme.shouldUseDarkColors, moved));
    if (place?.maximized === true) window.maximize();
    const { id } = window.webContents;
    open.set(id, window);
    window.once('closed', () => open.delete(id));
    window.on('close', () =>
      ports.places.write({ ...window.getNormalBounds(), maximized: window.isMaximized() }, displays()),
    );
    window.once('ready-to-show', () => window.show());
    window.on('session-end', ports.leave); // on Windows only; emitted by windows, not by the app
    watchPage(window, ports);
    await load(window, pageUrl(workspaceId), ports.log);
    return id;
  };

  return {
    has: (webContentsId) => open.has(webContentsId),
    all,
    show: async (workspaceId) => {
      const known = workspaceId === null ? lastUsed() : all().find((window) => accountOf(window) === workspaceId);
      return known === undefined ? make(workspaceId) : comeUp(known);
    },
    another: async (accounts) => {
      const shown = new Set(all().map(accountOf));
      const next = accounts.find((workspaceId) => !shown.has(workspaceId));
      const known = lastUsed();
      return next === undefined && known !== undefined ? comeUp(known) : make(next ?? null);
    },
  };
}

/** Ignores a load that is replaced by another one, or that ends with its window. */
async function load(window: BrowserWindow, address: string, log: Log): Promise<void> {
  try {
    await window.loadURL(address);
  } catch (error) {
    log('page not loaded', { code: codeOrThrow(error) });
  }
}

/** Reloads a page that has failed, and asks the user when that does not help. */
function watchPage(window: BrowserWindow, { log, nowMs, askAfterCrashes, quit }: WindowPorts): void {
  const { webContents } = window;
  const failed = watchCrashes({
    nowMs,
    reload: () => webContents.reload(),
    loadPlain: () => {
      if (!window.isDestroyed()) void load(window, pageUrl(accountIn(webContents.getURL()), true), log);
    },
    ask: askAfterCrashes,
    quit,
  });
  webContents.on('render-process-gone', (_event, { reason }) => {
    log('window failed', { reason });
    if (reason !== 'clean-exit' && !window.isDestroyed()) void failed();
  });
}

/**
 * Creates the core with the desktop's services: the system's proxy, its keychain, its dialogs. Call it when the app is
 * ready.
 */
async function desktopCore(
  dataDir: string,
  sleepState: SleepState,
  ports: Pick<CoreOptions, 'fetch' | 'updates'>,
): Promise<{ readonly core: Core; readonly preferences: PreferencesPort }> {
  // Reads the file first: a damaged one is moved aside before the library would clear it.
  const inFile = createFilePreferences(dataDir);
  inFile.get();
  const preferences = preferencesOn(dataDir, inFile);
  // Its listener sends the path of the data folder to any page; nothing here uses it.
  removePageListeners('electron-store-get-data');
  const core = await createCore({
    dataDir,
    host: 'electron',
    clock: systemClock,
    preferences,
    secrets: createCredentialStore({
      dataDir,
      clock: systemClock,
      keychain: async () => createElectronKeychain(safeStorage, process.platform),
    }),
    sleepState,
    ...ports,
    confirmLargeSync: confirmLargeSync(preferences),
  });
  return { core, preferences };
}

/** Updates of a package that names a feed. The updater is loaded for such a package alone. */
async function updatesOf(
  ports: Pick<UpdatePorts, 'send' | 'busyWith' | 'leave' | 'quit'> & { readonly log: Log },
): Promise<Pick<CoreOptions, 'updates'>> {
  if (!app.isPackaged) return {};
  try {
    const feed = await readUpdateFeed(app.getAppPath(), process.env[FEED_VARIABLE]);
    if (feed === null) return {};
    const { createUpdates, installsHere } = await import('./updates.ts');
    const settingsFile = join(process.resourcesPath, 'app-update.yml');
    const installs = installsHere(process.platform, process.env);
    return {
      updates: (changed) =>
        createUpdates({ ...ports, feed, installs, settingsFile, changed, version: app.getVersion() }),
    };
  } catch (error) {
    ports.log('update feed not usable', { reason: error instanceof Error ? error.message : String(error) });
    return { updates: () => BAD_FEED };
  }
}

const BAD_FEED: Updates = {
  state: () => ({ state: 'failed', problem: 'bad-feed' }),
  check: () => {},
  restart: async () => 'not-ready',
};

/** Preferences of the desktop; in a read-only folder, changes stay in memory over the stored ones. */
function preferencesOn(dataDir: string, inFile: PreferencesPort): PreferencesPort {
  try {
    const store = new Store<Preferences>({
      cwd: dataDir,
      name: 'preferences',
      defaults: readPreferences({}),
      // Preferences are not essential: a damaged file must not prevent a window from opening.
      clearInvalidConfig: true,
      // Readable by its owner only, as in the web host; by default the library lets every user of the computer read it.
      configFileMode: 0o600,
    });
    // The library writes while it can; after a write error, changes last until the program ends.
    return createStorePreferences(store, inFile);
  } catch (error) {
    if (diskWords(error) === null) throw error;
    return inFile;
  }
}

interface FromOutsideDeps {
  readonly core: Core;
  readonly accounts: Dispatch['client']['accounts'];
  readonly windows: WindowFactory;
  readonly dataDir: string;
  readonly log: Log;
}

/**
 * Connects requests from outside the windows: the system's menu, the jump list, recently opened files, and links of our
 * scheme.
 *
 * @returns handles a request that arrives another way, such as the arguments of a start
 */
function connectExternalEvents({ core, accounts: listed, windows, dataDir, log }: FromOutsideDeps) {
  const accounts = async (): Promise<readonly string[]> => (await listed.list()).map(({ workspaceId }) => workspaceId);
  const recent = createRecentFiles(dataDir, log);
  const menu = createMenu({
    windows,
    recent: recent.list,
    newWindow: () => void accounts().then(windows.another),
    openRecent: (path) => void handleOpenRequest({ kind: 'file', path }, ports),
    clearRecent: () => {
      recent.clear();
      menu.refresh();
    },
  });
  const ports: ArrivalPorts = {
    windows,
    accountOf: async (link) => accountOfLink(link, await listed.list()),
    grants: core.grants,
    tell: core.events.publish,
    begin: (task, page) => menu.run(page, task),
    remember: (path) => {
      app.addRecentDocument(path);
      recent.add(path);
      menu.refresh();
    },
    unreadable: showFileError,
    log,
  };
  setJumpList(
    {
      platform: process.platform,
      setUserTasks: (tasks) => app.setUserTasks([...tasks]),
      setDockMenu: (entries) => app.dock?.setMenu(Menu.buildFromTemplate([...entries])),
      run: (task) => void handleOpenRequest({ kind: 'task', task }, ports),
    },
    process.execPath,
  );
  // The two dashes stop Chromium from reading switches in a link.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  return (arrival: OpenRequest): Promise<void> => handleOpenRequest(arrival, ports);
}

const MENU = 'adslate:menu';
const COMMAND = 'adslate:command';

interface AppMenuPorts extends Pick<MenuPorts, 'newWindow' | 'openRecent' | 'clearRecent'> {
  readonly windows: WindowFactory;
  readonly recent: () => MenuPorts['recent'];
}

/**
 * The system's menu. Commands and their names come from the page: one table for both hosts, for palette, toolbar and
 * menu. The menu shows those of the window in front and sends the selected one to that window.
 *
 *   page --its menu--> here --window comes to the front--> the system's menu --selected--> page runs it, if enabled
 */
function createMenu(ports: AppMenuPorts) {
  const { windows } = ports;
  const menus = new Map<number, WindowMenu>();
  const waiting = new Map<number, string>();
  const inFront = (): BrowserWindow | undefined => windows.all().find((window) => window.isFocused());
  const send = (page: number, command: string): void =>
    windows
      .all()
      .find(({ webContents }) => webContents.id === page)
      ?.webContents.send(COMMAND, command);

  const refresh = (): void => {
    const front = inFront() ?? windows.all().at(-1);
    const page = front?.webContents.id;
    const template = menuTemplate({
      ...ports,
      isMac: process.platform === 'darwin',
      isPackaged: app.isPackaged,
      menu: page === undefined ? null : (menus.get(page) ?? null),
      recent: ports.recent(),
      run: (command) => {
        if (page !== undefined) send(page, command);
      },
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };

  onPageMessage(MENU, Shape, windows, (menu, { sender }) => {
    const isNew = !menus.has(sender.id);
    menus.set(sender.id, menu);
    if (isNew) sender.once('destroyed', () => menus.delete(sender.id));
    refresh();
    const command = waiting.get(sender.id);
    waiting.delete(sender.id);
    if (command !== undefined) send(sender.id, command);
  });
  app.on('browser-window-focus', refresh);
  refresh();
  return {
    /** Draws the menu again, as when the list of recent files has changed. */
    refresh,
    /** Runs a command in a page; if the page is still loading, once it has sent its commands. */
    run: (page: number, command: string) => {
      if (menus.has(page)) send(page, command);
      else waiting.set(page, command);
    },
  };
}

/**
 * Entry of the desktop app.
 *
 *   options -> sandbox, scheme -> data folder locked -> ready -> core -> page, ports -> window
 *      |                              |
 *      +-- not understood: 2          +-- locked by another window: that one comes to the front, 5
 */
const options = readStartOptions(app.isPackaged ? [] : wordsAfter(import.meta.filename, process.argv));
if (options.ok) start(options.value);
else end(EXIT.usage, options.error.message);

/** The arguments after our own file; those before it are for the runtime. */
function wordsAfter(file: string, words: readonly string[]): readonly string[] {
  return words.slice(words.findIndex((word) => resolve(word) === file) + 1);
}

function start(startOptions: StartOptions): void {
  const dataDir = resolve(startOptions.dataDir ?? defaultDataDir());
  limitHeaps();
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged(PRIVILEGED);
  // Chromium's own files; the single-instance lock belongs to this folder.
  app.setPath('userData', join(dataDir, 'electron'));
  // A second program must not try to lock the data folder: it could get the lock before the first has it.
  if (!app.requestSingleInstanceLock()) {
    end(EXIT.folderLocked, `Adslate is already open with the data folder ${dataDir}. Its window is in front now.`);
    return;
  }
  const held = lockDataFolder(dataDir, systemClock.nowMs());
  if (!held.ok) {
    end(EXIT.folderLocked, held.error.message);
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
  const log = createFileLog(dataDir, systemClock);
  exitOnFatalError(log, (sentence) => {
    dialog.showErrorBox('Adslate', sentence);
    end(EXIT.failed, sentence);
  });
  await app.whenReady();
  const sleepState = createSleepState();
  const proxied = createProxiedFetch({
    resolveProxy: (url) => session.defaultSession.resolveProxy(url),
    direct: fetch,
  });
  const updates = await updatesOf({
    send: proxied,
    log,
    busyWith: () => {
      if (signs.isBusy()) return 'sync';
      if (signs.hasTasks()) return 'task';
      // Only the asking window is known to have no open form: the settings screen fills it.
      return windows.all().length > 1 ? 'windows' : null;
    },
    leave: (replace) => leave(replace),
    quit: () => app.quit(),
  });
  const { core, preferences } = await desktopCore(dataDir, sleepState, { fetch: proxied, ...updates });
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
  await openWantedAccount(startOptions, core, preferences, log);
  if (startOptions.open) void core.openAhead();
  restrictPage(log);
  servePage(protocol, readWindowFiles(join(import.meta.dirname, '..', 'renderer')), core.preview);
  const dispatch = createDispatch(core.router, log);
  const folders = createAllowedFolders({ dataDir, log, nowMs: () => systemClock.nowMs(), ask: confirmFileAccess });
  connectPages({ windows, dispatch, grants: core.grants, folders, chooseFolder, dragOut, startDrag, log });
  watchPowerEvents(powerMonitor, sleepState, leave);
  const show = connectExternalEvents({ core, accounts: dispatch.client.accounts, windows, dataDir, log });
  if (startOptions.open) {
    await show(app.isPackaged ? fromArguments(process.argv, process.cwd()) : { kind: 'nothing' });
  }
  listen((arrival) => void show(arrival));
  void dispatch.client.app.update.check();
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

/** @returns a function to call when the system shuts down, without a dialog; its argument runs after everything is closed */
function endWell(signs: SyncIndicators, close: () => Promise<void>): (last?: () => void) => void {
  let afterwards = (): void => app.quit();
  const quitting = createShutdown({
    isBusy: () => signs.isBusy(),
    ask: askToStopSync,
    close,
    sleep: systemClock.sleep,
    end: (problem) => (problem === null ? afterwards() : end(EXIT.failed, problem)),
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (!quitting.mayEnd()) event.preventDefault();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quitting.leave);
  return (last = afterwards) => {
    afterwards = last;
    quitting.leave();
  };
}

function end(code: number, message: string): void {
  process.stderr.write(`${message}\n`);
  app.exit(code);
}

/** Size in pixels of the drag image where the system has no icon for the type of file. */
const SIDE = 32;
/** Blue, green, red and opacity of one pixel of it. */
const PAPER = [0xd0, 0xa0, 0x70, 0xff];

/** Starts a drag of the system with a file and the system's icon for its type. */
async function startDrag(page: WebContents, file: string): Promise<void> {
  const icon = await app.getFileIcon(file, { size: 'normal' }).catch(plainSheet); // a desktop without pictures of files
  if (!page.isDestroyed()) page.startDrag({ file, icon: icon.isEmpty() ? plainSheet() : icon });
}

const plainSheet = (): NativeImage =>
  nativeImage.createFromBitmap(Buffer.from(Array.from({ length: SIDE * SIDE }, () => PAPER).flat()), {
    width: SIDE,
    height: SIDE,
  });
