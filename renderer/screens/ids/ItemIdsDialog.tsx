import { Button, Group, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { AcceptedIds, IdScan } from '../../../shared/contract/ids.ts';
import { afterSyncActions } from '../../actions/after-sync-actions.ts';
import { useActions, useAppContext } from '../../app/desk.ts';
import { saveFrom } from '../../app/save-text.ts';
import { en } from '../../messages/en.ts';
import { enAfterSync } from '../../messages/en-after-sync.ts';
import { Empty } from '../../ui/Empty.tsx';
import { DamagedIds } from './DamagedIds.tsx';

const text = enAfterSync.ids;

/** Finds item ids that were spoiled on the way, in the drafts or in a sheet, and puts in what was meant. */
export function ItemIdsDialog() {
  const { store } = useAppContext();
  const actions = useActions(afterSyncActions);
  const { dismiss } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const began = useRef(false);
  const [scan, setScan] = useState<IdScan | null>(null);
  const [busy, setBusy] = useState(true);
  /** What takes the place of an id; an id that is left is not in it. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());

  const look = async (file: File | null): Promise<void> => {
    setBusy(true);
    const found = await actions.scanItemIds(file);
    setBusy(false);
    if (found === null) return;
    setScan(found);
    setChosen(
      new Map(found.damaged.flatMap(({ itemId, proposed }) => (proposed === null ? [] : [[itemId, proposed]]))),
    );
  };
  const run = useRef(look);
  useEffect(() => {
    run.current = look;
  });
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    void run.current(null);
  }, []);

  const accepted: AcceptedIds = [...chosen].map(([from, to]) => ({ from, to }));
  const save = async (what: 'report' | 'mend'): Promise<void> => {
    const file = scan === null ? null : await actions.saveItemIds(what, scan.scanId, accepted);
    if (file !== null) saveFrom(file.fileName, file.url);
  };
  const apply = async (): Promise<void> => {
    if (await actions.applyItemIds(accepted)) dismiss();
  };
  const isSheet = scan !== null && scan.fileName !== null;
  return (
    <Modal opened onClose={dismiss} title={scan?.fileName ?? text.title} size={860}>
      <p className="quiet">{busy ? text.looking : text.explain}</p>
      {scan !== null && scan.notSearched !== null && <p className="note-warning">{text.notSearched}</p>}
      {scan !== null && scan.damaged.length === 0 && <Empty title={text.sound} text={text.soundText(scan.ids)} />}
      {scan !== null && <DamagedIds damaged={scan.damaged} chosen={chosen} onChoose={setChosen} />}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={text.sheet}
        accept=".csv,.tsv,.txt,.xlsx"
        onChange={(event) => void look(event.target.files?.[0] ?? null)}
      />
      <Group justify="space-between" mt="md">
        <Group gap="xs">
          <Button disabled={busy} onClick={() => picker.current?.click()}>
            {text.sheet}
          </Button>
          {isSheet && <Button onClick={() => void look(null)}>{text.drafts}</Button>}
        </Group>
        <Group gap="xs">
          <Button data-autofocus onClick={dismiss}>
            {en.close}
          </Button>
          <Button disabled={scan === null || scan.damaged.length === 0} onClick={() => void save('report')}>
            {text.report}
          </Button>
          <Button
            variant="filled"
            disabled={accepted.length === 0 || busy}
            onClick={() => void (isSheet ? save('mend') : apply())}
          >
            {isSheet ? text.mend(accepted.length) : text.apply(accepted.length)}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}
