/** Moves the focus between panes by key. Each pane has the attribute `data-pane` and is a named landmark. */
export interface PaneFocus {
  /** Moves the focus to the next or previous open pane, in document order, wrapping around. */
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

const PANE = '[data-pane]';
/** The main element of a pane, if it has one: the grid, even below tabs, else the open list or tab. */
const ROWS = '[role="grid"], [role="treegrid"]';
const CHIEF = '[aria-current="true"], [role="tab"][aria-selected="true"], [role="listbox"]';
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';
/** The separator that resizes a pane is its first or last element, and gets no focus here. */
const HANDLE = '[role="separator"]';
/** Menus are rendered in the main pane, whichever pane opens them. */
const ELSEWHERE = '[role="menu"], [role="dialog"]';

/** Focuses the first of `wanted` that accepts the focus, else the main element, the first control, or the pane. */
export function enterPane(pane: HTMLElement, wanted: readonly HTMLElement[] = []): void {
  const page = pane.ownerDocument;
  const usual = [ROWS, CHIEF, FOCUSABLE].flatMap((what) => [...pane.querySelectorAll<HTMLElement>(what)]);
  for (const target of [...wanted, ...usual]) {
    if (target.tabIndex < 0 || target.matches(HANDLE) || target.closest(ELSEWHERE) !== null) continue;
    target.focus();
    // Disabled and hidden elements do not accept the focus.
    if (target.contains(page.activeElement)) return;
  }
  // A pane without controls gets the focus itself, for reading. Only the keyboard does this: a click on it must not.
  pane.tabIndex = -1;
  pane.addEventListener('blur', () => pane.removeAttribute('tabindex'), { once: true });
  pane.focus();
}

/**
 * Stores the focused element of each pane, and returns to it:
 *
 *   last focused element --removed or disabled--> main element --none--> first control --none--> the pane
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
      // Without a current pane, the next one is the first and the previous one the last.
      const next = panes[at === -1 ? (by === 1 ? 0 : panes.length - 1) : (at + by + panes.length) % panes.length];
      if (next !== undefined) enter(next);
    },
    close: () => page.removeEventListener('focusin', note),
  };
}

/** As a `ref`: focuses the element when it is mounted, for a part of an open dialog that has changed. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
