import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { plural } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { SyncPlan } from './SyncPlan.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';
import { syncTexts } from './text.ts';

const texts = {
  title: 'Cancel review and resubmit',
  steps: (campaign: string, rows: number, days: string) => [
    `Adslate cancels the review of ${campaign}. Its progress is lost.`,
    `Adslate syncs the ${plural(rows, 'changed row')} waiting for the review, and all other changes in the campaign.`,
    `Adslate submits the campaign for a new review, which takes ${days}.`,
  ],
  safe: "If the review can't be canceled anymore, your changes are kept and not sent.",
  over: 'The review has already finished. There is nothing to cancel.',
  keep: 'Keep review',
  button: 'Cancel review and resubmit',
} as const;

interface RestartReviewDialogProps {
  readonly workspaceId: string;
  readonly campaignId: RowRef['id'];
}

/** Cancelling a review, sending what waits for its end and asking anew, as one plan that is read before it is begun. */
export function RestartReviewDialog({ workspaceId, campaignId }: RestartReviewDialogProps) {
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(syncDialogActions);
  const { dismiss } = store.getState();
  const kept = useQuery(api.afterReview.list.queryOptions({ input: { workspaceId } })).data?.find(
    (each) => each.campaignId === campaignId,
  );
  const planned = useQuery(
    api.sync.plan.queryOptions({ input: { workspaceId, campaignIds: [campaignId], cancelReviews: true } }),
  );
  const isOpen = kept?.state === 'locked';
  const start = async (): Promise<void> => {
    if (!(await actions.restartReview(campaignId))) return;
    dismiss();
    store.getState().showTab('sync');
  };
  return (
    <Modal opened onClose={dismiss} title={texts.title} size={760}>
      <div>
        {isOpen && (
          <ol className={styles['restart-steps']}>
            {texts.steps(kept.campaign, kept.rows, syncTexts.days(kept.days.min, kept.days.max)).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        <p className={ui['quiet']}>{isOpen ? texts.safe : texts.over}</p>
        {planned.error !== null && <p className={ui['note-error']}>{errorText(planned.error)}</p>}
        {planned.data === undefined && planned.error === null && <p>{syncTexts.planning}</p>}
        {planned.data !== undefined && <SyncPlan workspaceId={workspaceId} plan={planned.data} />}
        <Group justify="flex-end" mt="md" gap="xs">
          <Button data-autofocus onClick={dismiss}>
            {texts.keep}
          </Button>
          <Button variant="filled" disabled={!isOpen || planned.data === undefined} onClick={() => void start()}>
            {texts.button}
          </Button>
        </Group>
      </div>
    </Modal>
  );
}
