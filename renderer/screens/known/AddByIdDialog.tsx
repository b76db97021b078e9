import { Button, Group, Modal } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { TAKE_IN_MAX, type TakenIn } from '../../../shared/contract/known.ts';
import { campaignLines, campaignsOf } from '../../../shared/ids/campaign-lines.ts';
import { parseTsv } from '../../../shared/sheet/tsv.ts';
import { knownActions } from '../../actions/known-actions.ts';
import { useActions, useDesk } from '../../app/desk.ts';
import { campaignsHere } from '../../data/known.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enKnown } from '../../messages/en-known.ts';
import type { Dialog } from '../../store/dialog.ts';
import { PastedLines } from './PastedLines.tsx';
import { TakenInList } from './TakenInList.tsx';

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
  const { store } = useDesk();
  const actions = useActions(knownActions);
  const { dismiss, show } = store.getState();
  const leave = sheet === undefined ? dismiss : () => show(sheet);
  const [text, setText] = useState(first);
  const [taken, setTaken] = useState<TakenIn | null>(null);
  const [busy, setBusy] = useState(false);
  const lines = campaignLines(parseTsv(useDeferredValue(text)));
  const wanted = campaignsOf(lines);
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const isTooLong = ids.length > TAKE_IN_MAX;
  const asked = ids.length === 0 || isTooLong ? null : campaignsHere(workspaceId, ids);
  const here = useQuery(asked).data ?? null;

  const add = async (): Promise<void> => {
    setBusy(true);
    const done = await actions.takeIn(wanted, source);
    setBusy(false);
    if (done !== null) setTaken(done);
  };
  return (
    <Modal opened onClose={leave} title={enKnown.addTitle} size={760}>
      {taken === null ? (
        <>
          <p className="quiet">{enKnown.lead}</p>
          <textarea
            className="known-room"
            data-autofocus
            rows={6}
            spellCheck={false}
            aria-label={enKnown.lines}
            placeholder={enKnown.example}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {isTooLong && <p className="note-warning">{enKnown.tooLong(TAKE_IN_MAX)}</p>}
          {lines.length > 0 && <PastedLines lines={lines} here={here} />}
          <p className="quiet">{enKnown.unread}</p>
        </>
      ) : (
        <TakenInList taken={taken} />
      )}
      <p role="status" className="known-busy quiet">
        {busy ? enKnown.adding : ''}
      </p>
      <Group justify="flex-end" gap="xs">
        <Button onClick={leave}>{sheet === undefined ? en.close : enKnown.backToSheet}</Button>
        {taken === null ? (
          <Button variant="filled" disabled={busy || isTooLong || ids.length === 0} onClick={() => void add()}>
            {enKnown.add(ids.length)}
          </Button>
        ) : (
          <Button
            onClick={() => {
              setTaken(null);
              setText('');
            }}
          >
            {enKnown.again}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
