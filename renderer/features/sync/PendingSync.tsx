import { Button, Group } from '@mantine/core';
import { IconAlertCircle, IconClock, IconCloudUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PendingGroup, PendingReason, PendingSyncView } from '../../../shared/api/sync.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './sync.module.css';
import { TimelineStep } from './TimelineStep.tsx';

const texts = {
  resume: 'Resume',
  resumeNow: 'Resume now',
  cancel: 'Cancel sync',
  titles: {
    paused: 'Sync paused',
    waiting: 'Sync waiting for the service',
    scheduled: 'Sync scheduled',
  } as Readonly<Record<PendingSyncView['state'], string>>,
  left: (n: number) => `${plural(n, 'change')} left to send.`,
  edited: {
    paused: (n: number) => `This includes ${plural(n, 'change')} made after the sync was paused.`,
    waiting: (n: number) => `This includes ${plural(n, 'change')} made after the sync stopped.`,
  },
  fewer: (n: number) => `${plural(n, 'change')} fewer than before.`,
  editing: {
    paused: 'Edits you make before you resume are sent too.',
    waiting: 'Edits you make before it resumes are sent too.',
  },
  reviewed: {
    paused: 'This is a reviewed plan. If it changes before you resume, nothing more is sent.',
    waiting: 'This is a reviewed plan. If it changes before the sync resumes, nothing more is sent.',
    scheduled: 'If the plan changes before then, nothing is sent.',
  },
  resumesAt: (time: string) => `Resumes at ${time} if the service responds.`,
  checksAt: (time: string) => `Next check at ${time}.`,
  healthy: (minutes: number) =>
    `Starts when the service has responded for ${plural(minutes, 'minute')} without a break.`,
  healthySince: (time: string) => `Responding since ${time}.`,
  lastRequest: (problem: string) => `Last request failed: ${problem}`,
  deadlineAt: (time: string) => `Nothing is sent after ${time}.`,
} as const;

interface PendingSyncProps {
  readonly workspaceId: string;
  /** False below results, which show the reason. */
  readonly saysWhy?: boolean;
  /** True if the screen has no other primary button. */
  readonly isPrimary?: boolean;
}

/** A sync that is paused, waits for the service or is scheduled: the reason, the deadline, and how to continue. */
export function PendingSync({ workspaceId, saysWhy = true, isPrimary = false }: PendingSyncProps) {
  const { actions } = useAppContext();
  const now = useNow();
  const pending = useQuery(useApi().sync.pending.queryOptions({ input: { workspaceId } })).data ?? null;
  if (pending === null) return null;
  const { state } = pending;
  return (
    <section className={styles['pending-sync']} aria-label={texts.titles[state]}>
      <h2 className={ui['group-title']}>{texts.titles[state]}</h2>
      <p role="status">{linesOf(pending, (at) => timeText(at, now)).join(' ')}</p>
      {saysWhy && pending.problem !== null && (
        <p className={ui['quiet']}>{state === 'paused' ? pending.problem : texts.lastRequest(pending.problem)}</p>
      )}
      <Group gap="xs">
        {state !== 'scheduled' && (
          <Button variant={isPrimary ? 'filled' : 'default'} onClick={() => void actions.resumeSync()}>
            {state === 'paused' ? texts.resume : texts.resumeNow}
          </Button>
        )}
        {state === 'waiting' && (
          <Button onClick={() => void actions.pauseSync()}>{dialogTexts.pendingSync.pause}</Button>
        )}
        <Button onClick={() => void actions.stopSync()}>{texts.cancel}</Button>
      </Group>
    </section>
  );
}

function linesOf(pending: PendingSyncView, time: (at: number) => string): readonly string[] {
  const { nextAt, deadline, health } = pending;
  return [
    texts.left(pending.left),
    ...editLinesOf(pending),
    ...(health === null ? [] : [texts.healthy(health.minutes)]),
    ...(health === null || health.since === null ? [] : [texts.healthySince(time(health.since))]),
    ...(nextAt === null ? [] : [(pending.state === 'waiting' ? texts.resumesAt : texts.checksAt)(time(nextAt))]),
    ...(deadline === null ? [] : [texts.deadlineAt(time(deadline))]),
  ];
}

/** Whether edits since then are sent: a resumed sync plans again, unless its plan was reviewed. */
function editLinesOf({ state, left, leftThen, isReviewed }: PendingSyncView): readonly string[] {
  if (state === 'scheduled' || isReviewed) return [texts.reviewed[state]];
  if (left < leftThen) return [texts.fewer(leftThen - left), texts.editing[state]];
  return [...(left > leftThen ? [texts.edited[state](left - leftThen)] : []), texts.editing[state]];
}

const pendingListTexts = {
  waiting: {
    title: 'Pending',
    whatNext: 'Next',
    goesLive: 'Goes live',
    firstAt: (time: string) => `the first ${time}`,
    next: (time: string) => `next check ${time}`,
    from: (time: string) => `starting ${time}`,
    firstFrom: (time: string) => `the first starting ${time}`,
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
      'waits-for-media': 'Sync again when its video is ready',
      'review-open': 'Locked during review',
      'parent-left-out': 'Its campaign or ad group is not sent',
      'upload-host': 'Upload host not allowed yet',
      question: 'Needs your answer',
      conflict: 'Conflict: changed here and on the service',
      'has-errors': 'Has errors',
      held: 'On hold',
      'not-offered': "Not supported by this service: use the retailer's console, then refresh",
      'needs-sign-off': 'Needs sign-off by a colleague',
      'changed-since-sign-off': 'Signed off, then changed: needs sign-off again',
    } as Readonly<Record<PendingReason, string>>,
  },
} as const;

const SHOWN = 3;

/** The icon of a pending reason: the status shape for states of the service, otherwise who or what acts next. */
function Sign({ reason, until }: Pick<PendingGroup, 'reason' | 'until'>) {
  const state = STATES[reason];
  if (state !== undefined) return <StatusShape state={state} text="" />;
  const Icon = { time: IconClock, sync: IconCloudUp, user: IconAlertCircle }[until];
  return (
    <Icon size={16} stroke={1.75} aria-hidden="true" className={until === 'user' ? ui['note-error'] : ui['quiet']} />
  );
}

const STATES: Readonly<Partial<Record<PendingReason, string>>> = {
  'video-processing': 'processing',
  'review-going-on': 'in-review',
  scheduled: 'scheduled',
  'sync-paused': 'paused',
};

/** Several campaigns have start dates of their own, of which the time is the first. */
function startOr(next: (time: string) => string, reason: PendingReason, campaigns: number): (time: string) => string {
  const { from, firstFrom } = pendingListTexts.waiting;
  if (reason !== 'scheduled') return next;
  return campaigns > 1 ? firstFrom : from;
}

interface PendingProps {
  readonly workspaceId: string;
}

const usePending = (workspaceId: string): readonly PendingGroup[] =>
  useQuery(useApi().pending.list.queryOptions({ input: { workspaceId } })).data ?? [];

/** Everything pending: the reason, and the next check. Names open their rows. */
export function PendingList({ workspaceId }: PendingProps) {
  const { store } = useAppContext();
  const now = useNow();
  const waits = usePending(workspaceId);
  const { title, reasons, next } = pendingListTexts.waiting;
  if (waits.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={ui['group-title']}>{title}</h2>
      <ul className={ui['lines']}>
        {waits.map(({ reason, until, elements, first, nextAt }) => (
          <li key={reason} className={ui['line']}>
            <span className={styles['pending-sign']}>
              <Sign reason={reason} until={until} />
            </span>
            <span className={ui['line-text']}>
              {reasons[reason]} <span className={ui['badge']}>{countText(elements)}</span>
            </span>
            <span className={`${ui['line-where']} ${ui['quiet']} ${styles['waiting-places']}`}>
              {first.slice(0, SHOWN).map(({ kind, id, label }) => (
                <Chip key={`${kind} ${id}`} onClick={() => store.getState().reveal(kind, null, id, null)}>
                  {label}
                </Chip>
              ))}
              {first.length > SHOWN && <span>{appTexts.sync.more(elements - SHOWN)}</span>}
              {nextAt !== null && <span>{startOr(next, reason, elements)(timeText(nextAt, now))}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Pending reasons as a timeline after a sync. */
export function NextSteps({ workspaceId }: PendingProps) {
  const { store } = useAppContext();
  const now = useNow();
  const waits = usePending(workspaceId);
  const { whatNext, reasons, goesLive, firstAt, next } = pendingListTexts.waiting;
  const whenOf = (reason: PendingReason, campaigns: number, time: string): string => {
    if (reason !== 'scheduled') return next(time);
    return campaigns > 1 ? firstAt(time) : time;
  };
  if (waits.length === 0) return null;
  return (
    <section aria-label={whatNext}>
      <h2>{whatNext}</h2>
      <ol>
        {waits.map(({ reason, until, elements, first, nextAt }) => (
          <TimelineStep
            key={reason}
            sign={<Sign reason={reason} until={until} />}
            name={
              <>
                {reason === 'scheduled' ? goesLive : reasons[reason]}{' '}
                {elements > 1 && <span className={styles['tab-count']}>{countText(elements)}</span>}
              </>
            }
            when={nextAt === null ? '' : whenOf(reason, elements, timeText(nextAt, now))}
          >
            {first.slice(0, SHOWN).map(({ kind, id, label }) => (
              <button key={`${kind} ${id}`} type="button" onClick={() => store.getState().reveal(kind, null, id, null)}>
                {label}
              </button>
            ))}
            {first.length > SHOWN && appTexts.sync.more(elements - SHOWN)}
          </TimelineStep>
        ))}
      </ol>
    </section>
  );
}
