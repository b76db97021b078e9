import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { Backup } from '../../../shared/contract/backups.ts';
import { useAppContext } from '../../app/desk.ts';
import { backups, condition } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enBackups as texts } from '../../messages/en-backups.ts';
import { errorText } from '../../messages/errors.ts';
import { bytesText, timeText } from '../../messages/numbers.ts';
import { Empty } from '../../ui/Empty.tsx';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import { takeFocus } from '../../ui/take-focus.ts';
import { useNow } from '../../ui/use-now.ts';
import { isDamaged, OpeningNotes } from './OpeningNotes.tsx';
import { RestorePanel } from './RestorePanel.tsx';

/**
 *   list --See what would change--> preview --Put this backup back--> closed
 *                                      \--Back--> list
 */
export function BackupsDialog({ workspaceId }: { readonly workspaceId: string }) {
  const { store, actions } = useAppContext();
  const { dismiss } = store.getState();
  const [chosen, setChosen] = useState<Backup | null>(null);
  const [busy, setBusy] = useState(false);
  const list = useQuery(backups(workspaceId));
  // Of a file that cannot be opened no backup can be made; the note above the list has the way on.
  const damaged = isDamaged(useQuery(condition(workspaceId)).error);
  const make = async (): Promise<void> => {
    setBusy(true);
    await actions.makeBackup();
    setBusy(false);
  };
  return (
    <Modal opened onClose={dismiss} title={texts.title} size={720}>
      {chosen !== null ? (
        <RestorePanel workspaceId={workspaceId} backup={chosen} onBack={() => setChosen(null)} onDone={dismiss} />
      ) : (
        <>
          <OpeningNotes workspaceId={workspaceId} />
          <p className="quiet">
            {texts.intro} {texts.kept}
          </p>
          <p className="quiet">{texts.where(workspaceId)}</p>
          {list.error !== null && (
            <p className="note-error" role="alert">
              {errorText(list.error)}
            </p>
          )}
          {list.data === undefined && list.error === null && <p className="quiet">{texts.loading}</p>}
          {list.data?.length === 0 && <Empty title={texts.none} text={damaged ? texts.noneDamaged : texts.noneText} />}
          {list.data !== undefined && list.data.length > 0 && <List backups={list.data} onLook={setChosen} />}
          <Group justify="flex-end" mt="md" gap="xs">
            <Button onClick={dismiss}>{en.close}</Button>
            {!damaged && (
              <Button variant="filled" ref={takeFocus} data-autofocus loading={busy} onClick={() => void make()}>
                {texts.make}
              </Button>
            )}
          </Group>
        </>
      )}
    </Modal>
  );
}

interface ListProps {
  readonly backups: readonly Backup[];
  readonly onLook: (backup: Backup) => void;
}

function List({ backups: list, onLook }: ListProps) {
  const now = useNow();
  return (
    <ScrollBox className="preview-scroll" label={texts.title}>
      <table className="diff plain-table">
        <thead>
          <tr>
            <th scope="col">{texts.when}</th>
            <th scope="col">{texts.why}</th>
            <th scope="col">{texts.size}</th>
            <th scope="col">{texts.checked}</th>
            <th scope="col">
              <span className="spoken-only">{texts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((backup) => (
            <tr key={backup.backupId}>
              <td className="numeric">{timeText(backup.at, now)}</td>
              <td>{texts.reasons[backup.reason]}</td>
              <td className="numeric">{bytesText(backup.bytes)}</td>
              <td>
                <span className="badge badge-good">
                  <span aria-hidden="true">✓</span>
                  {texts.whole}
                </span>
              </td>
              <td>
                <button
                  type="button"
                  className="chip"
                  aria-label={texts.lookOf(timeText(backup.at, now))}
                  onClick={() => onLook(backup)}
                >
                  {texts.look}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
