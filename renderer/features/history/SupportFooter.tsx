import { Button, Group } from '@mantine/core';
import { useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { copyText, saveText } from '../../app/save-text.ts';
import { appTexts } from '../../app/texts.ts';

interface SupportFootProps {
  readonly texts: { readonly copy: string; readonly copied: string; readonly save: string };
  /** What is copied; null while it is not there. */
  readonly text: string | null;
  /** What is saved as JSON, under which name; null while it is not there. */
  readonly file: { readonly name: string; readonly content: object } | null;
}

/** The foot of what was sent or answered: copy it, save it, or close. */
export function SupportFooter({ texts, text, file }: SupportFootProps) {
  const { store, notes } = useAppContext();
  const copy = async (copied: string): Promise<void> => {
    if (await copyText(copied)) notes.tell(texts.copied);
    else notes.fail(dialogTexts.history.copyFailed);
  };
  const save = ({ name, content }: NonNullable<SupportFootProps['file']>): void =>
    saveText(name, JSON.stringify(content, null, 2), 'application/json');
  return (
    <Group justify="flex-end" mt="md" gap="xs">
      <Button disabled={text === null} onClick={() => text !== null && void copy(text)}>
        {texts.copy}
      </Button>
      <Button disabled={file === null} onClick={() => file !== null && save(file)}>
        {texts.save}
      </Button>
      <Button data-autofocus variant="filled" onClick={store.getState().dismiss}>
        {appTexts.close}
      </Button>
    </Group>
  );
}
