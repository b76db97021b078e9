import { Modal } from '@mantine/core';
import { useAppContext } from '../../app/app-context.ts';
import type { CampaignShape } from '../../app/store/dialog.ts';
import { allRows } from '../../data/row-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../texts/en.ts';
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
    <Modal opened onClose={dismiss} title={en.create.title} size={680}>
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
  const campaign = useQuery(allRows(workspaceId, 'campaign', campaignId)).data?.[0];
  const items = useQuery(allRows(workspaceId, 'adItem', campaignId)).data;
  const keywords = useQuery(allRows(workspaceId, 'keyword', campaignId)).data;
  const profiles = useQuery(allRows(workspaceId, 'sbaProfile', campaignId)).data;
  if (campaign === undefined || items === undefined || keywords === undefined || profiles === undefined) {
    return <p className="quiet">{en.grid.loading}</p>;
  }
  const draft = draftOf({ campaign, items, keywords, profiles });
  return <CampaignForm workspaceId={workspaceId} first={{ shape: shapeOf(campaign), draft, like: draft.name }} />;
}
