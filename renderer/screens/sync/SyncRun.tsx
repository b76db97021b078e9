import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { SyncReport } from '../../../shared/contract/sync.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { report as reportQuestion } from '../../data/sync-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enPendingSync } from '../../messages/en-pending-sync.ts';
import { takeFocus } from '../../ui/take-focus.ts';
import { PendingSync } from './PendingSync.tsx';
import { Progress } from './Progress.tsx';
import { Report, useNeedsYou } from './Report.tsx';
import { PendingList } from './WaitingList.tsx';

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
  const [run, setRun] = useState<Run>(NOT_ASKED);
  const last = useQuery(reportQuestion(workspaceId)).data ?? null;
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
