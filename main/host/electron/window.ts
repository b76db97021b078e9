import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { Log } from '../../log.ts';
import { accountIn, pageUrl } from './address.ts';
import { watchCrashes } from './crash-loop.ts';
import type { Windows } from './sender.ts';
import { windowOptions, type createWindowBounds } from './window-settings.ts';

/**
 * The only maker of windows. A window shows one account, and which one stands in the address of its page: the page keeps
 * that true, so nothing has to be kept here that could differ from what the user sees.
 */
export interface WindowFactory extends Windows {
  all(): readonly BrowserWindow[];
  /**
   * Brings the window of an account to the front, or opens one for it; null means whichever window was last in front.
   *
   * @returns the number of the page, once it is there
   */
  show(workspaceId: string | null): Promise<number>;
  /** Opens one more window, for an account that no window shows; where every account is shown, the last one used comes. */
  another(accounts: readonly string[]): Promise<number>;
}

export interface WindowPorts {
  readonly preload: string;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly places: ReturnType<typeof createWindowBounds>;
  /** Asks what to do with a page that fails again and again. */
  readonly askAfterCrashes: () => Promise<'plain' | 'quit'>;
  readonly quit: () => void;
  /** Ends the program without a question, because the system does. */
  readonly leave: () => void;
}

/** Pixels by which a further window stands aside of the one before. */
const CASCADE = 28;

export function createWindows(ports: WindowPorts): WindowFactory {
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
    const place = ports.places.read(screen.getAllDisplays().map(({ workArea }) => workArea));
    const aside = CASCADE * open.size;
    const moved = place === null ? null : { ...place, x: place.x + aside, y: place.y + aside };
    const window = new BrowserWindow(windowOptions(ports.preload, nativeTheme.shouldUseDarkColors, moved));
    if (place?.maximized === true) window.maximize();
    const { id } = window.webContents;
    open.set(id, window);
    window.once('closed', () => open.delete(id));
    window.on('close', () => ports.places.write({ ...window.getNormalBounds(), maximized: window.isMaximized() }));
    window.once('ready-to-show', () => window.show());
    window.on('session-end', ports.leave); // Windows alone has it, and says it to windows only
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

/** A load that another one overtakes, or that ends with its window, is no failure of the program. */
async function load(window: BrowserWindow, address: string, log: Log): Promise<void> {
  try {
    await window.loadURL(address);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    log('page not loaded', { code: String(error.code) });
  }
}

/** Loads a page again that has failed, and asks when that does not help. */
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
