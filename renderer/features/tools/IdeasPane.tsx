import { skipToken, useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { KeywordIdeas } from '../../../shared/api/items.ts';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { useApi, useAppContext, useViewOf } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { wordName } from '../../app/field-names.ts';
import { plural } from '../../app/locale/numbers.ts';
import { useRows } from '../../app/shared-queries.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import type { OpenView } from '../../grid/window.ts';
import { ToolFrame } from './ToolFrame.tsx';
import styles from './tools.module.css';

const texts = {
  none: 'No campaign selected',
  noneText: 'Select a row of a campaign. Keyword ideas for this campaign are shown here.',
  title: (campaign: string) => `Keyword ideas for ${campaign}`,
  noKeywords: 'This campaign takes no keywords. Automatic targeting finds them.',
  nothing: 'No new ideas. Add items to the campaign, or get a report with search terms.',
  from: (items: number) => `From the names of ${plural(items, 'item')} and from search terms of reports.`,
  matchType: 'Match type',
  list: 'Keyword ideas',
  source: {
    items: (n: number) => `in ${plural(n, 'item name')}`,
    report: (n: number) => plural(n, 'order'),
  },
  add: 'Add',
  addOne: (text: string) => `Add ${text}`,
  addAll: (n: number) => (n === 0 ? 'Add keywords' : `Add ${plural(n, 'keyword')}`),
  label: (text: string) => `Add keyword ${text}`,
  labelAll: (n: number) => `Add ${plural(n, 'keyword')}`,
} as const;

const MATCH_TYPES = ['exact', 'phrase', 'broad'] as const;

/** The tab Ideas: keywords that the campaign of the active row does not have. Each is added as one undo step. */
export function IdeasPane({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView | null }) {
  return view === null ? (
    <Empty title={texts.none} text={texts.noneText} />
  ) : (
    <IdeasOfRow workspaceId={workspaceId} view={view} />
  );
}

function IdeasOfRow({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const { source } = view;
  useSyncExternalStore(source.subscribe, source.version);
  const { open, row } = useViewOf((s) => ({ open: s.campaignId, row: s.active.row }));
  const campaignId = open ?? source.rowAt(row)?.campaignId ?? null;
  const campaign = useRows(workspaceId, campaignId === null ? null : { kind: 'campaign', campaignId }).data?.rows[0];
  const found = useQuery(
    useApi().items.ideas.queryOptions({
      input: campaign === undefined ? skipToken : { workspaceId, campaignId: campaign.id },
    }),
  );
  if (campaignId === null) return <Empty title={texts.none} text={texts.noneText} />;
  if (found.error !== null) return <Empty title={texts.none} text={errorText(found.error)} />;
  if (campaign === undefined || found.data === undefined) return null;
  return <IdeaList key={campaign.id} campaign={campaign} found={found.data} />;
}

function IdeaList({ campaign, found }: { readonly campaign: WindowRow; readonly found: KeywordIdeas }) {
  const { actions } = useAppContext();
  const [matchType, setMatchType] = useState<(typeof MATCH_TYPES)[number]>('phrase');
  const [busy, during] = useBusy();
  const { adGroupId, bid, ideas, items } = found;
  const add = (label: string, words: readonly string[]): void => {
    if (adGroupId === null || words.length === 0 || busy) return;
    const parent = { id: adGroupId };
    const rows = words.map((text) => ({ kind: 'keyword' as const, parent, values: { text, matchType, bid } }));
    void during(actions.create(label, rows));
  };
  const all = adGroupId === null ? [] : ideas;
  return (
    <ToolFrame
      label={texts.addAll(all.length)}
      disabled={all.length === 0}
      busy={busy}
      onApply={() =>
        add(
          texts.labelAll(all.length),
          all.map(({ text }) => text),
        )
      }
    >
      <h3 className={styles['title']}>{texts.title(campaign.campaignName)}</h3>
      <p className={ui['quiet']}>
        {adGroupId === null ? texts.noKeywords : all.length === 0 ? texts.nothing : texts.from(items)}
      </p>
      {all.length > 0 && (
        <>
          <ChoiceField
            label={texts.matchType}
            options={MATCH_TYPES.map((each) => [each, wordName('matchType', each)])}
            value={matchType}
            onChoose={setMatchType}
          />
          <ul className={styles['ideas']} aria-label={texts.list}>
            {all.map(({ text, source, count }) => (
              <li key={text}>
                <span>
                  {text} <span className={ui['quiet']}>{texts.source[source](count)}</span>
                </span>
                <Chip aria-label={texts.addOne(text)} onClick={() => add(texts.label(text), [text])}>
                  {texts.add}
                </Chip>
              </li>
            ))}
          </ul>
        </>
      )}
    </ToolFrame>
  );
}
