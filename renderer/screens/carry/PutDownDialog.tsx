import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { BulkPreview } from '../../../shared/contract/bulk.ts';
import { applyCarried } from '../../app/carry-doings.ts';
import { useDesk } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { enCarry } from '../../messages/en-carry.ts';
import type { Carried, CarryTarget } from '../../store/carry-slice.ts';
import { LeftBehind } from '../bulk/LeftBehind.tsx';

interface PutDownDialogProps {
  readonly carried: Carried;
  readonly target: CarryTarget;
  readonly preview: Pick<BulkPreview, 'dropped' | 'refused'>;
}

/** Asks before rows are put down that cannot take everything along. */
export function PutDownDialog({ carried, target, preview }: PutDownDialogProps) {
  const desk = useDesk();
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
    <Modal opened onClose={dismiss} title={enCarry.title(rows.length, kind, target.name, move)} size={480}>
      <p>{move ? enCarry.moveText : enCarry.copyText}</p>
      <LeftBehind preview={preview} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button data-autofocus onClick={dismiss}>
          {en.bulk.cancel}
        </Button>
        <Button variant="filled" loading={busy} onClick={() => void apply()}>
          {enCarry.button(move)}
        </Button>
      </Group>
    </Modal>
  );
}
