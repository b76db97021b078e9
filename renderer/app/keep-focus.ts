import { enterPane } from './pane-focus.ts';

/** Containers that keep the focus when a focused element in them is removed; a pane focuses its main element. */
const PARTS = 'ul, ol, table, section, form, [role="group"], [role="region"], [role="dialog"], [data-pane]';
const FOCUSABLE = 'button, input, select, textarea, [tabindex="0"]';
/** The part of the window that has the focus when its whole content was replaced, as after a switch of accounts. */
const MAIN = 'main[data-pane]';
/** A dialog, or the detail of a list, that accepts the focus itself, so that its keys and Tab work in it. */
const DIALOG = '[role="dialog"][tabindex], [data-detail]';
/** Milliseconds for a menu or dialog to return the focus, or for a new screen to take it. */
const WAIT_MS = 30;

/** An ancestor of the focused element (or itself), with its next sibling at that time. */
interface Place {
  readonly element: HTMLElement;
  readonly next: Element | null;
}

/**
 * Moves the focus when the focused element is removed, such as a button with its line or its form:
 *
 *   focused --removed--> no focus --`WAIT_MS` later, if still none--> the next line, or the closest container; with
 *      |                                                     the whole content: the main pane, as soon as there is one
 *      '--click outside all controls--> no focus, and none is set
 *
 * In a dialog or detail also when it is disabled, such as a button while its work runs:
 *
 *   focused --disabled--> the dialog --enabled again, if the focus is still there--> focused
 */
export function keepFocus(page: Document): { readonly close: () => void } {
  let places: readonly Place[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The element that lost the focus because it was disabled, and its dialog. */
  let disabled: { readonly element: HTMLElement; readonly dialog: HTMLElement } | null = null;
  const isNowhere = (): boolean => page.activeElement === page.body;
  const focusIn = (part: Element): boolean => {
    for (const target of part.querySelectorAll<HTMLElement>(FOCUSABLE)) {
      if (target.tabIndex >= 0) target.focus({ preventScroll: true });
      if (!isNowhere()) return true;
    }
    return false;
  };
  const settle = (): void => {
    timer = undefined;
    if (!isNowhere()) return;
    if (disabled?.element.isConnected === true) {
      disabled.dialog.focus({ preventScroll: true });
      return;
    }
    const at = places.findIndex(({ element }) => element.isConnected);
    const [next, around, lost] = [places[at - 1]?.next, places.slice(at), places];
    const wasInPane = lost.slice(0, at).some(({ element }) => element.matches('[data-pane]'));
    places = [];
    if (at < 1 || (next?.isConnected === true && next.matches('li') && focusIn(next))) return;
    for (const { element } of around) {
      if (!element.matches(PARTS)) continue;
      if (element.matches('[data-pane]')) enterPane(element);
      else focusIn(element);
      if (!isNowhere()) return;
    }
    if (!wasInPane) return;
    const main = page.querySelector<HTMLElement>(MAIN);
    // The next account may not have been read yet: then its window is waited for.
    if (main === null) places = lost;
    else enterPane(main);
  };
  const enter = ({ target }: FocusEvent): void => {
    if (target !== disabled?.dialog) disabled = null;
    places = [];
    for (let at = target; at instanceof HTMLElement; at = at.parentElement) {
      places = [...places, { element: at, next: at.nextElementSibling }];
    }
  };
  const leave = ({ target }: FocusEvent): void =>
    // After the removal has finished: only an element that still exists was left by a click.
    queueMicrotask(() => {
      const isLeft = target instanceof HTMLElement && target.isConnected && !target.matches(':disabled');
      if (isLeft && isNowhere()) places = [];
    });
  const watchDisabled = (): void => {
    const last = places[0]?.element;
    const dialog = last?.closest<HTMLElement>(DIALOG) ?? null;
    if (disabled?.element.isConnected === false) disabled = null;
    if (disabled !== null && !disabled.element.matches(':disabled')) {
      const { element, dialog: around } = disabled;
      disabled = null;
      if (isNowhere() || page.activeElement === around) element.focus({ preventScroll: true });
    } else if (last !== undefined && dialog !== null && last.matches(':disabled')) {
      disabled = { element: last, dialog };
      timer ??= setTimeout(settle, WAIT_MS);
    }
  };
  const observer = new MutationObserver(() => {
    if (places[0]?.element.isConnected === false) timer ??= setTimeout(settle, WAIT_MS);
    watchDisabled();
  });
  observer.observe(page.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  page.addEventListener('focusin', enter);
  page.addEventListener('focusout', leave);
  return {
    close: () => {
      clearTimeout(timer);
      observer.disconnect();
      page.removeEventListener('focusin', enter);
      page.removeEventListener('focusout', leave);
    },
  };
}
