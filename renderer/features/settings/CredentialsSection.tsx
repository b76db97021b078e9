import { Button, Group, PasswordInput, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { CredentialStatus, CredentialStorage } from '../../../shared/api/accounts.ts';
import { PASSPHRASE_MIN } from '../../../shared/api/limits.ts';
import { type ActionContext, inWords } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { takeFocus } from '../../app/pane-focus.ts';
import { settingTexts } from '../../app/settings-list.ts';
import { useAccount } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { SettingRow } from './SettingRow.tsx';
import styles from './settings.module.css';

export const credentialsTexts = {
  unlockTitle: 'Unlock credentials',
  intro: 'They are never shown and never stored unencrypted.',
  now: 'Now',
  open: {
    keyring: 'In the system keychain. Protected from other users and on a stolen disk, but not from programs you run.',
    passphrase: 'Encrypted with your passphrase and unlocked. To lock them again, select Lock now or close Adslate.',
    memory: 'In memory only. Nothing is saved to disk. After each start, enter the key and token again.',
  },
  locked:
    'Encrypted with your passphrase and locked. Enter the passphrase to sync, refresh or connect. You can keep editing without it.',
  refused: {
    'store-changed':
      'The system keychain is not the same as before. Start Adslate in the previous desktop session to unlock it, or choose a storage option below and reconnect each account. Nothing was deleted.',
    'store-closed':
      "The system keychain is locked or no longer has Adslate's key. Unlock it and restart Adslate, or choose a storage option below. Nothing was deleted.",
    damaged:
      'The file that records how credentials are stored is damaged. Choose a storage option below. The old data is kept.',
  },
  change: 'Storage',
  storage: {
    keyring: 'System keychain',
    passphrase: 'Encrypted with a passphrase',
    memory: 'In memory only (enter them after each start)',
  },
  passphrase: 'Passphrase',
  newPassphrase: (least: number) => `New passphrase (at least ${least} characters)`,
  repeat: 'Repeat passphrase',
  different: 'The passphrases do not match.',
  short: (least: number) => `Use at least ${least} characters.`,
  forgotten: "Credentials can't be recovered without the passphrase. If you lose it, reconnect each account.",
  unlock: 'Unlock',
  lock: 'Lock now',
  keep: 'Save',
  changed: 'Credential storage changed.',
  never: 'Never',
  missing: (name: string) => `The key and token of ${name} are missing.`,
} as const;

/** Shows how keys and tokens are stored, unlocks and locks them, and changes the storage. */
export function CredentialsSection() {
  const { store } = useAppContext();
  const account = useAccount(useView((s) => s.workspaceId));
  const status = useQuery(useApi().credentials.status.queryOptions()).data;
  return (
    <Stack gap="sm">
      <p className={ui['quiet']}>{credentialsTexts.intro}</p>
      {status !== undefined && (
        <>
          <p>
            <strong>{credentialsTexts.now}: </strong>
            {wordsOf(status)}
          </p>
          {account?.practice === false && (
            <div>
              {account.secrets === 'none' && (
                <p className={ui['note-warning']}>{credentialsTexts.missing(account.name)}</p>
              )}
              {/* Opens the account form with everything but its key and token filled in. */}
              <Button onClick={() => store.getState().show({ name: 'connect', account })}>
                {appTexts.renewCredentials}
              </Button>
            </div>
          )}
          {status.state === 'locked' ? <Unlock /> : <Choose key={status.storage} status={status} />}
          <IdleLock status={status} />
        </>
      )}
    </Stack>
  );
}

const IDLE_MINUTES = [5, 15, 30, 60, 240] as const;

/** Minutes without a key or a click until credentials are locked; only a passphrase unlocks them. */
function IdleLock({ status }: { readonly status: CredentialStatus }) {
  const { actions } = useAppContext();
  const minutes = useQuery(useApi().app.preferences.get.queryOptions()).data?.lockAfterMinutes ?? null;
  return (
    <div className={styles['settings-card']}>
      <SettingRow id="idle-lock">
        <ChoiceField
          aria-label={settingTexts['idle-lock'][0]}
          disabled={status.storage !== 'passphrase'}
          options={[
            [null, credentialsTexts.never],
            ...IDLE_MINUTES.map((each) => [each, plural(each, 'minute')] as const),
          ]}
          value={minutes}
          onChoose={(lockAfterMinutes) => void actions.remember({ lockAfterMinutes })}
        />
      </SettingRow>
    </div>
  );
}

function wordsOf({ state, storage, problem }: CredentialStatus): string {
  if (state === 'locked') return credentialsTexts.locked;
  if (state === 'refused') return credentialsTexts.refused[problem ?? 'damaged'];
  return credentialsTexts.open[storage];
}

/** Runs one call at a time and keeps its failure. */
function useCall() {
  const [busy, during] = useBusy();
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (call: () => Promise<string | null>): Promise<boolean> => {
    const why = await during(call());
    setProblem(why);
    return why === null;
  };
  return { busy, problem, run, setProblem };
}

/** @param onDone called after the right passphrase */
export function Unlock({ onDone }: { readonly onDone?: () => void }) {
  const actions = useActions(credentialActions);
  const [passphrase, setPassphrase] = useState('');
  const { busy, problem, run } = useCall();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run(() => actions.unlockSecrets(passphrase)).then((unlocked) => unlocked && onDone?.());
  };
  return (
    <form onSubmit={submit}>
      <PasswordInput
        label={credentialsTexts.passphrase}
        value={passphrase}
        error={problem}
        data-autofocus
        ref={takeFocus}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit" loading={busy} disabled={passphrase === ''}>
          {credentialsTexts.unlock}
        </Button>
      </Group>
    </form>
  );
}

function Choose({ status }: { readonly status: CredentialStatus }) {
  const actions = useActions(credentialActions);
  const [storage, setStorage] = useState<CredentialStorage>(status.storage);
  const [passphrase, setPassphrase] = useState('');
  const [repeat, setRepeat] = useState('');
  const { busy, problem, run, setProblem } = useCall();
  const isSealed = status.storage === 'passphrase' && status.state === 'open';

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (storage === 'passphrase' && [...passphrase].length < PASSPHRASE_MIN)
      return setProblem(credentialsTexts.short(PASSPHRASE_MIN));
    if (storage === 'passphrase' && passphrase !== repeat) return setProblem(credentialsTexts.different);
    if (await run(() => actions.chooseSecrets(storage, storage === 'passphrase' ? passphrase : null))) {
      setPassphrase('');
      setRepeat('');
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Radio.Group
        label={credentialsTexts.change}
        value={storage}
        onChange={(chosen) => {
          setProblem(null);
          setStorage(chosen);
        }}
      >
        <Stack gap={10} mt={6}>
          {status.offered.map((each) => (
            <Radio key={each} value={each} label={credentialsTexts.storage[each]} />
          ))}
        </Stack>
      </Radio.Group>
      {storage === 'passphrase' && (
        <Stack gap={6} mt="sm">
          <PasswordInput
            label={credentialsTexts.newPassphrase(PASSPHRASE_MIN)}
            value={passphrase}
            onChange={(event) => {
              setProblem(null);
              setPassphrase(event.currentTarget.value);
            }}
          />
          <PasswordInput
            label={credentialsTexts.repeat}
            value={repeat}
            onChange={(event) => {
              setProblem(null);
              setRepeat(event.currentTarget.value);
            }}
          />
          <p className={ui['quiet']}>{credentialsTexts.forgotten}</p>
        </Stack>
      )}
      <Problem of={problem} />
      <Group justify="flex-end" mt="md" gap="xs">
        {isSealed && <Button onClick={() => void run(() => actions.lockSecrets())}>{credentialsTexts.lock}</Button>}
        <Button type="submit" loading={busy}>
          {credentialsTexts.keep}
        </Button>
      </Group>
    </form>
  );
}

/** Actions for stored keys and tokens. Each resolves with null, or with the reason of its failure as text. */
function credentialActions({ connection: { client }, toasts }: ActionContext) {
  const done = async (call: () => Promise<unknown>): Promise<string | null> => {
    const answer = await inWords(call);
    return answer.ok ? null : answer.error;
  };
  return {
    unlockSecrets: (passphrase: string) => done(() => client.credentials.unlock({ passphrase })),
    lockSecrets: () => done(() => client.credentials.lock()),
    /** @param passphrase null for storage without one */
    chooseSecrets: async (storage: CredentialStorage, passphrase: string | null) => {
      const problem = await done(() =>
        client.credentials.setStorage({ storage, ...(passphrase === null ? {} : { passphrase }) }),
      );
      if (problem === null) toasts.tell(credentialsTexts.changed);
      return problem;
    },
  };
}
