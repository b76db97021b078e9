import { Button, Group, Modal } from '@mantine/core';
import type { BulkPreview } from '../../../shared/api/bulk.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { rowsText } from '../../app/field-names.ts';
import { applyCarried } from '../../app/move-commands.ts';
import type { MoveTarget, RowsToMove } from '../../app/store/move-slice.ts';
import { useBusy } from '../../components/use-busy.ts';
import { LeftBehind } from '../bulk-edit/CopyDialog.tsx';

const texts = {
  title: (n: number, kind: Kind, name: string, move: boolean) =>
    `${move ? 'Move' : 'Copy'} ${rowsText(n, kind)} to ${name}`,
  moveText: 'The copies are new drafts. The originals are deleted with the next sync.',
  copyText: 'The copies are new drafts. The originals do not change.',
  button: (move: boolean) => (move ? 'Move' : 'Copy'),
} as const;

interface PutDownDialogProps {
  readonly carried: RowsToMove;
  readonly target: MoveTarget;
  readonly preview: Pick<BulkPreview, 'dropped' | 'refused'>;
}

export function MoveDialog({ carried, target, preview }: PutDownDialogProps) {
  const desk = useAppContext();
  const { dismiss } = desk.store.getState();
  const [busy, during] = useBusy();
  const { kind, rows, move } = carried;
  const apply = async (): Promise<void> => {
    const done = await during(applyCarried(desk, carried, target));
    if (done) dismiss();
  };
  return (
    <Modal opened onClose={dismiss} title={texts.title(rows.length, kind, target.name, move)} size={480}>
      <p>{move ? texts.moveText : texts.copyText}</p>
      <LeftBehind preview={preview} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button data-autofocus onClick={dismiss}>
          {dialogTexts.bulk.cancel}
        </Button>
        <Button variant="filled" loading={busy} onClick={() => void apply()}>
          {texts.button(move)}
        </Button>
      </Group>
    </Modal>
  );
}
