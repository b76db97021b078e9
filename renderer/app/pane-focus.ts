/** From pane to pane by key: every pane of the window carries `data-pane` and is a landmark with a name. */
export interface PaneFocus {
  /** Moves the focus to the next open pane, or to the one before, in the order of the window and round and round. */
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

const PANE = '[data-pane]';
/** What a pane is for, where it has such a thing: the rows, also where tabs stand above them, the open list, the open tab. */
const ROWS = '[role="grid"], [role="treegrid"]';
const CHIEF = '[aria-current="true"], [role="tab"][aria-selected="true"], [role="listbox"]';
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';
/** The line by which a pane is resized stands first or last in it, and is no place to come to. */
const HANDLE = '[role="separator"]';
/** Menus are drawn within the main pane, whichever pane opens them. */
const ELSEWHERE = '[role="menu"], [role="dialog"]';

/** Moves the focus to the first of what is wanted that takes it, else to what the pane is for. */
export function enterPane(pane: HTMLElement, wanted: readonly HTMLElement[] = []): void {
  const page = pane.ownerDocument;
  const usual = [ROWS, CHIEF, FOCUSABLE].flatMap((what) => [...pane.querySelectorAll<HTMLElement>(what)]);
  for (const target of [...wanted, ...usual]) {
    if (target.tabIndex < 0 || target.matches(HANDLE) || target.closest(ELSEWHERE) !== null) continue;
    target.focus();
    // What is disabled or not shown takes no focus.
    if (target.contains(page.activeElement)) return;
  }
  // Nothing to do there, but something to read. A click into it is none of this, so it takes the focus by key alone.
  pane.tabIndex = -1;
  pane.addEventListener('blur', () => pane.removeAttribute('tabindex'), { once: true });
  pane.focus();
}

/**
 * Remembers where the focus was in each pane, and goes back there:
 *
 *   what had the focus there last --gone, or it takes none--> what the pane is for --none--> its first control --none--> the pane
 */
export function focusNextPane(page: Document): PaneFocus {
  const lastIn = new WeakMap<Element, HTMLElement>();
  let current: HTMLElement | null = null;
  const paneOf = (element: Element | null): HTMLElement | null =>
    element === null || element.closest(ELSEWHERE) !== null ? null : element.closest<HTMLElement>(PANE);
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    const pane = paneOf(target);
    if (pane === null) return;
    current = pane;
    if (pane !== target && !target.matches(HANDLE)) lastIn.set(pane, target);
  };
  page.addEventListener('focusin', note);

  function enter(pane: HTMLElement): void {
    const last = lastIn.get(pane);
    enterPane(pane, last !== undefined && pane.contains(last) ? [last] : []);
  }
  return {
    step: (by) => {
      const panes = [...page.querySelectorAll<HTMLElement>(PANE)];
      const here = paneOf(page.activeElement) ?? current;
      const at = here === null ? -1 : panes.indexOf(here);
      // From nowhere, the first is the next one and the last the one before.
      const next = panes[at === -1 ? (by === 1 ? 0 : panes.length - 1) : (at + by + panes.length) % panes.length];
      if (next !== undefined) enter(next);
    },
    close: () => page.removeEventListener('focusin', note),
  };
}
