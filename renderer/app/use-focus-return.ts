import { useEffect } from 'react';
import { useAppContext } from './app-context.ts';

/**
 * Keeps the keyboard at work: what had the focus before a dialog has it again afterwards. Where that is gone, as after a
 * list that was chosen by its name, the rows have it, and where there are none, the middle of the window.
 *
 *   nothing open --a dialog opens--> remembers what had the focus
 *        ^                                | the last dialog closes, or another list or screen is shown
 *        '--gives it back, unless something has taken it meanwhile--'
 */
export function useFocusReturn(): void {
  const { store, openGrid } = useAppContext();
  useEffect(() => {
    let opener: Element | null = null;
    let due: ReturnType<typeof setTimeout> | undefined;
    const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;
    const giveBack = (): void => {
      due = undefined;
      if (isNowhere() && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      if (isNowhere()) openGrid.current?.focus();
      if (isNowhere()) document.querySelector('main')?.focus({ preventScroll: true });
      opener = null;
    };
    const stop = store.subscribe((now, before) => {
      // One dialog leads to another (the palette, for one): what counts is what had the focus before the first of them.
      if (now.dialog !== null && before.dialog === null && due === undefined) opener = document.activeElement;
      const isElsewhere =
        now.place !== before.place || now.kind !== before.kind || now.campaignId !== before.campaignId;
      if (now.dialog === before.dialog && !isElsewhere) return;
      // Where a dialog led somewhere, the keys go there as well.
      if (isElsewhere) opener = null;
      clearTimeout(due);
      // The screen is drawn anew by then.
      due = now.dialog === null ? setTimeout(giveBack) : undefined;
    });
    return () => {
      stop();
      clearTimeout(due);
    };
  }, [store, openGrid]);
}
