import { Button, Progress } from '@mantine/core';
import { useView } from '../app/app-context.ts';
import ui from '../components/ui.module.css';
import styles from './grid.module.css';
import { gridTexts } from './text.ts';

/** Progress of copying a long range, with a button to stop it. Short copies finish before it would be shown. */
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
