import { Modal } from '@mantine/core';
import { useAppContext } from '../../app/app-context.ts';
import { ALL_ROWS, useRows } from '../../app/shared-queries.ts';
import type { CampaignShape } from '../../app/store/dialog.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import { CampaignForm } from './CampaignForm.tsx';
import { EMPTY_DRAFT } from './draft.ts';
import { draftOf, shapeOf } from './draft-of.ts';

interface NewCampaignDialogProps {
  readonly workspaceId: string;
  readonly shape: CampaignShape;
  /** A campaign whose rows fill the form; null begins with an empty one. */
  readonly like: number | null;
}

/** The form of a new campaign: empty, from a template, or filled from another campaign. */
export function NewCampaignDialog({ workspaceId, shape, like }: NewCampaignDialogProps) {
  const { dismiss } = useAppContext().store.getState();
  return (
    <Modal opened onClose={dismiss} title={appTexts.create.title} size={680}>
      {like === null ? (
        <CampaignForm workspaceId={workspaceId} first={{ shape, draft: EMPTY_DRAFT, like: null }} />
      ) : (
        <FormLike workspaceId={workspaceId} campaignId={like} />
      )}
    </Modal>
  );
}

/** Waits for all rows of the campaign, since a form that fills by and by would be typed into meanwhile. */
function FormLike({ workspaceId, campaignId }: { readonly workspaceId: string; readonly campaignId: number }) {
  const campaign = useRows(workspaceId, { kind: 'campaign', campaignId }, ALL_ROWS).data?.rows[0];
  const items = useRows(workspaceId, { kind: 'adItem', campaignId }, ALL_ROWS).data?.rows;
  const keywords = useRows(workspaceId, { kind: 'keyword', campaignId }, ALL_ROWS).data?.rows;
  const profiles = useRows(workspaceId, { kind: 'sbaProfile', campaignId }, ALL_ROWS).data?.rows;
  if (campaign === undefined || items === undefined || keywords === undefined || profiles === undefined) {
    return <p className={ui['quiet']}>{appTexts.grid.loading}</p>;
  }
  const draft = draftOf({ campaign, items, keywords, profiles });
  return <CampaignForm workspaceId={workspaceId} first={{ shape: shapeOf(campaign), draft, like: draft.name }} />;
}
