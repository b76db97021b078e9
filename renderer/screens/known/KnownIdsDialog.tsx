import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import type { KnownId } from '../../../shared/contract/known.ts';
import { useDesk } from '../../app/desk.ts';
import { knownIds } from '../../data/known.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enKnown } from '../../messages/en-known.ts';
import { errorText } from '../../messages/errors.ts';
import { timeText } from '../../messages/numbers.ts';
import { Empty } from '../../ui/Empty.tsx';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import { useNow } from '../../ui/use-now.ts';

/** Ids of campaigns and ad groups: where each came from, and when the service last answered for it. */
export function KnownIdsDialog({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useDesk();
  const { dismiss, show } = store.getState();
  const [words, setWords] = useState('');
  const found = useQuery(knownIds(workspaceId, useDeferredValue(words).trim()));
  const { total = 0, ids = [] } = found.data ?? {};
  const isEmpty = found.data !== undefined && total === 0;
  return (
    <Modal opened onClose={dismiss} title={enKnown.knownTitle} size={860}>
      <p className="quiet">{enKnown.knownLead}</p>
      <TextInput
        type="search"
        size="xs"
        mt="xs"
        data-autofocus
        aria-label={enKnown.search}
        placeholder={enKnown.search}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <p role="status" className="known-count">
        {found.error !== null
          ? errorText(found.error)
          : found.data === undefined
            ? enKnown.looking
            : enKnown.count(total)}
      </p>
      {isEmpty && words === '' && <Empty title={enKnown.none} text={enKnown.noneText} />}
      {isEmpty && words !== '' && <Empty title={enKnown.noMatch} text={enKnown.noMatchText} />}
      {ids.length > 0 && <KnownTable ids={ids} />}
      {ids.length < total && <p className="quiet">{enKnown.first(ids.length)}</p>}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={() => show({ name: 'add-by-id', text: '', source: 'pasted' })}>
          {en.commands['campaign.add-by-id']}
        </Button>
        <Button onClick={dismiss}>{en.close}</Button>
      </Group>
    </Modal>
  );
}

function KnownTable({ ids }: { readonly ids: readonly KnownId[] }) {
  const now = useNow();
  return (
    <ScrollBox className="known-scroll" label={enKnown.list}>
      <table className="known-table">
        <thead>
          <tr>
            <th scope="col">{enKnown.kind}</th>
            <th scope="col">{enKnown.id}</th>
            <th scope="col">{enKnown.name}</th>
            <th scope="col">{enKnown.source}</th>
            <th scope="col">{enKnown.confirmed}</th>
          </tr>
        </thead>
        <tbody>
          {ids.map(({ kind, id, name, rowId, source, confirmedAt }) => (
            <tr key={`${kind} ${id}`}>
              <td>{enKnown.kinds[kind]}</td>
              <td>
                <code>{id}</code>
              </td>
              <td>{rowId === null ? <span className="quiet">{enKnown.gone}</span> : name}</td>
              <td>{enKnown.sources[source]}</td>
              <td>{confirmedAt === null ? enKnown.never : timeText(confirmedAt, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
