import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { RemoteIdEntry } from '../../../shared/api/campaigns.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { commandOf } from '../../app/commands.ts';
import { errorText } from '../../app/error-text.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Empty } from '../../components/Empty.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { AddCampaigns, campaignIdsTexts } from './AddCampaigns.tsx';
import styles from './settings.module.css';

const sourceTexts: Readonly<Record<RemoteIdEntry['source'], string>> = {
  made: 'Created with Adslate',
  typed: 'Entered manually',
  pasted: 'Pasted',
  sheet: 'Spreadsheet',
  report: 'Report',
  list: 'Listed by the service',
};

const texts = {
  knownLead:
    'Every campaign ID and ad group ID of this account, with its source and the last confirmation by the service.',
  search: 'Search IDs',
  list: 'Campaign IDs',
  source: 'Source',
  sources: sourceTexts,
  confirmed: 'Last confirmed',
  never: 'Never',
  gone: 'No longer in this account',
  count: (n: number) => plural(n, 'ID'),
  first: (shown: number) => `Showing the first ${countText(shown)}. Search to see others.`,
  none: 'No IDs yet',
  noneText: 'IDs appear here when you sync, refresh or add campaigns by ID.',
  noMatch: 'No matching IDs',
  noMatchText: 'Search by ID, name or campaign.',
} as const;

/** IDs shown at once; a search finds the others. */
const KNOWN_SHOWN = 200;

/** IDs of campaigns and ad groups: the source of each, and when the service last returned it. */
export function CampaignIdsSection({ workspaceId }: { readonly workspaceId: string }) {
  const { openSettings } = useAppContext().store.getState();
  const add = useView((s) => s.settings.add);
  const [words, setWords] = useState('');
  const found = useQuery(
    useApi().campaignIds.list.queryOptions({
      input: { workspaceId, from: 0, count: KNOWN_SHOWN, words: useDeferredValue(words).trim() },
    }),
  );
  const { total = 0, ids = [] } = found.data ?? {};
  if (add !== null) return <AddCampaigns key={add.text} {...add} workspaceId={workspaceId} />;
  const isEmpty = found.data !== undefined && total === 0;
  return (
    <>
      <p className={ui['quiet']}>{texts.knownLead}</p>
      <TextInput
        type="search"
        size="xs"
        mt="xs"
        aria-label={texts.search}
        placeholder={texts.search}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <p role="status" className={styles['known-count']}>
        {found.error !== null
          ? errorText(found.error)
          : found.data === undefined
            ? campaignIdsTexts.looking
            : texts.count(total)}
      </p>
      {isEmpty && words === '' && <Empty title={texts.none} text={texts.noneText} />}
      {isEmpty && words !== '' && <Empty title={texts.noMatch} text={texts.noMatchText} />}
      {ids.length > 0 && <KnownTable ids={ids} />}
      {ids.length < total && <p className={ui['quiet']}>{texts.first(ids.length)}</p>}
      <Button onClick={() => openSettings('campaign-ids', { add: { text: '', source: 'pasted' } })}>
        {commandOf('campaign.add-by-id').title}
      </Button>
    </>
  );
}

function KnownTable({ ids }: { readonly ids: readonly RemoteIdEntry[] }) {
  const now = useNow();
  return (
    <ScrollBox className={styles['known-scroll']} label={texts.list}>
      <table className={styles['known-table']}>
        <TableHead
          titles={[campaignIdsTexts.kind, campaignIdsTexts.id, campaignIdsTexts.name, texts.source, texts.confirmed]}
        />
        <tbody>
          {ids.map(({ kind, id, name, rowId, source, confirmedAt }) => (
            <tr key={`${kind} ${id}`}>
              <td>{campaignIdsTexts.kinds[kind]}</td>
              <td>
                <code>{id}</code>
              </td>
              <td>{rowId === null ? <span className={ui['quiet']}>{texts.gone}</span> : name}</td>
              <td>{texts.sources[source]}</td>
              <td>{confirmedAt === null ? texts.never : timeText(confirmedAt, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
