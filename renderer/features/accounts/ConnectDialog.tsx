import { Button, Checkbox, FileInput, Group, Modal, PasswordInput, TextInput } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Account } from '../../../shared/api/accounts.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { Problem } from '../../app/Problem.tsx';
import { isRefused } from '../../app/transport/connection.ts';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './accounts.module.css';

const texts = {
  title: 'Connect account',
  renew: (name: string) => `Key and token of ${name}`,
  name: 'Account name',
  baseUrl: 'Base URL of the service',
  advertiserId: 'Advertiser ID',
  consumerId: 'Consumer ID',
  keyVersion: 'Key version',
  retailHost: 'Retail site host',
  headerPrefix: 'Header prefix',
  key: 'Private key file (PEM)',
  token: 'Access token file',
  choose: 'Choose a file…',
  passphrase: 'Key passphrase (if any)',
  extensions: 'Use service features that are not documented (extensions)',
  button: 'Connect',
  proving: 'Testing the connection…',
  cancel: 'Cancel',
  files: 'Adslate reads the files once and never shows them. Credentials in Settings says how they are stored.',
  memory:
    'The key and token are kept in memory only: after each start, enter them again. To store them, go to Credentials in Settings.',
  missing: {
    name: 'Enter a name for the account.',
    baseUrl: 'Enter the base URL.',
    advertiserId: 'Enter the advertiser ID.',
    consumerId: 'Enter the consumer ID.',
    keyVersion: 'Enter the key version.',
    headerPrefix: 'Enter the header prefix.',
    retailHost: 'Enter the retail site host.',
  },
  keyMissing: 'Choose the private key file.',
  tokenMissing: 'Choose the access token file.',
  digits: 'Enter up to 19 digits.',
  url: 'Enter a full URL, such as https://api.example.com.',
  connectTitle: 'Connection test',
  steps: {
    addresses: 'Addresses are valid',
    key: 'Private key works',
    token: 'Access token can be read',
    answer: 'Service responds',
    clock: 'Computer clock is correct',
    access: 'Credentials have access to this advertiser',
  },
  states: { done: 'passed', failed: 'failed', open: 'not tested', running: 'testing' },
} as const;

interface Failure {
  readonly text: string;
  /** The failed step of the connection test; null if the failure belongs to no step. */
  readonly step: ConnectStep | null;
}

const stepOfFailure = (failure: unknown): ConnectStep | null =>
  failure instanceof ORPCError && failure.code === 'BAD_CREDENTIALS'
    ? stepOf((failure.data as { readonly step: string }).step)
    : null;

/**
 * The form that connects a real account. Credentials are passed as files and tested before anything is saved.
 *
 * @param account a connected account whose key and token are entered again; null to connect another one
 */
export function ConnectDialog({ account }: { readonly account: Account | null }) {
  const { store, actions, connection } = useAppContext();
  const { dismiss } = store.getState();
  const storage = useQuery(useApi().credentials.status.queryOptions()).data?.storage;
  const [form, setForm] = useState<ConnectForm>(() => formOf(account));
  const [asked, setAsked] = useState(false);
  const [busy, during] = useBusy();
  const [failure, setFailure] = useState<Failure | null>(null);
  const testing = useRef<AbortController>(null);
  // Closing the dialog cancels a running test.
  useEffect(() => () => testing.current?.abort(), []);
  const problems = asked ? problemsOf(form) : {};
  const set = (change: Partial<ConnectForm>): void => {
    setForm((before) => ({ ...before, ...change }));
    setFailure(null);
  };

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    // Rendered at once, so that the first field with a problem can get the focus.
    flushSync(() => setAsked(true));
    const { key, token, passphrase, ...rest } = form;
    if (Object.keys(problemsOf(form)).length > 0 || key === null || token === null) {
      event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    setFailure(await during(connectWith(key, token)));

    async function connectWith(keyFile: File, tokenFile: File): Promise<Failure | null> {
      const stop = new AbortController();
      testing.current = stop;
      const [keyGrant, tokenGrant] = await Promise.all([
        connection.files.grant(keyFile, 'secret'),
        connection.files.grant(tokenFile, 'secret'),
      ]);
      if (isRefused(keyGrant)) return { text: errorText(keyGrant), step: 'key' };
      if (isRefused(tokenGrant)) return { text: errorText(tokenGrant), step: 'token' };
      const secrets = { keyGrant: keyGrant.grant, tokenGrant: tokenGrant.grant };
      const lock = passphrase === '' ? {} : { keyPassphrase: passphrase };
      const answer = await actions.connectAccount({ ...rest, ...secrets, ...lock }, stop.signal);
      if ('failure' in answer) return { text: errorText(answer.failure), step: stepOfFailure(answer.failure) };
      if (!stop.signal.aborted) dismiss();
      return null;
    }
  };
  const text = (name: ConnectField) => ({
    size: 'xs' as const,
    label: texts[name],
    value: form[name],
    error: problems[name],
    placeholder: EXAMPLES[name] ?? '',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: event.currentTarget.value.trim() }),
  });
  return (
    <Modal
      opened
      onClose={dismiss}
      closeOnClickOutside={false}
      title={account === null ? texts.title : texts.renew(account.name)}
      size={620}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <p className={ui['quiet']}>{texts.files}</p>
        {storage === 'memory' && <p className={ui['note-warning']}>{texts.memory}</p>}
        <div className={ui['form-two']}>
          <TextInput {...text('name')} data-autofocus onChange={(event) => set({ name: event.currentTarget.value })} />
          {CONNECT_FIELDS.filter((name) => name !== 'name').map((name) => (
            <TextInput key={name} {...text(name)} />
          ))}
          <FileInput
            size="xs"
            label={texts.key}
            placeholder={texts.choose}
            value={form.key}
            error={problems.key}
            onChange={(key) => set({ key })}
          />
          <FileInput
            size="xs"
            label={texts.token}
            placeholder={texts.choose}
            value={form.token}
            error={problems.token}
            onChange={(token) => set({ token })}
          />
          <PasswordInput
            label={texts.passphrase}
            value={form.passphrase}
            onChange={(event) => set({ passphrase: event.currentTarget.value })}
          />
        </div>
        <Checkbox
          mt="sm"
          label={texts.extensions}
          checked={form.extensions}
          onChange={(event) => set({ extensions: event.currentTarget.checked })}
        />
        {(busy || (failure !== null && failure.step !== null)) && (
          <ConnectSteps failedAt={busy ? null : (failure?.step ?? null)} />
        )}
        {failure !== null && <Problem of={failure.text} />}
        <Group justify="flex-end" mt="md" gap="xs">
          {busy && <span className={ui['quiet']}>{texts.proving}</span>}
          <Button onClick={dismiss}>{texts.cancel}</Button>
          <Button type="submit" variant="filled" loading={busy}>
            {texts.button}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

const SIGNS = { done: '✓', failed: '!', open: '○', running: '…' } as const;

interface ConnectStepsProps {
  /** The failed step; null while the test is running. */
  readonly failedAt: ConnectStep | null;
}

/** The steps of the connection test: passed, failed, or not reached. */
function ConnectSteps({ failedAt }: ConnectStepsProps) {
  return (
    <ol className={styles['connect-steps']} aria-label={texts.connectTitle}>
      {stepsAfter(failedAt).map(({ step, state }) => (
        <li key={step} className={`${styles['connect-step']} ${styles[`connect-${state}`]}`}>
          <span className={styles['connect-sign']} aria-hidden="true">
            {SIGNS[state]}
          </span>
          {texts.steps[step]} <span className={ui['quiet']}>{texts.states[state]}</span>
        </li>
      ))}
    </ol>
  );
}

type ConnectField = keyof typeof texts.missing;
const CONNECT_FIELDS = Object.keys(texts.missing) as ConnectField[];

const EXAMPLES: Partial<Record<ConnectField, string>> = {
  baseUrl: 'https://api.example.com',
  retailHost: 'www.example.com',
};

/** The typed form; files are read by main only after they are granted. */
interface ConnectForm extends Readonly<Record<ConnectField, string>> {
  readonly extensions: boolean;
  readonly key: File | null;
  readonly token: File | null;
  readonly passphrase: string;
}

const EMPTY_CONNECT: ConnectForm = {
  name: '',
  baseUrl: '',
  advertiserId: '',
  consumerId: '',
  keyVersion: '1',
  retailHost: '',
  headerPrefix: 'SVC',
  extensions: true,
  key: null,
  token: null,
  passphrase: '',
};

function formOf(account: Account | null): ConnectForm {
  if (account === null) return EMPTY_CONNECT;
  const { name, baseUrl, advertiserId, consumerId, keyVersion, headerPrefix, retailHost, extensions } = account;
  const facts = { name, baseUrl, advertiserId, consumerId, keyVersion, headerPrefix, retailHost, extensions };
  return { ...EMPTY_CONNECT, ...facts };
}

type ConnectProblems = Partial<Record<ConnectField | 'key' | 'token', string>>;

/** Errors that block submitting the form, by field. The connection is tested after that. */
function problemsOf(form: ConnectForm): ConnectProblems {
  const problems: ConnectProblems = {};
  for (const field of CONNECT_FIELDS) {
    if (form[field].trim() === '') problems[field] = texts.missing[field];
  }
  if (problems.baseUrl === undefined && !URL.canParse(form.baseUrl)) problems.baseUrl = texts.url;
  if (problems.advertiserId === undefined && !/^(?=.*[1-9])\d{1,19}$/.test(form.advertiserId)) {
    problems.advertiserId = texts.digits;
  }
  if (form.key === null) problems.key = texts.keyMissing;
  if (form.token === null) problems.token = texts.tokenMissing;
  return problems;
}

/** Steps of main's connection test, in order; a step runs only if the one before it passed. */
export const CONNECT_STEPS = ['addresses', 'key', 'token', 'answer', 'clock', 'access'] as const;
type ConnectStep = (typeof CONNECT_STEPS)[number];
type StepState = 'done' | 'failed' | 'open' | 'running';

/** The step of an error code from main; null for errors without a step, such as a name that is already used. */
export function stepOf(refusal: string): ConnectStep | null {
  switch (refusal) {
    case 'base-url':
    case 'retail-host':
      return 'addresses';
    case 'key':
    case 'key-locked':
      return 'key';
    case 'token':
      return 'token';
    case 'unreachable':
      return 'answer';
    case 'clock':
      return 'clock';
    case 'access':
      return 'access';
    default:
      return null;
  }
}

/**
 * The state of each step.
 *
 * @param failedAt null while the test is running: all steps show as running, because main responds only once
 */
export function stepsAfter(
  failedAt: ConnectStep | null,
): readonly { readonly step: ConnectStep; readonly state: StepState }[] {
  const end = failedAt === null ? -1 : CONNECT_STEPS.indexOf(failedAt);
  return CONNECT_STEPS.map((step, at) => {
    if (failedAt === null) return { step, state: 'running' };
    return { step, state: at < end ? 'done' : at === end ? 'failed' : 'open' };
  });
}
