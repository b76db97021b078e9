import { Button, Group, Modal } from '@mantine/core';
import { useDesk } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';

/** Asks before rows are deleted. Enter keeps them: the safe answer has the focus. */
export function ConfirmDelete({ rows, run }: { readonly rows: number; readonly run: () => void }) {
  const { store } = useDesk();
  const { dismiss } = store.getState();
  return (
    <Modal opened onClose={dismiss} title={en.remove.title} size="sm">
      <p>{en.remove.text(rows)}</p>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button data-autofocus onClick={dismiss}>
          {en.remove.keep}
        </Button>
        <Button
          color="red"
          variant="outline"
          onClick={() => {
            dismiss();
            run();
          }}
        >
          {en.remove.button}
        </Button>
      </Group>
    </Modal>
  );
}
