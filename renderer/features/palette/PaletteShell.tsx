import type { KeyboardEvent } from 'react';
import { useAppContext } from '../../app/app-context.ts';
import { appTexts } from '../../app/texts.ts';
import { PaletteInput } from './PaletteInput.tsx';
import styles from './palette.module.css';

/**
 * Stands where the palette will be until its code and the accounts have come, and looks like it: whoever presses Ctrl+K
 * right after the start types on without looking. What was typed, chosen and entered is taken over by the palette.
 */
export function PaletteShell() {
  const { store } = useAppContext();
  const { dismiss, enterPalette } = store.getState();
  const onKeyDown = (event: KeyboardEvent): void => {
    const { isEntered } = store.getState().palette;
    if (event.key === 'Escape') dismiss();
    // There is one field, so Tab leads nowhere else. After Enter the keys are meant for what it opens.
    if (event.key !== 'Tab' && !isEntered) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div className={styles['palette-veil']} />
      <div
        className={styles['palette-shell']}
        role="dialog"
        aria-modal="true"
        aria-label={appTexts.palette.title}
        onKeyDownCapture={onKeyDown}
      >
        <PaletteInput list={null} onEnter={() => enterPalette(true)} />
      </div>
    </>
  );
}
