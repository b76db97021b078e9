import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Whether the work of a button is running, and a function that takes that work. Work that fails has ended, too.
 * The button that is disabled meanwhile loses the focus, and has it again afterwards unless something took it.
 */
export function useBusy(): readonly [busy: boolean, during: <T>(work: Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  const pressed = useRef<Element>(null);
  const during = useCallback(async <T>(work: Promise<T>): Promise<T> => {
    pressed.current = document.activeElement;
    setBusy(true);
    return work.finally(() => setBusy(false));
  }, []);
  useEffect(() => {
    if (busy) return;
    const button = pressed.current;
    pressed.current = null;
    if (button instanceof HTMLElement && document.activeElement === document.body)
      button.focus({ preventScroll: true });
  }, [busy]);
  return [busy, during];
}
