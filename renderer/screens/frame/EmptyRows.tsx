import { Button, Group } from '@mantine/core';
import { commandOf } from '../../app/commands.ts';
import { useAppContext } from '../../app/desk.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import type { ViewRequest } from '../../data/window-source.ts';
import { type CommandId, en } from '../../messages/en.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { Empty } from '../../ui/Empty.tsx';

/** Where the rows would stand: why there are none, and the buttons that bring some. */
export function EmptyRows({ request }: { readonly request: ViewRequest }) {
  const { store } = useAppContext();
  const { practice } = useCommandContext();
  const { kind, campaignId, filter, only } = request;
  if (filter !== '' || only !== 'all') {
    return (
      <Empty title={en.grid.emptyNarrow} text="">
        <button
          type="button"
          className="chip"
          onClick={() => {
            store.getState().setFilter('');
            store.getState().setOnly('all');
          }}
        >
          {en.grid.clearFilter}
        </button>
      </Empty>
    );
  }
  const title = en.grid.empty(KIND_NAMES[kind].many.toLowerCase());
  if (kind === 'campaign') {
    return (
      <Empty title={title} text={en.grid.emptyHint.campaign}>
        <Group gap="xs" mt={4}>
          <Button variant="filled" onClick={() => store.getState().show({ name: 'new-campaign', shape: 'manual' })}>
            {en.create.first}
          </Button>
          <Doing id="sheet.import" />
          {!practice && <Doing id="campaign.add-by-id" />}
        </Group>
      </Empty>
    );
  }
  const ways: readonly CommandId[] = kind === 'media' ? ['media.add'] : kind === 'adGroup' ? [] : ['rows.add'];
  const isPlace = kind === 'media' || campaignId !== null;
  return (
    <Empty title={title} text={isPlace && kind !== 'media' ? '' : en.grid.emptyHint[kind]}>
      {isPlace && ways.map((id) => <Doing key={id} id={id} />)}
    </Empty>
  );
}

function Doing({ id }: { readonly id: CommandId }) {
  const context = useCommandContext();
  return <Button onClick={() => commandOf(id)?.run(context)}>{en.commands[id]}</Button>;
}
