import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { en } from '../../texts/en.ts';
import { enAfterReview } from '../../texts/en-after-review.ts';
import { errorText } from '../../texts/errors.ts';
import { SyncPlan } from './SyncPlan.tsx';
import { syncDialogActions } from './sync-actions.ts';

const texts = enAfterReview.dialog;

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
      <div className="sync-dialog">
        {isOpen && (
          <ol className="restart-steps">
            {texts.steps(kept.campaign, kept.rows, enAfterReview.days(kept.days.min, kept.days.max)).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        <p className="quiet">{isOpen ? texts.safe : texts.over}</p>
        {planned.error !== null && <p className="note-error">{errorText(planned.error)}</p>}
        {planned.data === undefined && planned.error === null && <p>{en.sync.planning}</p>}
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
