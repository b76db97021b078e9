import { Button, Group } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SyncReport } from '../../../shared/api/sync.ts';
import { serviceAnsweredText } from '../../../shared/error-help/connection-errors.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import type { SyncProgress } from '../../app/store/app-store.ts';
import { takeFocus } from '../../components/take-focus.ts';
import { useNow } from '../../components/use-now.ts';
import { en } from '../../texts/en.ts';
import { enPendingSync } from '../../texts/en-pending-sync.ts';
import { enAfterSync } from '../../texts/en-sync-followup.ts';
import { momentText, timeText } from '../../texts/numbers.ts';
import { RefusalGroups } from '../sync-errors/RefusalGroups.tsx';
import { PendingList } from './PendingList.tsx';
import { PendingSync } from './PendingSync.tsx';
import { PlanChanges } from './SyncPlan.tsx';

interface Run {
  readonly asked: boolean;
  /** The run before it: the report of any other tells of this one, and of what went on with it. */
  readonly before: string | null;
}

const NOT_ASKED: Run = { asked: false, before: null };

export interface SyncRun {
  /** Whether the user has started the run here; no plan is needed from then on. */
  readonly asked: boolean;
  /** Whether a run is under way, this one or another. */
  readonly isShown: boolean;
  /** Null until the run started here has ended. */
  readonly report: SyncReport | null;
  /** @param start resolves with the id of the run, or null when none could begin */
  readonly begin: (start: () => Promise<string | null>) => Promise<void>;
}

/** A run that a dialog starts. The report of an earlier run stays readable until this one has a report of its own. */
export function useSyncRun(workspaceId: string): SyncRun {
  const api = useApi();
  const [run, setRun] = useState<Run>(NOT_ASKED);
  const last = useQuery(api.sync.report.queryOptions({ input: { workspaceId } })).data ?? null;
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

/** Progress, then what came of it. */
export function SyncRunPage({ workspaceId, report }: { readonly workspaceId: string } & Pick<SyncRun, 'report'>) {
  const { store, actions } = useAppContext();
  const { dismiss, announce } = store.getState();
  const progress = useView((s) => s.syncs[workspaceId]);
  const needsYou = useNeedsYou();
  const ended = report === null ? null : en.sync.result(report.live, report.inReview, needsYou(report));

  useEffect(() => {
    if (ended !== null) announce(ended);
  }, [ended, announce]);

  return (
    <div className="sync-dialog">
      {report === null &&
        (progress === undefined || progress.phase === 'done' ? (
          <p>{en.sync.running}</p>
        ) : (
          <Progress progress={progress} />
        ))}
      {report !== null && <Report report={report} />}
      {report !== null && <PendingSync workspaceId={workspaceId} />}
      {report !== null && <PendingList workspaceId={workspaceId} />}
      <Group justify="flex-end" mt="md" gap="xs">
        {report === null && <Button onClick={() => void actions.pauseSync()}>{enPendingSync.pause}</Button>}
        {report === null && <Button onClick={() => void actions.stopSync()}>{en.sync.stop}</Button>}
        <Button ref={takeFocus} variant={report === null ? 'default' : 'filled'} onClick={dismiss}>
          {en.close}
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
  if (cause === 'plan-changed') return en.sync.stoppedBy[cause];
  if (status === undefined || cause === 'security') {
    return (
      <>
        {en.sync.stoppedBy[cause]} <span className="quiet">{detail}</span>
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
    <section className="report" aria-label={en.sync.title}>
      <h2 className="report-line">{en.sync.result(report.live, report.inReview, needsYou(report))}</h2>
      <p className="quiet">
        {[
          en.sync.states[report.state],
          en.sync.resultDone(report.done),
          en.sync.requests(report.requests),
          report.untouched > 0 ? en.sync.untouched(report.untouched) : '',
          report.inDoubt > 0 ? en.sync.inDoubt(report.inDoubt) : '',
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
      {report.stoppedBy !== null && (
        <p className="note-error" role="note">
          {stoppedText(report.stoppedBy)}
        </p>
      )}
      {report.stoppedBy?.changed !== undefined && <PlanChanges changed={report.stoppedBy.changed} />}
      {report.done > 0 && (
        <button type="button" className="chip" onClick={() => store.getState().show({ name: 'take-back' })}>
          {enAfterSync.takeBack.open}
        </button>
      )}
      {report.failedUploads.length > 0 && (
        <>
          <h2 className="group-title note-error">{en.sync.notUploaded}</h2>
          <ul>
            {report.failedUploads.map(({ id, file, reason }) => (
              <li key={id}>{en.sync.notUploadedFile(file, reason)}</li>
            ))}
          </ul>
        </>
      )}
      {report.unreadable.length > 0 && (
        <>
          <h2 className="group-title note-error">{en.sync.unreadable}</h2>
          <ul>
            {report.unreadable.map(({ kind, label, field, value }) => (
              <li key={`${kind} ${label} ${field} ${value}`}>{en.sync.unreadableValue(label, field, value)}</li>
            ))}
          </ul>
        </>
      )}
      {report.refused.length > 0 && (
        <>
          <h2 className="group-title note-error">{en.sync.refused}</h2>
          <RefusalGroups refused={report.refused} />
        </>
      )}
    </section>
  );
}
