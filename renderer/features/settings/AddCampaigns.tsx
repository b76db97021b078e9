import { Button, Group } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { AddCampaignOutcome, CampaignToAdd, TakenIn } from '../../../shared/api/campaigns.ts';
import { ADD_CAMPAIGNS_MAX } from '../../../shared/api/limits.ts';
import { type CampaignLine, campaignLines, campaignsOf } from '../../../shared/item-ids/campaign-lines.ts';
import { parseTsv } from '../../../shared/spreadsheet/tsv.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { takeFocus } from '../../app/pane-focus.ts';
import type { CampaignsToAdd } from '../../app/store/settings-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './settings.module.css';

const OUTCOMES: Readonly<Record<AddCampaignOutcome['outcome'], string>> = {
  added: 'Added',
  known: 'Already in this account',
  'not-found': 'Not added: not found on the service, or this account has no access.',
  'other-campaign': 'Not added: belongs to another campaign.',
  'second-group': 'Not added: the campaign already has an ad group and can have only one.',
  unsettled: 'Not added: it may be the result of an unconfirmed request. Sync first.',
  refused: 'Failed:',
  'not-asked': 'Not checked. Try again.',
};

const PROBLEMS: Readonly<Record<NonNullable<CampaignLine['problem']>, string>> = {
  'not-an-id': 'Skipped: not an ID',
  'not-a-type': 'Skipped: unknown type',
  'not-a-group': 'Skipped: not an ad group ID',
  repeated: 'Skipped: repeated line',
};

export const campaignIdsTexts = {
  id: 'ID',
  name: 'Name',
  kind: 'Kind',
  kinds: { campaign: 'Campaign', adGroup: 'Ad group' },
  looking: 'Loading…',
} as const;

const texts = {
  addTitle: 'Add campaigns by ID',
  lead: 'For campaigns created outside Adslate. Paste campaign IDs with line ends, spaces or commas between them. Or paste a table with ID, name, type and ad group ID.',
  lines: 'Campaign IDs, one per line',
  example: '123456789\n123456790\tSpring towels\tsba\t223456790',
  preview: 'Lines',
  line: 'Line',
  adGroup: 'Ad group',
  becomes: 'Result',
  isNew: 'New: will be looked up',
  isHere: 'Already in this account: empty fields are filled in',
  problems: PROBLEMS,
  tooLong: (max: number) => `You can add up to ${countText(max)} campaigns at once. Paste the rest afterwards.`,
  add: (n: number) => (n === 0 ? 'Look up campaigns' : `Look up ${plural(n, 'campaign')}`),
  adding: 'Looking up campaigns…',
  outcomes: OUTCOMES,
  added: (n: number, failed: number) => {
    const others = failed === 0 ? '' : ` ${countText(failed)} not added, listed first.`;
    return n === 0 ? 'No campaign was added.' : `${plural(n, 'campaign')} added.${others}`;
  },
  show: 'Show campaigns',
  withoutGroup: (ids: readonly string[]) =>
    `No ad group found for ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? '…' : ''}. ${ids.length === 1 ? 'Paste the campaign again with its ad group ID to load its contents.' : 'Paste the campaigns again with their ad group IDs to load their contents.'}`,
  stopped: (why: string) => `Lookup stopped: ${why}`,
  unread: 'Budgets and dates that the service does not report stay empty and are not sent.',
  again: 'Paste more',
  back: 'Back to list',
  backToSheet: 'Back to import',
} as const;

interface AddCampaignsProps extends CampaignsToAdd {
  readonly workspaceId: string;
}

/** Adds campaigns created elsewhere: a pasted column or table of IDs, a preview of each line, and the results. */
export function AddCampaigns({ workspaceId, text: first, source, sheet }: AddCampaignsProps) {
  const actions = useActions(addActions);
  const { openSettings, show, goTo } = useAppContext().store.getState();
  const leave = (): void => {
    openSettings('campaign-ids');
    if (sheet !== undefined) show(sheet);
  };
  const [text, setText] = useState(first);
  const [taken, setTaken] = useState<TakenIn | null>(null);
  const [busy, during] = useBusy();
  const [hereBefore, setHereBefore] = useState<ReadonlySet<string> | null>(null);
  const lines = campaignLines(parseTsv(useDeferredValue(text)));
  const wanted = campaignsOf(lines);
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const isTooLong = ids.length > ADD_CAMPAIGNS_MAX;
  const input = ids.length === 0 || isTooLong ? skipToken : { workspaceId, ids };
  const found = useQuery(useApi().campaignIds.lookUp.queryOptions({ input })).data;
  const here = found === undefined ? null : new Set(found.here);

  const add = async (): Promise<void> => {
    setHereBefore(here);
    const done = await during(actions.takeIn(wanted, source));
    if (done !== null) setTaken(done);
  };
  return (
    <>
      <h2>{texts.addTitle}</h2>
      {taken === null ? (
        <>
          <p className={ui['quiet']}>{texts.lead}</p>
          <textarea
            className={styles['known-room']}
            ref={takeFocus}
            rows={6}
            spellCheck={false}
            aria-label={texts.lines}
            placeholder={texts.example}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {isTooLong && <p className={ui['note-warning']}>{texts.tooLong(ADD_CAMPAIGNS_MAX)}</p>}
          {lines.length > 0 && <PastedLines lines={lines} here={busy ? hereBefore : here} />}
          {lines.length > SHOWN && <p className={ui['quiet']}>{appTexts.sync.more(lines.length - SHOWN)}</p>}
          <p className={ui['quiet']}>{texts.unread}</p>
        </>
      ) : (
        <AddedCampaigns taken={taken} />
      )}
      <p role="status" className={`${styles['known-busy']} ${ui['quiet']}`}>
        {busy ? texts.adding : ''}
      </p>
      <Group justify="flex-end" gap="xs">
        <Button data-back onClick={leave}>
          {sheet === undefined ? texts.back : texts.backToSheet}
        </Button>
        {taken === null ? (
          <Button disabled={busy || isTooLong || ids.length === 0} onClick={() => void add()}>
            {texts.add(ids.length)}
          </Button>
        ) : (
          <>
            <Button
              onClick={() => {
                setTaken(null);
                setText('');
              }}
            >
              {texts.again}
            </Button>
            <Button variant="filled" onClick={() => goTo({ kind: 'campaign', campaignId: null })}>
              {texts.show}
            </Button>
          </>
        )}
      </Group>
    </>
  );
}

/** The most lines rendered. */
const SHOWN = 100;

interface PastedLinesProps {
  readonly lines: readonly CampaignLine[];
  /** IDs that are in the account already; null while that is being read. */
  readonly here: ReadonlySet<string> | null;
}

/** A preview of each pasted line, before any request to the service. */
function PastedLines({ lines, here }: PastedLinesProps) {
  return (
    <ScrollBox className={styles['known-scroll']} label={texts.preview}>
      <table className={styles['known-table']}>
        <TableHead titles={[texts.line, campaignIdsTexts.id, campaignIdsTexts.name, texts.adGroup, texts.becomes]} />
        <tbody>
          {lines.slice(0, SHOWN).map((line) => (
            <tr key={`${line.line} ${line.text}`}>
              <td>{line.line}</td>
              <td>
                <code>{line.id ?? line.text}</code>
              </td>
              <td>{line.name}</td>
              <td>{line.adGroup}</td>
              <td className={line.problem === null ? '' : styles['known-problem']}>{fateOf(line, here)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function fateOf({ id, problem }: CampaignLine, here: ReadonlySet<string> | null): string {
  if (problem !== null) return texts.problems[problem];
  if (here === null || id === null) return campaignIdsTexts.looking;
  return here.has(id) ? texts.isHere : texts.isNew;
}

function AddedCampaigns({ taken }: { readonly taken: TakenIn }) {
  const { outcomes, withoutGroup, stoppedBy } = taken;
  const added = outcomes.filter(({ kind, outcome }) => kind === 'campaign' && outcome === 'added').length;
  const isHere = ({ outcome }: AddCampaignOutcome): boolean => outcome === 'added' || outcome === 'known';
  const failed = outcomes.filter((one) => !isHere(one));
  return (
    <>
      <p role="status" className={styles['known-count']}>
        {texts.added(added, failed.length)}
      </p>
      {stoppedBy !== null && <p className={ui['note-warning']}>{texts.stopped(stoppedBy)}</p>}
      {withoutGroup.length > 0 && <p className={ui['note-warning']}>{texts.withoutGroup(withoutGroup)}</p>}
      <ScrollBox className={styles['known-scroll']} label={texts.becomes}>
        <table className={styles['known-table']}>
          <TableHead titles={[campaignIdsTexts.kind, campaignIdsTexts.id, texts.becomes]} />
          <tbody>
            {[...failed, ...outcomes.filter(isHere)].map(({ kind, id, outcome, detail }) => (
              <tr key={`${kind} ${id}`}>
                <td>{campaignIdsTexts.kinds[kind]}</td>
                <td>
                  <code>{id}</code>
                </td>
                <td className={outcome === 'added' || outcome === 'known' ? '' : styles['known-problem']}>
                  {texts.outcomes[outcome]} {detail}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

/** Actions for campaigns that are on the service and not here. */
const addActions = (context: ActionContext) => ({
  /** Adds campaigns by ID; null if it could not start, which a message explains. */
  takeIn: (campaigns: readonly CampaignToAdd[], source: 'pasted' | 'report' | 'sheet') =>
    runAction(context, (workspaceId) =>
      context.connection.client.campaignIds.add({ workspaceId, source, campaigns: [...campaigns] }),
    ),
});
