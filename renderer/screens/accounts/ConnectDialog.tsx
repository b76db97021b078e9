import { Button, Checkbox, FileInput, Group, Modal, PasswordInput, TextInput } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { type FormEvent, useState } from 'react';
import { useAppContext } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { errorText } from '../../messages/errors.ts';
import { isRefused } from '../../transport/files.ts';
import { ConnectSteps } from './ConnectSteps.tsx';
import { CONNECT_FIELDS, type ConnectField, type ConnectForm, EMPTY_CONNECT, problemsOf } from './connect-form.ts';
import { type ConnectStep, stepOf } from './connect-steps.ts';

interface Failure {
  readonly text: string;
  /** The step of the proof that failed; null for a failure that is about none. */
  readonly step: ConnectStep | null;
}

const stepOfFailure = (failure: unknown): ConnectStep | null =>
  failure instanceof ORPCError && failure.code === 'BAD_CREDENTIALS'
    ? stepOf((failure.data as { readonly step: string }).step)
    : null;

/** The form that connects a real account. Secrets go in as files and are proven before anything is kept. */
export function ConnectDialog() {
  const { store, actions, connection } = useAppContext();
  const { dismiss } = store.getState();
  const [form, setForm] = useState<ConnectForm>(EMPTY_CONNECT);
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const problems = asked ? problemsOf(form) : {};
  const set = (change: Partial<ConnectForm>): void => {
    setForm((before) => ({ ...before, ...change }));
    setFailure(null);
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAsked(true);
    const { key, token, passphrase, ...rest } = form;
    if (Object.keys(problemsOf(form)).length > 0 || key === null || token === null) return;
    setBusy(true);
    setFailure(await connectWith(key, token));
    setBusy(false);

    async function connectWith(keyFile: File, tokenFile: File): Promise<Failure | null> {
      const [keyGrant, tokenGrant] = await Promise.all([
        connection.files.grant(keyFile, 'secret'),
        connection.files.grant(tokenFile, 'secret'),
      ]);
      if (isRefused(keyGrant)) return { text: `${keyFile.name}: ${keyGrant.error}`, step: 'key' };
      if (isRefused(tokenGrant)) return { text: `${tokenFile.name}: ${tokenGrant.error}`, step: 'token' };
      const answer = await actions.connectAccount({
        ...rest,
        keyGrant: keyGrant.grant,
        tokenGrant: tokenGrant.grant,
        ...(passphrase === '' ? {} : { keyPassphrase: passphrase }),
      });
      if ('failure' in answer) return { text: errorText(answer.failure), step: stepOfFailure(answer.failure) };
      dismiss();
      return null;
    }
  };
  const text = (name: ConnectField) => ({
    size: 'xs' as const,
    label: en.connect[name],
    value: form[name],
    error: problems[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: event.currentTarget.value.trim() }),
  });
  return (
    <Modal opened onClose={dismiss} title={en.connect.title} size={620}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <p className="quiet">{en.connect.files}</p>
        <div className="form-two">
          <TextInput {...text('name')} data-autofocus onChange={(event) => set({ name: event.currentTarget.value })} />
          {CONNECT_FIELDS.filter((name) => name !== 'name').map((name) => (
            <TextInput key={name} {...text(name)} />
          ))}
          <FileInput
            size="xs"
            label={en.connect.key}
            placeholder={en.connect.choose}
            value={form.key}
            error={problems.key}
            onChange={(key) => set({ key })}
          />
          <FileInput
            size="xs"
            label={en.connect.token}
            placeholder={en.connect.choose}
            value={form.token}
            error={problems.token}
            onChange={(token) => set({ token })}
          />
          <PasswordInput
            size="xs"
            label={en.connect.passphrase}
            value={form.passphrase}
            onChange={(event) => set({ passphrase: event.currentTarget.value })}
          />
        </div>
        <Checkbox
          size="xs"
          mt="sm"
          label={en.connect.extensions}
          checked={form.extensions}
          onChange={(event) => set({ extensions: event.currentTarget.checked })}
        />
        {(busy || (failure !== null && failure.step !== null)) && (
          <ConnectSteps failedAt={busy ? null : (failure?.step ?? null)} />
        )}
        {failure !== null && (
          <p className="note-error" role="alert">
            {failure.text}
          </p>
        )}
        <Group justify="flex-end" mt="md" gap="xs">
          {busy && <span className="quiet">{en.connect.proving}</span>}
          <Button onClick={dismiss}>{en.connect.cancel}</Button>
          <Button type="submit" variant="filled" loading={busy}>
            {en.connect.button}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
