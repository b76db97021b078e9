import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../../shared/api/accounts.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { commandTexts } from '../../app/commands.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { Conflicts } from './Conflicts.tsx';
import { PendingList } from './PendingList.tsx';
import { PendingSync } from './PendingSync.tsx';
import { Reviews } from './Reviews.tsx';
import { Progress, Report } from './SyncRun.tsx';
import styles from './sync.module.css';
import { UnresolvedRequests } from './UnresolvedRequests.tsx';
import { UploadHosts } from './UploadHosts.tsx';

const texts = {
  refresh: 'Refresh all campaigns',
  poll: 'Check review status',
  none: 'No syncs yet',
  noneText: 'Press Ctrl+Enter to see what would be sent. Nothing is sent until you confirm.',
} as const;

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
    <div className={ui['drawer-body']}>
      <div className={ui['drawer-bar']}>
        <button type="button" className={ui['chip']} onClick={() => store.getState().show({ name: 'sync' })}>
          {commandTexts['sync.plan']}
        </button>
        <button type="button" className={ui['chip']} onClick={() => void actions.refreshAll()}>
          {texts.refresh}
        </button>
        <button type="button" className={ui['chip']} onClick={() => void actions.pollReviews()}>
          {texts.poll}
        </button>
      </div>
      {running && progress !== undefined && (
        <div className={styles['sync-running']}>
          <Progress progress={progress} />
          <Button onClick={() => void actions.pauseSync()}>{dialogTexts.pendingSync.pause}</Button>
          <Button onClick={() => void actions.stopSync()}>{dialogTexts.sync.stop}</Button>
        </div>
      )}
      {!running && <PendingSync workspaceId={workspaceId} />}
      {questions.length > 0 && <UnresolvedRequests questions={questions} />}
      {disagreements.length > 0 && <Conflicts workspaceId={workspaceId} conflicts={disagreements} />}
      <UploadHosts workspaceId={workspaceId} />
      {last != null && !running && <Report report={last} />}
      {!running && <PendingList workspaceId={workspaceId} />}
      {last == null && !running && <Empty title={texts.none} text={texts.noneText} />}
      {open.length > 0 && <Reviews reviews={open} />}
    </div>
  );
}
