import { useQuery } from '@tanstack/react-query';
import type { PendingGroup } from '../../../shared/api/sync.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { useNow } from '../../components/use-now.ts';
import { enAfterSync } from '../../texts/en-sync-followup.ts';
import { countText, timeText } from '../../texts/numbers.ts';

const SIGN: Readonly<Record<PendingGroup['until'], string>> = { time: '◷', sync: '↑', user: '!' };
const SHOWN = 3;

/** Everything that is not where it is meant to be: why, and when it is looked at next. Names lead to their rows. */
export function PendingList({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { store } = useAppContext();
  const now = useNow();
  const waits = useQuery(api.waiting.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const { title, reasons, next, from, more } = enAfterSync.waiting;
  if (waits.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="group-title">{title}</h2>
      <ul className="lines">
        {waits.map(({ reason, until, elements, first, nextAt }) => (
          <li key={reason} className="line">
            <span aria-hidden="true" className={until === 'user' ? 'note-error' : 'quiet'}>
              {SIGN[until]}
            </span>
            <span className="line-text">
              {reasons[reason]} <span className="badge">{countText(elements)}</span>
            </span>
            <span className="line-where quiet waiting-places">
              {first.slice(0, SHOWN).map(({ kind, id, label }) => (
                <button
                  key={`${kind} ${id}`}
                  type="button"
                  className="chip"
                  onClick={() => store.getState().reveal(kind, null, id, null)}
                >
                  {label}
                </button>
              ))}
              {first.length > SHOWN && more(elements - SHOWN)}
              {nextAt !== null && (reason === 'scheduled' ? from : next)(timeText(nextAt, now))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
