import { Button, Progress } from '@mantine/core';
import { useView } from '../app/app-context.ts';
import { en } from '../texts/en.ts';

/** How far a long range is on its way to the clipboard, and the way to stop it. Short ones are done before it shows. */
export function CopyProgress() {
  const copying = useView((s) => s.copying);
  if (copying === null) return null;
  const { done, total, stop } = copying;
  const text = en.grid.copying(done, total);
  return (
    <div className="copy-progress">
      <Progress value={(100 * done) / total} aria-label={text} />
      <span className="quiet numeric">{text}</span>
      <Button size="compact-xs" onClick={stop}>
        {en.grid.copyStop}
      </Button>
    </div>
  );
}
