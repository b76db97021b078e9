import { Menu } from '@mantine/core';
import { useDesk, useView } from '../../app/desk.ts';
import { campaignsHere } from '../../data/known.ts';
import { useQuery } from '../../data/use-query.ts';
import { enKnown } from '../../messages/en-known.ts';

/** A campaign that a report names and the account does not have can be added; one that is here needs no such item. */
export function AddReported({ id }: { readonly id: string }) {
  const { store } = useDesk();
  const workspaceId = useView((s) => s.workspaceId);
  const here = useQuery(workspaceId === null || !/^[1-9]\d{0,18}$/.test(id) ? null : campaignsHere(workspaceId, [id]));
  if (here.data === undefined || here.data.has(id)) return null;
  return (
    <Menu.Item onClick={() => store.getState().show({ name: 'add-by-id', text: id, source: 'report' })}>
      {enKnown.addReported}
    </Menu.Item>
  );
}
