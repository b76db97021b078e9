import type { Layout } from '../../shared/api/scalars.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { AppStore, KeptForm } from './store/app-store.ts';
import { isSameLayout, toStored } from './store/layout-slice.ts';

/** Layout changes are sent when there was no further change for this many milliseconds. */
const DELAY_MS = 250;

interface Keeping {
  readonly store: AppStore;
  /** The layout that the page could not send before its reload. */
  readonly left: Layout | null;
  /** Sends a layout to main. @returns whether main has it now */
  readonly send: (layout: Layout) => Promise<boolean>;
}

export interface LayoutSaver {
  /** Applies the layout of main, unless this window has its own change or a layout left before a reload. */
  readonly restore: (stored: Layout) => void;
  /** Sends an unsent change, and ends. */
  readonly close: () => void;
}

/**
 * Saves the layout of a window, even if the page closes right after a change:
 *
 *   saved --change--> pending --250 ms, or the page closes--> sending --main has it--> saved
 *                        ^                                       |
 *                        '-------- change, or main refuses ------'
 *
 * A page that closes while it is pending or sending also stores its layout in the tab: it can't know whether its last
 * message arrives, or arrives before the next page reads from main. The next page starts with that layout as a change.
 */
export function saveLayout({ store, left, send }: Keeping): LayoutSaver {
  // Numbers of changes: the last one made, the last one sent, the last one that main has.
  let shown = 0;
  let sent = 0;
  let had = 0;
  let unread = left;
  let isRestoring = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function sendNow(): Promise<void> {
    clearTimeout(timer);
    if (sent === shown) return;
    sent = shown;
    const own = sent;
    if (await send(toStored(store.getState()))) had = Math.max(had, own);
    else if (sent === own) sent = had;
    if (had === shown) forgetLeftLayout();
  }
  function sendAfter(restMs: number): void {
    shown += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void sendNow(), restMs);
  }
  const stopListening = store.subscribe((now, before) => {
    if (isRestoring || isSameLayout(now, before)) return;
    // A drag changes sizes with every pixel. Shortcuts and recent commands change one at a time, so they are sent at
    // once.
    const isOnce = now.keys !== before.keys || now.recentCommands !== before.recentCommands;
    sendAfter(isOnce ? 0 : DELAY_MS);
  });
  function leave(): void {
    if (had === shown) return;
    // After the last window closes there is no next page, but main may still receive this.
    void sendNow();
    storeForReload(toStored(store.getState()));
  }
  window.addEventListener('pagehide', leave);

  function take(layout: Layout): void {
    isRestoring = true;
    store.getState().restoreLayout(layout);
    isRestoring = false;
  }
  return {
    restore: (stored) => {
      if (unread !== null) {
        take(unread);
        unread = null;
        sendAfter(0);
      } else if (had === shown) take(stored);
      else void sendNow();
    },
    close: () => {
      stopListening();
      window.removeEventListener('pagehide', leave);
      void sendNow();
    },
  };
}

/** In the session storage of the tab, like the page's token: it survives a reload only. */
const KEY = 'adslate.layout';

/** Stores a layout for the next page of this tab, synchronously: a closing page can't wait for main. */
function storeForReload(layout: Layout): void {
  window.sessionStorage.setItem(KEY, JSON.stringify(layout));
}

/** Removes the stored layout once main has it. */
function forgetLeftLayout(): void {
  window.sessionStorage.removeItem(KEY);
}

/**
 * The layout that the page could not send to main before its reload. The reader, with zod, is loaded only if there is
 * one.
 *
 * @returns null if there is none, or if main would refuse it: it is then deleted. Also null if the reader can't be
 *   loaded; the layout then stays stored for the next page
 */
export async function layoutBeforeReload(): Promise<Layout | null> {
  const text = window.sessionStorage.getItem(KEY);
  if (text === null) return null;
  const reader = await import('./read-layout.ts').catch((cause: unknown) => {
    // How browsers report a module that can't be fetched (HTML, "fetch a single module script").
    if (cause instanceof TypeError) return null;
    throw cause;
  });
  if (reader === null) return null;
  const layout = reader.readLayout(text);
  if (layout === null) forgetLeftLayout();
  return layout;
}

const FORMS_KEY = 'adslate.forms';

/**
 * Keeps the forms of new campaigns over a reload of the tab, each for its account.
 *
 * @returns ends it
 */
export function keepForms(store: AppStore): () => void {
  const left = jsonOrNull(window.sessionStorage.getItem(FORMS_KEY) ?? '');
  for (const [workspaceId, form] of Object.entries(left ?? {}))
    if (isForm(form)) store.getState().keepForm(workspaceId, form);
  const leave = (): void => {
    const text = JSON.stringify(store.getState().forms);
    try {
      if (text === '{}') window.sessionStorage.removeItem(FORMS_KEY);
      else window.sessionStorage.setItem(FORMS_KEY, text);
    } catch (cause) {
      // Longer than a browser stores: megabytes of keywords. A page that closes can't say so.
      if (!(cause instanceof DOMException)) throw cause;
      window.sessionStorage.removeItem(FORMS_KEY);
    }
  };
  window.addEventListener('pagehide', leave);
  return () => window.removeEventListener('pagehide', leave);
}

const isForm = (value: unknown): value is KeptForm =>
  isObject(value) &&
  ['sba', 'video', 'manual', 'auto'].includes(String(value['shape'])) &&
  [value['values'], value['first']].every(
    (fields) => isObject(fields) && Object.values(fields).every((text) => typeof text === 'string'),
  );
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
