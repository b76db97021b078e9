import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Whether the work of a button is running, and a function that takes that work. Work that fails has ended, too.
 * The button that is disabled meanwhile loses the focus, and has it again afterwards unless something took it. Where the
 * button goes with its line or its form, the focus stays near its place.
 */
export function useBusy(): readonly [busy: boolean, during: <T>(work: Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  const pressed = useRef<readonly HTMLElement[]>([]);
  const during = useCallback(async <T>(work: Promise<T>): Promise<T> => {
    pressed.current = withAncestors(document.activeElement);
    setBusy(true);
    return work.finally(() => setBusy(false));
  }, []);
  useEffect(() => {
    if (busy) return;
    const { current } = pressed;
    pressed.current = [];
    const [button] = current;
    if (button === undefined || button === document.body) return;
    if (button.isConnected && isNowhere()) button.focus({ preventScroll: true });
    stayNear(button, current);
  }, [busy]);
  return [busy, during];
}

/** Milliseconds within which a list is read again after its work. */
const READ_AGAIN_MS = 3000;

/** Moves the focus to what is nearest to a button, as soon as that goes with the focus in it. */
function stayNear(button: HTMLElement, path: readonly HTMLElement[]): void {
  const look = (): void => {
    if (button.isConnected) return;
    stop();
    if (isNowhere()) path.find((place) => place.isConnected && focusIn(place));
  };
  const observer = new MutationObserver(look);
  const timer = setTimeout(() => observer.disconnect(), READ_AGAIN_MS);
  function stop(): void {
    clearTimeout(timer);
    observer.disconnect();
  }
  observer.observe(document.body, { childList: true, subtree: true });
  look();
}

/** Whether something in it takes the focus, the page as a whole never. */
function focusIn(place: HTMLElement): boolean {
  if (place === document.body) return true;
  for (const target of place.querySelectorAll<HTMLElement>('button, input, select, textarea, [tabindex="0"]')) {
    if (target.tabIndex < 0) continue;
    target.focus({ preventScroll: true });
    if (target === document.activeElement) return true;
  }
  return false;
}

function withAncestors(element: Element | null): readonly HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = element; at instanceof HTMLElement; at = at.parentElement) path.push(at);
  return path;
}

const isNowhere = (): boolean => document.activeElement === document.body;
