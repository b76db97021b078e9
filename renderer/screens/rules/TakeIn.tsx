import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ruleActions } from '../../actions/rule-actions.ts';
import { useActions } from '../../app/desk.ts';
import { enRules as texts } from '../../messages/en-rules.ts';
import { takeFocus } from '../../ui/take-focus.ts';

/** Rules of a colleague, pasted as text: a window reads no files. */
export function ImportRules({ onDone }: { readonly onDone: () => void }) {
  const actions = useActions(ruleActions);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const take = async (): Promise<void> => {
    setBusy(true);
    const why = await actions.takeInRules(text);
    setBusy(false);
    setProblem(why);
    if (why === null) onDone();
  };
  return (
    <>
      <Textarea
        size="xs"
        rows={12}
        label={texts.takeInLabel}
        description={texts.takeInHint}
        ref={takeFocus}
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={onDone}>{texts.back}</Button>
        <Button variant="filled" loading={busy} disabled={text.trim() === ''} onClick={() => void take()}>
          {texts.takeInButton}
        </Button>
      </Group>
    </>
  );
}
