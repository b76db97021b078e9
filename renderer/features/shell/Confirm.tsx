import { Button, Group, Modal } from '@mantine/core';
import { useAppContext } from '../../app/app-context.ts';
import type { Confirmation } from '../../app/store/dialog.ts';

/** Asks before something is deleted. Enter cancels: the safe button has the focus. */
export function Confirm({ title, text, keep, button, isHarmless, run, other }: Confirmation) {
  const { dismiss } = useAppContext().store.getState();
  return (
    <Modal opened onClose={dismiss} title={title} size="sm">
      <p>{text}</p>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button data-autofocus onClick={dismiss}>
          {keep}
        </Button>
        {other !== undefined && (
          <Button
            onClick={() => {
              dismiss();
              other.run();
            }}
          >
            {other.button}
          </Button>
        )}
        <Button
          {...(isHarmless ? { variant: 'filled' } : { color: 'red', variant: 'outline' })}
          onClick={() => {
            dismiss();
            run();
          }}
        >
          {button}
        </Button>
      </Group>
    </Modal>
  );
}
