import { Button, Group } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SyncReport } from '../../../shared/api/sync.ts';
import { serviceAnsweredText } from '../../../shared/error-help/connection-errors.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { countText, momentText, plural, timeText } from '../../app/locale/numbers.ts';
import type { SyncProgress } from '../../app/store/app-store.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { takeFocus } from '../../components/take-focus.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { PendingList, PendingSync } from './PendingSync.tsx';
import { RefusalGroups } from './RefusalGroups.tsx';
import { PlanChanges } from './SyncPlan.tsx';
import styles from './sync.module.css';
import { syncTexts } from './text.ts';

const texts = {
  progress: (done: number, total: number) => `${countText(done)} of ${plural(total, 'request')}`,
  retryAt: (time: string) => `The service is busy. Retrying at ${time}.`,
  result: (live: number, inReview: number, needYou: number) =>
    `${countText(live)} live, ${countText(inReview)} in review, ${countText(needYou)} ${needYou === 1 ? 'needs' : 'need'} your attention`,
  resultDone: (done: number) => `${plural(done, 'change')} sent`,
  refused: 'Failed',
  notUploaded: 'Not uploaded',
  notUploadedFile: (file: string, reason: string) => `"${file}": ${reason}`,
  unreadable: "Values from the service that can't be read. These rows keep their current values",
  unreadableValue: (label: string, field: string | null, value: string) =>
    field === null ? `a row in "${label}" without a valid ID: ${value}` : `"${label}", ${field}: ${value}`,
  states: {
    running: 'Running',
    finished: 'Finished',
    cancelled: 'Stopped by you',
    paused: 'Paused',
    stopped: 'Stopped',
  },
  stoppedBy: {
    unreachable: "Can't reach the service. Unsent changes are kept. Sync again when you're back online.",
    credentials: 'The service did not accept the credentials. Check them in Credentials, then sync again.',
    disk: "Can't write to the disk: it is full or write-protected. Free up space, then sync again.",
    defect:
      'Adslate stopped because of an internal error. Sync again. If it happens again, save the diagnostic report in About.',
    service: 'The service sent an unexpected response. Nothing was marked as sent.',
    'rate-limited': 'Rate limited: the service accepts no more requests for now. Unsent changes are kept.',
    security: 'The connection was not secure, so Adslate stopped sending.',
    'plan-changed': 'The account changed after you approved the plan, so nothing was sent. Open the plan again.',
    deadline: 'The deadline has passed, so nothing more was sent.',
  },
  untouched: (n: number) => `${plural(n, 'change')} not sent`,
  inDoubt: (n: number) => `${plural(n, 'change')} unconfirmed`,
  open: 'Roll back this sync…',
} as const;

interface Run {
  readonly asked: boolean;
  /** The run before it: the report of any other tells of this one, and of what went on with it. */
  readonly before: string | null;
}

const NOT_ASKED: Run = { asked: false, before: null };

export interface SyncRun {
  /** Whether the user has started the run here; no plan is needed from then on. */
  readonly asked: boolean;
  readonly isShown: boolean;
  /** Null until the run started here has ended. */
  readonly report: SyncReport | null;
  /** @param start resolves with the id of the run, or null when none could begin */
  readonly begin: (start: () => Promise<string | null>) => Promise<void>;
}

/** A run that a dialog starts. The report of an earlier run stays readable until this one has a report of its own. */
export function useSyncRun(workspaceId: string): SyncRun {
  const [run, setRun] = useState<Run>(NOT_ASKED);
  const last = useQuery(useApi().sync.report.queryOptions({ input: { workspaceId } })).data ?? null;
  const running = last?.state === 'running';
  return {
    asked: run.asked,
    isShown: run.asked || running,
    report: !running && last !== null && run.asked && last.runId !== run.before ? last : null,
    begin: async (start) => {
      setRun({ asked: true, before: last?.runId ?? null });
      if ((await start()) === null) setRun(NOT_ASKED);
    },
  };
}

export function SyncRunPage({ workspaceId, report }: { readonly workspaceId: string } & Pick<SyncRun, 'report'>) {
  const { store, actions } = useAppContext();
  const { dismiss, announce } = store.getState();
  const progress = useView((s) => s.syncs[workspaceId]);
  const needsYou = useNeedsYou();
  const ended = report === null ? null : texts.result(report.live, report.inReview, needsYou(report));

  useEffect(() => {
    if (ended !== null) announce(ended);
  }, [ended, announce]);

  return (
    <div>
      {report === null &&
        (progress === undefined || progress.phase === 'done' ? (
          <p>{appTexts.sync.running}</p>
        ) : (
          <Progress progress={progress} />
        ))}
      {report !== null && <Report report={report} />}
      {report !== null && <PendingSync workspaceId={workspaceId} />}
      {report !== null && <PendingList workspaceId={workspaceId} />}
      <Group justify="flex-end" mt="md" gap="xs">
        {report === null && <Button onClick={() => void actions.pauseSync()}>{dialogTexts.pendingSync.pause}</Button>}
        {report === null && <Button onClick={() => void actions.stopSync()}>{dialogTexts.sync.stop}</Button>}
        <Button ref={takeFocus} variant={report === null ? 'default' : 'filled'} onClick={dismiss}>
          {appTexts.close}
        </Button>
      </Group>
    </div>
  );
}

/** How far a running sync is, in words and as a bar. */
export function Progress({ progress }: { readonly progress: SyncProgress }) {
  const { phase, batchesDone, batchesTotal, retryAt } = progress;
  const now = useNow();
  return (
    <div className={styles['progress']}>
      <strong>{dialogTexts.sync.phases[phase]}</strong>
      {batchesTotal > 0 && (
        <>
          <progress max={batchesTotal} value={batchesDone} aria-label={appTexts.sync.running} />
          <span className={`${ui['numeric']} ${ui['quiet']}`}>{texts.progress(batchesDone, batchesTotal)}</span>
        </>
      )}
      {retryAt !== null && <span className={ui['note-warning']}>{texts.retryAt(timeText(retryAt, now))}</span>}
    </div>
  );
}

/** How much needs the user after a sync: what was refused, what only they can answer, and what was changed on both sides. */
function useNeedsYou(): (report: SyncReport) => number {
  const api = useApi();
  const workspaceId = useView((s) => s.workspaceId);
  const conflicts =
    useQuery(api.workspace.summary.queryOptions({ input: workspaceId === null ? skipToken : { workspaceId } })).data
      ?.conflicts ?? 0;
  return (report) => report.refused.length + report.failedUploads.length + report.questions + conflicts;
}

/** Why a run stopped: what the service answered, where it was an answer, else the cause with its detail. */
function stoppedText({ cause, detail, status, call, retryAt }: NonNullable<SyncReport['stoppedBy']>) {
  if (cause === 'plan-changed') return texts.stoppedBy[cause];
  if (status === undefined || cause === 'security') {
    return (
      <>
        {texts.stoppedBy[cause]} <span className={ui['quiet']}>{detail}</span>
      </>
    );
  }
  const said = { status, call: call ?? '', detail, retryAt: retryAt ?? null };
  return serviceAnsweredText(said, (at) => momentText(new Date(at).toISOString()));
}

/** What came of the last sync: the one line that matters first, then what was refused and why. */
export function Report({ report }: { readonly report: SyncReport }) {
  const { store } = useAppContext();
  const needsYou = useNeedsYou();
  return (
    <section className={styles['report']} aria-label={syncTexts.title}>
      <h2 className={styles['report-line']}>{texts.result(report.live, report.inReview, needsYou(report))}</h2>
      <p className={ui['quiet']}>
        {[
          texts.states[report.state],
          texts.resultDone(report.done),
          syncTexts.requests(report.requests),
          report.untouched > 0 ? texts.untouched(report.untouched) : '',
          report.inDoubt > 0 ? texts.inDoubt(report.inDoubt) : '',
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
      {report.stoppedBy !== null && (
        <p className={ui['note-error']} role="note">
          {stoppedText(report.stoppedBy)}
        </p>
      )}
      {report.stoppedBy?.changed !== undefined && <PlanChanges changed={report.stoppedBy.changed} />}
      {report.done > 0 && <Chip onClick={() => store.getState().show({ name: 'take-back' })}>{texts.open}</Chip>}
      {report.failedUploads.length > 0 && (
        <>
          <h2 className={`${ui['group-title']} ${ui['note-error']}`}>{texts.notUploaded}</h2>
          <ul>
            {report.failedUploads.map(({ id, file, reason }) => (
              <li key={id}>{texts.notUploadedFile(file, reason)}</li>
            ))}
          </ul>
        </>
      )}
      {report.unreadable.length > 0 && (
        <>
          <h2 className={`${ui['group-title']} ${ui['note-error']}`}>{texts.unreadable}</h2>
          <ul>
            {report.unreadable.map(({ kind, label, field, value }) => (
              <li key={`${kind} ${label} ${field} ${value}`}>{texts.unreadableValue(label, field, value)}</li>
            ))}
          </ul>
        </>
      )}
      {report.refused.length > 0 && (
        <>
          <h2 className={`${ui['group-title']} ${ui['note-error']}`}>{texts.refused}</h2>
          <RefusalGroups refused={report.refused} />
        </>
      )}
    </section>
  );
}
