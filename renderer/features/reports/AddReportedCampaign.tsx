import { Menu } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';

const texts = {
  addReported: 'Add campaign…',
} as const;

/** A campaign that a report names and the account does not have can be added; one that is here needs no such item. */
export function AddReportedCampaign({ id }: { readonly id: string }) {
  const { store } = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const here = useQuery(
    useApi().campaignIds.lookUp.queryOptions({
      input: workspaceId === null || !/^[1-9]\d{0,18}$/.test(id) ? skipToken : { workspaceId, ids: [id] },
    }),
  );
  if (here.data === undefined || here.data.here.includes(id)) return null;
  return (
    <Menu.Item onClick={() => store.getState().openSettings('campaign-ids', { add: { text: id, source: 'report' } })}>
      {texts.addReported}
    </Menu.Item>
  );
}
