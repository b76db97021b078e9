import { Button, FileInput, Group, Modal, Progress, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useActions, useAppContext, useView } from '../../app/app-context.ts';
import { Problem } from '../../app/Problem.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './team.module.css';
import { teamActions } from './team-actions.ts';

const texts = {
  title: 'Join a team',
  text: 'An admin of the team sends you a file and tells you six words. The file opens once, within 7 days.',
  file: 'Invitation file (.adslate-invite)',
  choose: 'Choose a file…',
  words: 'Six words',
  name: 'Account name on this computer',
  computer: 'Name of this computer',
  missing: { name: 'Enter a name for the account.', computer: 'Enter a name for this computer.' },
  fileMissing: 'Choose the invitation file.',
  six: 'Enter all six words.',
  cancel: 'Cancel',
  button: 'Join team',
  joining: 'Reading what the team has…',
  progress: 'Progress of joining',
  percent: (share: number) => `${Math.floor(100 * share)}%`,
} as const;

/** Creates an account from an invitation: the file, and the words that decrypt it. */
export function JoinDialog() {
  const { store, actions: app } = useAppContext();
  const { dismiss, dismisser } = store.getState();
  const actions = useActions(teamActions);
  const [taskId] = useState(() => crypto.randomUUID());
  const share = useView((s) => s.tasks[taskId]?.share ?? null);
  const [file, setFile] = useState<File | null>(null);
  const [form, setForm] = useState({ words: '', name: '', computer: '' });
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const hasWords = form.words.trim().split(/\s+/u).length === 6;
  const field = (of: keyof typeof form, missing: string | null) => ({
    size: 'xs' as const,
    label: texts[of],
    value: form[of],
    error: asked ? missing : null,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setProblem(null);
      setForm((before) => ({ ...before, [of]: value }));
    },
  });
  const missing = (of: 'name' | 'computer') => (form[of].trim() === '' ? texts.missing[of] : null);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    // Rendered at once, so that the first field with a problem can get the focus.
    flushSync(() => setAsked(true));
    if (file === null || !hasWords || missing('name') !== null || missing('computer') !== null) {
      event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const close = dismisser();
    const why = await during(actions.join(file, { ...form, taskId }));
    setProblem(why);
    if (why === null) close();
  };
  const leave = (): void => (busy ? void app.cancelTask(taskId) : dismiss());
  return (
    <Modal opened onClose={leave} title={texts.title} size={480}>
      <form className={styles['ask']} onSubmit={(event) => void submit(event)} noValidate>
        <p className={ui['quiet']}>{texts.text}</p>
        <FileInput
          size="xs"
          data-autofocus
          label={texts.file}
          placeholder={texts.choose}
          accept=".adslate-invite"
          value={file}
          error={asked && file === null ? texts.fileMissing : null}
          onChange={setFile}
        />
        <TextInput {...field('words', hasWords ? null : texts.six)} />
        <TextInput {...field('name', missing('name'))} maxLength={60} />
        <TextInput {...field('computer', missing('computer'))} maxLength={60} />
        <Problem of={problem} />
        {busy && (
          <div>
            <span className={`${ui['quiet']} ${ui['numeric']}`}>
              {texts.joining} {share !== null && texts.percent(share)}
            </span>
            <Progress value={Math.floor(100 * (share ?? 0))} aria-label={texts.progress} />
          </div>
        )}
        <Group justify="flex-end" mt="md" gap="xs">
          <Button onClick={leave}>{texts.cancel}</Button>
          <Button type="submit" variant="filled" loading={busy}>
            {texts.button}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
