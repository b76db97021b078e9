import type { KeyboardEvent, PointerEvent } from 'react';
import { useAppContext, useView } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { PANE_LIMITS, type Pane } from '../../store/pane-slice.ts';

const STEP = 16;

/** The line between two panes: drag it, or focus it and use the arrow keys. Grows towards `grows`. */
export function PaneHandle({ pane, grows }: { readonly pane: Pane; readonly grows: 'right' | 'left' | 'up' }) {
  const { store } = useAppContext();
  const size = useView((s) => s.sizes[pane]);
  const { min, max } = PANE_LIMITS[pane];
  const vertical = grows === 'up';
  const sign = grows === 'right' ? 1 : -1;

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const handle = event.currentTarget;
    const start = vertical ? event.clientY : event.clientX;
    const move = (to: globalThis.PointerEvent): void => {
      const by = (vertical ? to.clientY : to.clientX) - start;
      store.getState().resizePane(pane, size + sign * by);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = vertical
      ? { ArrowUp: STEP, ArrowDown: -STEP }
      : { ArrowRight: sign * STEP, ArrowLeft: -sign * STEP };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    store.getState().resizePane(pane, size + step);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={vertical ? 'horizontal' : 'vertical'}
      aria-label={en.frame.resize(en.frame[pane])}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      className={`pane-handle ${vertical ? 'pane-handle-y' : 'pane-handle-x'}`}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
