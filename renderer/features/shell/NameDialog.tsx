import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isUnseen } from '../../../shared/model/text.ts';
import { useAppContext } from '../../app/app-context.ts';
import type { Naming } from '../../app/store/dialog.ts';
import { useBusy } from '../../components/use-busy.ts';

const texts = {
  cancel: 'Cancel',
} as const;

export function NameDialog({ title, label, hint, value, button, run }: Naming) {
  const { dismiss, dismisser } = useAppContext().store.getState();
  const [text, setText] = useState(value);
  const [busy, during] = useBusy();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isUnseen(text)) return;
    const close = dismisser();
    void during(run(text.trim())).then((done) => {
      if (done) close();
    });
  };
  return (
    <Modal opened onClose={dismiss} title={title} size="sm">
      <form onSubmit={submit}>
        <TextInput
          label={label}
          description={hint}
          size="xs"
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md" gap="xs">
          <Button onClick={dismiss}>{texts.cancel}</Button>
          <Button type="submit" variant="filled" disabled={isUnseen(text)} loading={busy}>
            {button}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
