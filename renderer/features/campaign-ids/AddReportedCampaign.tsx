import { Menu } from '@mantine/core';
import { useAppContext, useView } from '../../app/app-context.ts';
import { campaignsHere } from '../../data/known.ts';
import { useQuery } from '../../data/use-query.ts';
import { enCampaignIds } from '../../texts/en-campaign-ids.ts';

/** A campaign that a report names and the account does not have can be added; one that is here needs no such item. */
export function AddReportedCampaign({ id }: { readonly id: string }) {
  const { store } = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const here = useQuery(workspaceId === null || !/^[1-9]\d{0,18}$/.test(id) ? null : campaignsHere(workspaceId, [id]));
  if (here.data === undefined || here.data.has(id)) return null;
  return (
    <Menu.Item onClick={() => store.getState().show({ name: 'add-by-id', text: id, source: 'report' })}>
      {enCampaignIds.addReported}
    </Menu.Item>
  );
}
