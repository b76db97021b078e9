import type { Layout } from '../../shared/api/scalars.ts';
import type { AppStore } from './store/app-store.ts';
import { isSameLayout, toStored } from './store/layout-slice.ts';

/** Layout changes are sent when they have rested for this long. */
const REST_MS = 250;

interface Keeping {
  readonly store: AppStore;
  /** What the page before could not send. */
  readonly left: Layout | null;
  /** Hands a layout to main. @returns whether main has it now */
  readonly send: (layout: Layout) => Promise<boolean>;
}

export interface LayoutSaver {
  /** Takes over what main has, unless this window has something newer: its own change, or what the page before left. */
  readonly restore: (stored: Layout) => void;
  /** Sends what rests, and ends. */
  readonly close: () => void;
}

/**
 * Keeps the layout of a window, however soon after a change its page goes:
 *
 *   as main has it --change--> resting --250 ms, or the page goes--> sending --main has it--> as main has it
 *                                 ^                                    |
 *                                 '------ change, or main refuses -----'
 *
 * A page that goes while it rests or sends leaves its layout in the tab as well: nobody tells it whether its last message
 * arrives, nor whether it does before the next page asks main. The next page begins with it, in the state of a change.
 */
export function saveLayout({ store, left, send }: Keeping): LayoutSaver {
  // Changes are counted: the last one on screen, the last one on its way, the last one that main has.
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
    // Sizes change with every pixel of a drag; keys are chosen, and commands run, once and for all.
    const isOnce = now.keys !== before.keys || now.recentCommands !== before.recentCommands;
    sendAfter(isOnce ? 0 : REST_MS);
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

/** Beside the token of the page, and like it the tab's own: it outlives a reload and nothing else. */
const KEY = 'adslate.layout';

/** Leaves a layout for the next page of this tab, at once: a page that goes has no time to wait for main. */
function storeForReload(layout: Layout): void {
  window.sessionStorage.setItem(KEY, JSON.stringify(layout));
}

/** Once main has it, nothing is left to hand on. */
function forgetLeftLayout(): void {
  window.sessionStorage.removeItem(KEY);
}

/**
 * What the page before could not send to main. The reader, and zod with it, comes only where something was left.
 *
 * @returns null where nothing was left, or nothing that main would take: that is thrown away. Null as well when the reader
 *   cannot be fetched; what was left then stays for the next page
 */
export async function layoutBeforeReload(): Promise<Layout | null> {
  const text = window.sessionStorage.getItem(KEY);
  if (text === null) return null;
  const reader = await import('./read-layout.ts').catch((cause: unknown) => {
    // Browsers say so where a module cannot be fetched (HTML, "fetch a single module script").
    if (cause instanceof TypeError) return null;
    throw cause;
  });
  if (reader === null) return null;
  const layout = reader.readLayout(text);
  if (layout === null) forgetLeftLayout();
  return layout;
}
