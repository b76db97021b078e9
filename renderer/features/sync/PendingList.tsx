import { useQuery } from '@tanstack/react-query';
import type { PendingGroup, PendingReason } from '../../../shared/api/sync.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './sync.module.css';

const texts = {
  waiting: {
    title: 'Pending',
    next: (time: string) => `next check ${time}`,
    from: (time: string) => `starting ${time}`,
    more: (n: number) => `and ${countText(n)} more`,
    reasons: {
      'video-processing': 'Processing video',
      'video-overdue': 'Processing video for more than 2 hours',
      'review-going-on': 'In review',
      scheduled: 'Scheduled: goes live on its start date',
      'sync-waiting': 'Sync waiting for the service; resumes automatically',
      'sync-scheduled': 'Sync scheduled; starts when the service is healthy',
      'sync-paused': 'Sync paused',
      'rate-limited': 'Rate limited until then. Sync to try now',
      changed: 'Changed: will be sent with the next sync',
      budget: 'Over the hourly change limit',
      'in-doubt': 'Unconfirmed: the next sync checks it',
      'waits-for-media': 'Waiting for its video',
      'review-open': 'Locked during review',
      'parent-left-out': 'Its campaign or ad group is not sent',
      'upload-host': 'Upload host not allowed yet',
      question: 'Needs your answer',
      conflict: 'Conflict: changed here and on the service',
      'has-errors': 'Has errors',
      held: 'On hold',
      'not-offered': "Not supported by this service: use the retailer's console, then refresh",
    } as Readonly<Record<PendingReason, string>>,
  },
} as const;

const SIGN: Readonly<Record<PendingGroup['until'], string>> = { time: '◷', sync: '↑', user: '!' };
const SHOWN = 3;

/** Everything that is not where it is meant to be: why, and when it is looked at next. Names lead to their rows. */
export function PendingList({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const now = useNow();
  const waits = useQuery(useApi().pending.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const { title, reasons, next, from, more } = texts.waiting;
  if (waits.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={ui['group-title']}>{title}</h2>
      <ul className={ui['lines']}>
        {waits.map(({ reason, until, elements, first, nextAt }) => (
          <li key={reason} className={ui['line']}>
            <span aria-hidden="true" className={until === 'user' ? ui['note-error'] : ui['quiet']}>
              {SIGN[until]}
            </span>
            <span className={ui['line-text']}>
              {reasons[reason]} <span className={ui['badge']}>{countText(elements)}</span>
            </span>
            <span className={`${ui['line-where']} ${ui['quiet']} ${styles['waiting-places']}`}>
              {first.slice(0, SHOWN).map(({ kind, id, label }) => (
                <button
                  key={`${kind} ${id}`}
                  type="button"
                  className={ui['chip']}
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
