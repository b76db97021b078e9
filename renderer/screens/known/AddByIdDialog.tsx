import { Button, Group, Modal } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { ADD_CAMPAIGNS_MAX, type TakenIn } from '../../../shared/contract/known.ts';
import { campaignLines, campaignsOf } from '../../../shared/ids/campaign-lines.ts';
import { parseTsv } from '../../../shared/sheet/tsv.ts';
import { knownActions } from '../../actions/known-actions.ts';
import { useActions, useAppContext } from '../../app/desk.ts';
import { campaignsHere } from '../../data/known.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enCampaignIds } from '../../messages/en-known.ts';
import type { Dialog } from '../../store/dialog.ts';
import { PastedLines } from './PastedLines.tsx';
import { AddedCampaigns } from './TakenInList.tsx';

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
  const asked = ids.length === 0 || isTooLong ? null : campaignsHere(workspaceId, ids);
  const here = useQuery(asked).data ?? null;

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
