import { Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import type { PlanView, SyncReport } from '../../../shared/api/sync.ts';
import { SYNC_PHASES } from '../../../shared/lifecycle/states.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { bytesText, countText, plural, timeText } from '../../app/locale/numbers.ts';
import { ClockSteps } from '../../app/practice-clock.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { NotIncluded } from './NotIncluded.tsx';
import { UnsubmittedStep } from './Outlook.tsx';
import { NextSteps } from './PendingSync.tsx';
import { PlanList } from './PlanList.tsx';
import { type PlanTab, PlanTabs } from './PlanTabs.tsx';
import { PlanTechnical } from './PlanTechnical.tsx';
import { RestoreValues, SyncResults } from './SyncResults.tsx';
import styles from './sync.module.css';

const texts = {
  sending: (n: number) => `Sending ${plural(n, 'change')}`,
  result: (sent: number, all: number) => {
    if (sent < all) return `${countText(sent)} of ${countText(all)} changes are on the service`;
    return all === 1 ? 'The change is on the service' : `All ${countText(all)} changes are on the service`;
  },
  submitted: (n: number) => (n === 0 ? 'The sync has ended' : `${plural(n, 'review')} submitted`),
  counts: (sent: number, left: number) =>
    `${countText(sent)} sent, ${countText(left)} pending. You can keep working. New edits are part of the next sync.`,
  keepWorking: 'Keep working',
  ending: {
    pausing: 'Pausing when the requests in progress have ended. You can keep working.',
    stopping: 'Stopping when the requests in progress have ended. You can keep working.',
  },
  progress: 'Progress',
  ofAll: (sent: number, all: number) => `${countText(sent)} of ${countText(all)}`,
  rows: { sent: 'Sent', pending: 'Pending', failed: 'Failed', unconfirmed: 'Unconfirmed' },
  uploading: 'Upload',
  uploaded: (sent: string, all: string) => `${sent} of ${all}`,
  waits: {
    'hourly-limit': (time: string) => `The hourly change limit is reached. Continues at ${time}.`,
    later: (time: string) => `The service accepts no more requests for now. Tries again at ${time}.`,
    service: (time: string) => `The service responded with an error. Tries again at ${time}.`,
    unreachable: (time: string) => `Can't reach the service. Tries again at ${time}.`,
    unconfirmed: (time: string) => `Some requests are unconfirmed. Adslate checks them at ${time}.`,
  },
  once: 'Adslate never sends a change twice, even after a power failure.',
  triedAt: (time: string) => `Started at ${time}. Nothing was sent.`,
  sentAt: (from: string, to: string) => (from === to ? `Sent at ${from}.` : `Sent from ${from} to ${to}.`),
  attention: (n: number) => `${plural(n, 'change')} ${n === 1 ? 'needs' : 'need'} attention.`,
  dropped: (n: number) => `${plural(n, 'change')} ${n === 1 ? 'was' : 'were'} no longer ready when the sync began.`,
  states: {
    running: '',
    finished: '',
    cancelled: 'You stopped the sync.',
    paused: 'The sync is paused.',
    stopped: 'The sync stopped early.',
  },
  gone: 'Another plan was made since. The requests that were sent are in the history.',
  unlisted: 'The rows of this sync are in the history.',
  history: 'Open history',
  rollBack: 'Roll back this sync…',
  rest: (n: number) => `Sync ${plural(n, 'unsent change')}…`,
  done: 'Done',
  unsubmitted: 'Not submitted',
  notSubmitted: (n: number) => `${plural(n, 'campaign')} ${n === 1 ? 'was' : 'were'} not submitted for review.`,
  clock: 'Practice clock',
  clockText: 'Move the clock ahead to see reviews and start dates.',
} as const;

interface HeadProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
}

export const Head = ({ title, text, children }: HeadProps) => (
  <header className={styles['head']}>
    <div className={styles['head-text']}>
      <h1>{title}</h1>
      <p className={ui['quiet']}>{text}</p>
    </div>
    <div className={styles['head-actions']}>{children}</div>
  </header>
);

/** Screen readers announce the progress at most once in this many milliseconds. */
const ANNOUNCE_MS = 5000;

interface RunPageProps {
  readonly account: Account;
  /** Null until the run has started. */
  readonly runId: string | null;
  /** The plan that was started here; undefined if the run was started elsewhere. */
  readonly plan: PlanView | undefined;
  readonly onClose: () => void;
}

/** A running sync: the result of each row, and the overall progress. */
export function RunPage({ account: { workspaceId }, runId, plan, onClose }: RunPageProps) {
  const { store, actions } = useAppContext();
  const now = useNow();
  const progress = useView((s) => s.syncs[workspaceId]);
  const uploads = useView((s) => s.uploads);
  const mine = progress?.runId === runId ? progress : undefined;
  const { total = 0, sent = 0, failed = 0, unresolved = 0 } = mine?.changes ?? {};
  const all = total === 0 ? (plan?.changes ?? 0) : total;
  const spokenAt = useRef(0);
  const [ending, setEnding] = useState<keyof typeof texts.ending | null>(null);
  const [tab, setTab] = useState<PlanTab>('changes');
  const stop = useRef<HTMLButtonElement>(null);
  useEffect(() => stop.current?.focus(), []);
  /** Both buttons are disabled until running requests have ended, so the focus moves to the button beside them. */
  const end = async (how: keyof typeof texts.ending, ask: () => Promise<boolean>): Promise<void> => {
    setEnding(how);
    store.getState().announce(texts.ending[how]);
    stop.current?.focus();
    if (!(await ask())) setEnding(null);
  };
  useEffect(() => {
    if (Date.now() - spokenAt.current < ANNOUNCE_MS || all === 0) return;
    spokenAt.current = Date.now();
    store.getState().announce(`${texts.sending(all)}. ${texts.ofAll(sent, all)}.`);
  }, [sent, all, store]);
  const [upload] = Object.values(uploads).filter(
    (each) => each.workspaceId === workspaceId && each.sentBytes < each.totalBytes,
  );
  const pending = Math.max(0, all - sent - failed - unresolved);
  const figures: readonly (readonly [string, number])[] = [
    [texts.rows.sent, sent],
    [texts.rows.pending, pending],
    [texts.rows.failed, failed],
    [texts.rows.unconfirmed, unresolved],
  ];
  return (
    <>
      <Head title={texts.sending(all)} text={ending === null ? texts.counts(sent, pending) : texts.ending[ending]}>
        <Button
          variant="subtle"
          color="gray"
          disabled={ending !== null}
          onClick={() => void end('pausing', actions.pauseSync)}
        >
          {dialogTexts.pendingSync.pause}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          disabled={ending !== null}
          onClick={() => void end('stopping', actions.stopSync)}
        >
          {dialogTexts.sync.stop}
        </Button>
        <Button ref={stop} onClick={onClose}>
          {texts.keepWorking}
        </Button>
      </Head>
      {plan !== undefined && <PlanTabs plan={plan} tab={tab} onTab={setTab} />}
      <progress className={styles['line-progress']} max={Math.max(1, all)} value={sent} aria-label={texts.progress} />
      {plan !== undefined && tab !== 'changes' && <SentPart workspaceId={workspaceId} plan={plan} part={tab} />}
      <div className={styles['columns']} hidden={tab !== 'changes'}>
        <div className={styles['column']}>
          {runId !== null && total > 0 && (
            <PlanList workspaceId={workspaceId} planId={runId} phase="run" filter="all" words="" onPick={null} />
          )}
        </div>
        <aside className={styles['side']}>
          <h2>{texts.ofAll(sent, all)}</h2>
          {mine?.retryAt == null ? (
            <p className={ui['quiet']}>{SYNC_PHASES[mine?.phase ?? 'resolving']}</p>
          ) : (
            <p className={ui['note-warning']}>
              {texts.waits[mine.waitsFor ?? 'unreachable'](timeText(mine.retryAt, now))}
            </p>
          )}
          <ul className={styles['sums']}>
            {figures.map(([name, count]) => (
              <li key={name}>
                <span className={ui['quiet']}>{name}</span>
                <span className={styles['marked']}>{countText(count)}</span>
              </li>
            ))}
          </ul>
          {upload !== undefined && (
            <section aria-label={texts.uploading}>
              <h2>{texts.uploading}</h2>
              <p className={styles['marked']}>{upload.fileName}</p>
              <p className={ui['quiet']}>{texts.uploaded(bytesText(upload.sentBytes), bytesText(upload.totalBytes))}</p>
              <progress
                className={styles['line-progress']}
                max={upload.totalBytes}
                value={upload.sentBytes}
                aria-label={upload.fileName}
              />
            </section>
          )}
          <p className={styles['side-note']}>
            <IconShieldCheck size={16} stroke={1.75} aria-hidden="true" />
            {texts.once}
          </p>
        </aside>
      </div>
    </>
  );
}

interface SentPartProps {
  readonly workspaceId: string;
  readonly plan: PlanView;
  readonly part: Exclude<PlanTab, 'changes'>;
}

/** Other tabs of a plan, as it was when it was sent. */
function SentPart({ workspaceId, plan, part }: SentPartProps) {
  const { store } = useAppContext();
  const [isGone, setGone] = useState(false);
  if (part === 'stays')
    return <NotIncluded workspaceId={workspaceId} plan={plan} onSelectAll={() => store.getState().openSync()} />;
  if (!isGone) return <PlanTechnical workspaceId={workspaceId} plan={plan} isSent onOutdated={() => setGone(true)} />;
  return <InHistory className={styles['scrolled']} text={texts.gone} />;
}

/** What a page can't list any more, and the way to the history that can. */
function InHistory({ className, text }: { readonly className: string | undefined; readonly text: string }) {
  const { store } = useAppContext();
  return (
    <div className={className}>
      <p>{text}</p>
      <Button onClick={() => store.getState().showTab('history')}>{texts.history}</Button>
    </div>
  );
}

interface ResultPageProps {
  readonly account: Account;
  readonly report: SyncReport;
  readonly plan: PlanView | undefined;
  readonly onClose: () => void;
}

/** The results of a run: first what needs attention, all rows, and what happens next. */
export function ResultPage({ account, report, plan, onClose }: ResultPageProps) {
  const { store } = useAppContext();
  const now = useNow();
  const { workspaceId } = account;
  const { changes, state, startedAt, endedAt, runId, unsubmitted } = report;
  const done = useRef<HTMLButtonElement>(null);
  const [tab, setTab] = useState<PlanTab>('changes');
  const [isUnlisted, setUnlisted] = useState(false);
  // Items are checked again before the send; a row with an error is not sent.
  const all = Math.max(changes.total, plan?.changes ?? 0);
  const heading = all === 0 ? texts.submitted(report.reviews) : texts.result(changes.sent, all);
  useEffect(() => {
    store.getState().announce(heading);
    done.current?.focus();
  }, [heading, store]);
  const open = changes.failed + changes.unresolved;
  // A sync that is paused or waits for the service is resumed below.
  const pending = useQuery(useApi().sync.pending.queryOptions({ input: { workspaceId } })).data;
  const isLeft = changes.notSent > 0 && pending === null;
  const text = [
    startedAt === null || endedAt === null
      ? ''
      : report.done + report.uploads === 0
        ? texts.triedAt(timeText(startedAt, now))
        : texts.sentAt(timeText(startedAt, now), timeText(endedAt, now)),
    texts.states[state],
    open === 0 ? '' : texts.attention(open),
    unsubmitted.campaigns === 0 ? '' : texts.notSubmitted(unsubmitted.campaigns),
    state === 'finished' && all > changes.total ? texts.dropped(all - changes.total) : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
  return (
    <>
      <Head title={heading} text={text}>
        {report.done > 0 && (
          <Button variant="subtle" color="gray" onClick={() => store.getState().openSync({ isRollback: true })}>
            {texts.rollBack}
          </Button>
        )}
        {isLeft && <Button onClick={() => store.getState().openSync()}>{texts.rest(changes.notSent)}</Button>}
        <Button ref={done} onClick={onClose}>
          {texts.done}
        </Button>
      </Head>
      {plan !== undefined && <PlanTabs plan={plan} isDone tab={tab} onTab={setTab} />}
      {plan !== undefined && tab !== 'changes' && <SentPart workspaceId={workspaceId} plan={plan} part={tab} />}
      <div
        className={`${styles['columns']} ${plan === undefined ? styles['columns-line'] : ''}`}
        hidden={tab !== 'changes'}
      >
        <div className={styles['column']}>
          <PlanList
            workspaceId={workspaceId}
            planId={runId}
            phase="result"
            filter="all"
            words=""
            // The list is headed Sent, unless nothing was.
            sentOnly={changes.sent > 0}
            onPick={null}
            onOutdated={() => setUnlisted(true)}
          >
            <SyncResults workspaceId={workspaceId} report={report} />
            {isUnlisted && changes.sent > 0 && <InHistory className={styles['padded']} text={texts.unlisted} />}
          </PlanList>
        </div>
        <aside className={styles['side']}>
          <NextSteps workspaceId={workspaceId} />
          {unsubmitted.campaigns > 0 && (
            <section aria-label={texts.unsubmitted}>
              <h2>{texts.unsubmitted}</h2>
              <ol>
                <UnsubmittedStep of={unsubmitted} />
              </ol>
            </section>
          )}
          {account.practice && (
            <section aria-label={texts.clock}>
              <h2>{texts.clock}</h2>
              <p className={ui['quiet']}>{texts.clockText}</p>
              <ClockSteps />
            </section>
          )}
          {state !== 'running' && changes.sent > 0 && <RestoreValues workspaceId={workspaceId} runId={runId} />}
        </aside>
      </div>
    </>
  );
}
