import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { BulkPreview } from '../../../shared/api/bulk.ts';
import { useAppContext } from '../../app/app-context.ts';
import { applyCarried } from '../../app/move-commands.ts';
import type { MoveTarget, RowsToMove } from '../../app/store/move-slice.ts';
import { en } from '../../texts/en.ts';
import { enMoveRows } from '../../texts/en-move-rows.ts';
import { LeftBehind } from '../bulk-edit/CopyDialog.tsx';

interface PutDownDialogProps {
  readonly carried: RowsToMove;
  readonly target: MoveTarget;
  readonly preview: Pick<BulkPreview, 'dropped' | 'refused'>;
}

/** Asks before rows are put down that cannot take everything along. */
export function MoveDialog({ carried, target, preview }: PutDownDialogProps) {
  const desk = useAppContext();
  const { dismiss } = desk.store.getState();
  const [busy, setBusy] = useState(false);
  const { kind, rows, move } = carried;
  const apply = async (): Promise<void> => {
    setBusy(true);
    const done = await applyCarried(desk, carried, target);
    setBusy(false);
    if (done) dismiss();
  };
  return (
    <Modal opened onClose={dismiss} title={enMoveRows.title(rows.length, kind, target.name, move)} size={480}>
      <p>{move ? enMoveRows.moveText : enMoveRows.copyText}</p>
      <LeftBehind preview={preview} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button data-autofocus onClick={dismiss}>
          {en.bulk.cancel}
        </Button>
        <Button variant="filled" loading={busy} onClick={() => void apply()}>
          {enMoveRows.button(move)}
        </Button>
      </Group>
    </Modal>
  );
}
