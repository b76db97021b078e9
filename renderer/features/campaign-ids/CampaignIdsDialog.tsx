import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { RemoteIdEntry } from '../../../shared/api/campaigns.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { Empty } from '../../components/Empty.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { useNow } from '../../components/use-now.ts';
import { en } from '../../texts/en.ts';
import { enCampaignIds } from '../../texts/en-campaign-ids.ts';
import { errorText } from '../../texts/errors.ts';
import { timeText } from '../../texts/numbers.ts';

/** Ids shown at once; others are found by searching. */
const KNOWN_SHOWN = 200;

/** Ids of campaigns and ad groups: where each came from, and when the service last answered for it. */
export function CampaignIdsDialog({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { store } = useAppContext();
  const { dismiss, show } = store.getState();
  const [words, setWords] = useState('');
  const found = useQuery(
    api.known.list.queryOptions({
      input: { workspaceId, from: 0, count: KNOWN_SHOWN, words: useDeferredValue(words).trim() },
    }),
  );
  const { total = 0, ids = [] } = found.data ?? {};
  const isEmpty = found.data !== undefined && total === 0;
  return (
    <Modal opened onClose={dismiss} title={enCampaignIds.knownTitle} size={860}>
      <p className="quiet">{enCampaignIds.knownLead}</p>
      <TextInput
        type="search"
        size="xs"
        mt="xs"
        data-autofocus
        aria-label={enCampaignIds.search}
        placeholder={enCampaignIds.search}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <p role="status" className="known-count">
        {found.error !== null
          ? errorText(found.error)
          : found.data === undefined
            ? enCampaignIds.looking
            : enCampaignIds.count(total)}
      </p>
      {isEmpty && words === '' && <Empty title={enCampaignIds.none} text={enCampaignIds.noneText} />}
      {isEmpty && words !== '' && <Empty title={enCampaignIds.noMatch} text={enCampaignIds.noMatchText} />}
      {ids.length > 0 && <KnownTable ids={ids} />}
      {ids.length < total && <p className="quiet">{enCampaignIds.first(ids.length)}</p>}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={() => show({ name: 'add-by-id', text: '', source: 'pasted' })}>
          {en.commands['campaign.add-by-id']}
        </Button>
        <Button onClick={dismiss}>{en.close}</Button>
      </Group>
    </Modal>
  );
}

function KnownTable({ ids }: { readonly ids: readonly RemoteIdEntry[] }) {
  const now = useNow();
  return (
    <ScrollBox className="known-scroll" label={enCampaignIds.list}>
      <table className="known-table">
        <thead>
          <tr>
            <th scope="col">{enCampaignIds.kind}</th>
            <th scope="col">{enCampaignIds.id}</th>
            <th scope="col">{enCampaignIds.name}</th>
            <th scope="col">{enCampaignIds.source}</th>
            <th scope="col">{enCampaignIds.confirmed}</th>
          </tr>
        </thead>
        <tbody>
          {ids.map(({ kind, id, name, rowId, source, confirmedAt }) => (
            <tr key={`${kind} ${id}`}>
              <td>{enCampaignIds.kinds[kind]}</td>
              <td>
                <code>{id}</code>
              </td>
              <td>{rowId === null ? <span className="quiet">{enCampaignIds.gone}</span> : name}</td>
              <td>{enCampaignIds.sources[source]}</td>
              <td>{confirmedAt === null ? enCampaignIds.never : timeText(confirmedAt, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
