import { useEffect, useState } from 'react';
import { useAppContext } from '../../app/app-context.ts';
import { openFiles } from '../../app/dialog-for-files.ts';
import { appTexts } from '../../app/texts.ts';
import styles from './shell.module.css';

const texts = {
  drop: 'Drop files to add them',
} as const;

/** What takes files itself (an inspector's drop field) marks its element with this, and the window keeps out. */
const OWN_DROP = 'data-own-drop';

/** The whole window takes files: a sheet opens the import, a plan file the plan, everything else goes to the media library. */
export function DropOverlay() {
  const { store } = useAppContext();
  const [over, setOver] = useState(false);

  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const isOwn = (event: DragEvent): boolean =>
      event.target instanceof Element && event.target.closest(`[${OWN_DROP}]`) !== null;
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(!isOwn(event));
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without this the browser would leave the page for the file.
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (isOwn(event) || files.length === 0 || store.getState().workspaceId === null) return;
      openFiles(store, files);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [store]);

  return over ? (
    <div className={styles['drop-veil']}>
      <strong>{texts.drop}</strong>
      <span>{appTexts.media.dropText}</span>
    </div>
  ) : null;
}
