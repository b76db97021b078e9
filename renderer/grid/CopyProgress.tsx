import { Button, Progress } from '@mantine/core';
import { useView } from '../app/app-context.ts';
import ui from '../components/ui.module.css';
import styles from './grid.module.css';
import { gridTexts } from './text.ts';

/** How far a long range is on its way to the clipboard, and the way to stop it. Short ones are done before it shows. */
export function CopyProgress() {
  const copying = useView((s) => s.copying);
  if (copying === null) return null;
  const { done, total, stop } = copying;
  const text = gridTexts.copying(done, total);
  return (
    <div className={styles['copy-progress']}>
      <Progress value={(100 * done) / total} aria-label={text} />
      <span className={`${ui['quiet']} ${ui['numeric']}`}>{text}</span>
      <Button size="compact-xs" onClick={stop}>
        {gridTexts.copyStop}
      </Button>
    </div>
  );
}
