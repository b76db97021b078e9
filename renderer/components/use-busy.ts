import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Whether a button's work is running, and a function that runs work and resets the flag even if it fails. Disabling the
 * button removes its focus; the focus returns afterwards unless another element has it.
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
