import { Button, Group, Modal } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { CampaignToAdd, TakenIn } from '../../../shared/api/campaigns.ts';
import { ADD_CAMPAIGNS_MAX } from '../../../shared/api/limits.ts';
import { type CampaignLine, campaignLines, campaignsOf } from '../../../shared/item-ids/campaign-lines.ts';
import { parseTsv } from '../../../shared/spreadsheet/tsv.ts';
import { type ActionContext, runAction } from '../../app/actions/action-context.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import type { Dialog } from '../../app/store/dialog.ts';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { en } from '../../texts/en.ts';
import { enCampaignIds } from '../../texts/en-campaign-ids.ts';

interface AddByIdProps {
  readonly workspaceId: string;
  /** What stands in the field to begin with. */
  readonly text: string;
  readonly source: 'pasted' | 'report' | 'sheet';
  /** The sheet that names them, which is previewed anew afterwards. */
  readonly sheet?: Dialog;
}

/** Campaigns that were made elsewhere: a pasted column or table of ids, what each line becomes, and what came of it. */
export function AddByIdDialog({ workspaceId, text: first, source, sheet }: AddByIdProps) {
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(knownActions);
  const { dismiss, show } = store.getState();
  const leave = sheet === undefined ? dismiss : () => show(sheet);
  const [text, setText] = useState(first);
  const [taken, setTaken] = useState<TakenIn | null>(null);
  const [busy, setBusy] = useState(false);
  const lines = campaignLines(parseTsv(useDeferredValue(text)));
  const wanted = campaignsOf(lines);
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const isTooLong = ids.length > ADD_CAMPAIGNS_MAX;
  const input = ids.length === 0 || isTooLong ? skipToken : { workspaceId, ids };
  const found = useQuery(api.known.look.queryOptions({ input })).data;
  const here = found === undefined ? null : new Set(found.here);

  const add = async (): Promise<void> => {
    setBusy(true);
    const done = await actions.takeIn(wanted, source);
    setBusy(false);
    if (done !== null) setTaken(done);
  };
  return (
    <Modal opened onClose={leave} title={enCampaignIds.addTitle} size={760}>
      {taken === null ? (
        <>
          <p className="quiet">{enCampaignIds.lead}</p>
          <textarea
            className="known-room"
            data-autofocus
            rows={6}
            spellCheck={false}
            aria-label={enCampaignIds.lines}
            placeholder={enCampaignIds.example}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {isTooLong && <p className="note-warning">{enCampaignIds.tooLong(ADD_CAMPAIGNS_MAX)}</p>}
          {lines.length > 0 && <PastedLines lines={lines} here={here} />}
          <p className="quiet">{enCampaignIds.unread}</p>
        </>
      ) : (
        <AddedCampaigns taken={taken} />
      )}
      <p role="status" className="known-busy quiet">
        {busy ? enCampaignIds.adding : ''}
      </p>
      <Group justify="flex-end" gap="xs">
        <Button onClick={leave}>{sheet === undefined ? en.close : enCampaignIds.backToSheet}</Button>
        {taken === null ? (
          <Button variant="filled" disabled={busy || isTooLong || ids.length === 0} onClick={() => void add()}>
            {enCampaignIds.add(ids.length)}
          </Button>
        ) : (
          <Button
            onClick={() => {
              setTaken(null);
              setText('');
            }}
          >
            {enCampaignIds.again}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

/** Lines drawn at once; what is beyond is counted on the button. */
const SHOWN = 100;

interface PastedLinesProps {
  readonly lines: readonly CampaignLine[];
  /** Ids that are in the account already; null while that is being asked. */
  readonly here: ReadonlySet<string> | null;
}

/** Each pasted line with what becomes of it, before anything is asked of the service. */
function PastedLines({ lines, here }: PastedLinesProps) {
  return (
    <ScrollBox className="known-scroll" label={enCampaignIds.preview}>
      <table className="known-table">
        <thead>
          <tr>
            <th scope="col">{enCampaignIds.line}</th>
            <th scope="col">{enCampaignIds.id}</th>
            <th scope="col">{enCampaignIds.name}</th>
            <th scope="col">{enCampaignIds.adGroup}</th>
            <th scope="col">{enCampaignIds.becomes}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, SHOWN).map((line) => (
            <tr key={line.line}>
              <td>{line.line}</td>
              <td>
                <code>{line.id ?? line.text}</code>
              </td>
              <td>{line.name}</td>
              <td>{line.adGroup}</td>
              <td className={line.problem === null ? '' : 'known-problem'}>{fateOf(line, here)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function fateOf({ id, problem }: CampaignLine, here: ReadonlySet<string> | null): string {
  if (problem !== null) return enCampaignIds.problems[problem];
  if (here === null || id === null) return enCampaignIds.looking;
  return here.has(id) ? enCampaignIds.isHere : enCampaignIds.isNew;
}

/** What came of taking campaigns in, id by id. */
function AddedCampaigns({ taken }: { readonly taken: TakenIn }) {
  const { outcomes, withoutGroup, stoppedBy } = taken;
  const added = outcomes.filter(({ kind, outcome }) => kind === 'campaign' && outcome === 'added').length;
  return (
    <>
      <p role="status" className="known-count">
        {enCampaignIds.added(added)}
      </p>
      {stoppedBy !== null && <p className="note-warning">{enCampaignIds.stopped(stoppedBy)}</p>}
      {withoutGroup.length > 0 && <p className="note-warning">{enCampaignIds.withoutGroup(withoutGroup)}</p>}
      <ScrollBox className="known-scroll" label={enCampaignIds.becomes}>
        <table className="known-table">
          <thead>
            <tr>
              <th scope="col">{enCampaignIds.kind}</th>
              <th scope="col">{enCampaignIds.id}</th>
              <th scope="col">{enCampaignIds.becomes}</th>
            </tr>
          </thead>
          <tbody>
            {outcomes.map(({ kind, id, outcome, detail }) => (
              <tr key={`${kind} ${id}`}>
                <td>{enCampaignIds.kinds[kind]}</td>
                <td>
                  <code>{id}</code>
                </td>
                <td className={outcome === 'added' || outcome === 'known' ? '' : 'known-problem'}>
                  {enCampaignIds.outcomes[outcome]} {detail}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

/** Campaigns that are on the service and not here. */
interface CampaignIdActions {
  /** Takes campaigns in by their ids; null when it could not begin, which is said. */
  takeIn(campaigns: readonly CampaignToAdd[], source: 'pasted' | 'report' | 'sheet'): Promise<TakenIn | null>;
}

const knownActions = (doing: ActionContext): CampaignIdActions => ({
  takeIn: (campaigns, source) =>
    runAction(doing, (workspaceId) =>
      doing.connection.client.known.add({ workspaceId, source, campaigns: [...campaigns] }),
    ),
});
