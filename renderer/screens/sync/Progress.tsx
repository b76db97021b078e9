import { en } from '../../messages/en.ts';
import { timeText } from '../../messages/numbers.ts';
import type { SyncProgress } from '../../store/progress-slice.ts';
import { useNow } from '../../ui/use-now.ts';

/** How far a running sync is, in words and as a bar. */
export function Progress({ progress }: { readonly progress: SyncProgress }) {
  const { phase, batchesDone, batchesTotal, retryAt } = progress;
  const now = useNow();
  return (
    <div className="progress">
      <strong>{en.sync.phases[phase]}</strong>
      {batchesTotal > 0 && (
        <>
          <progress max={batchesTotal} value={batchesDone} aria-label={en.sync.running} />
          <span className="numeric quiet">{en.sync.progress(batchesDone, batchesTotal)}</span>
        </>
      )}
      {retryAt !== null && <span className="note-warning">{en.sync.retryAt(timeText(retryAt, now))}</span>}
    </div>
  );
}
