import type { KeyboardEvent } from 'react';
import { useAppContext } from '../../app/app-context.ts';
import { appTexts } from '../../app/texts.ts';
import { PaletteInput } from './PaletteInput.tsx';
import styles from './palette.module.css';

/**
 * Shown until the palette's code and the accounts are loaded, with the same look: after Ctrl+K the user can type at
 * once. The palette then continues with the text, the selection and Enter.
 */
export function PaletteShell() {
  const { store } = useAppContext();
  const { dismiss, enterPalette } = store.getState();
  const onKeyDown = (event: KeyboardEvent): void => {
    const { isEntered } = store.getState().palette;
    if (event.key === 'Escape') dismiss();
    // Tab stays in the only field. Keys after Enter are meant for the page that it opens.
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
