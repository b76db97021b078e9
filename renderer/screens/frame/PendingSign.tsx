import { useAppContext } from '../../app/desk.ts';
import { pendingSync } from '../../data/sync-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enPendingSync as texts } from '../../messages/en-pending-sync.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

/** Says in the status bar that a sync is paused, waits or is scheduled, and leads to it. */
export function PendingSign({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const now = useNow();
  const pending = useQuery(pendingSync(workspaceId)).data ?? null;
  if (pending === null) return null;
  const { state, nextAt } = pending;
  const sign = texts.sign[state];
  return (
    <button type="button" className="status-item note-warning" onClick={() => store.getState().showTab('sync')}>
      {typeof sign === 'string' ? sign : sign(timeText(nextAt ?? now, now))}
    </button>
  );
}
