import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../../shared/api/accounts.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { Empty } from '../../components/Empty.tsx';
import { en } from '../../texts/en.ts';
import { enPendingSync } from '../../texts/en-pending-sync.ts';
import { Conflicts } from '../sync/Conflicts.tsx';
import { PendingList } from '../sync/PendingList.tsx';
import { PendingSync } from '../sync/PendingSync.tsx';
import { Reviews } from '../sync/Reviews.tsx';
import { Progress, Report } from '../sync/SyncRun.tsx';
import { UnresolvedRequests } from '../sync/UnresolvedRequests.tsx';
import { UploadHosts } from '../sync/UploadHosts.tsx';

/** The line to the service: what runs, what came of the last sync, and what waits for the user. */
export function SyncTab({ account }: { readonly account: Account }) {
  const api = useApi();
  const { workspaceId } = account;
  const { actions, store } = useAppContext();
  const last = useQuery(api.sync.report.queryOptions({ input: { workspaceId } })).data;
  const questions = useQuery(api.sync.questions.queryOptions({ input: { workspaceId } })).data ?? [];
  const disagreements = useQuery(api.sync.conflicts.queryOptions({ input: { workspaceId } })).data ?? [];
  const open = useQuery(api.review.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const progress = useView((s) => s.syncs[workspaceId]);
  const running = last?.state === 'running';
  return (
    <div className="drawer-body">
      <div className="drawer-bar">
        <button type="button" className="chip" onClick={() => store.getState().show({ name: 'sync' })}>
          {en.commands['sync.plan']}
        </button>
        <button type="button" className="chip" onClick={() => void actions.refreshAll()}>
          {en.sync.refresh}
        </button>
        <button type="button" className="chip" onClick={() => void actions.pollReviews()}>
          {en.sync.poll}
        </button>
      </div>
      {running && progress !== undefined && (
        <div className="sync-running">
          <Progress progress={progress} />
          <Button onClick={() => void actions.pauseSync()}>{enPendingSync.pause}</Button>
          <Button onClick={() => void actions.stopSync()}>{en.sync.stop}</Button>
        </div>
      )}
      {!running && <PendingSync workspaceId={workspaceId} />}
      {questions.length > 0 && <UnresolvedRequests questions={questions} />}
      {disagreements.length > 0 && <Conflicts workspaceId={workspaceId} conflicts={disagreements} />}
      <UploadHosts workspaceId={workspaceId} />
      {last != null && !running && <Report report={last} />}
      {!running && <PendingList workspaceId={workspaceId} />}
      {last == null && !running && <Empty title={en.sync.none} text={en.sync.noneText} />}
      {open.length > 0 && <Reviews reviews={open} />}
    </div>
  );
}
