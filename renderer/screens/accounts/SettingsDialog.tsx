import { Button, Group, Modal, Radio, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import { useAppContext } from '../../app/desk.ts';
import { accountProfile, type ShownProfile } from '../../data/account-questions.ts';
import { report } from '../../data/sync-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enSettings as texts } from '../../messages/en-settings.ts';
import { errorText } from '../../messages/errors.ts';
import { AnswersKeptForm } from './AnswersKeptForm.tsx';
import { Capabilities } from './Capabilities.tsx';
import { ConflictRules } from './ConflictRules.tsx';
import { ProfileFields } from './ProfileFields.tsx';
import { amountProblems, profileFields, profileText } from './profile-fields.ts';

const MODES: readonly Account['mode'][] = ['normal', 'confirm', 'read-only'];

/** How an account may send, and what its deployment of the service has otherwise than usual. */
export function SettingsDialog({ account }: { readonly account: Account }) {
  const { store, actions } = useAppContext();
  const { workspaceId } = account;
  const { data: profile, error } = useQuery(accountProfile(workspaceId));
  return (
    <Modal opened onClose={store.getState().dismiss} title={texts.title} size={760}>
      <Radio.Group
        label={texts.sending}
        value={account.mode}
        onChange={(chosen) => {
          const mode = MODES.find((each) => each === chosen);
          if (mode !== undefined) void actions.setMode(workspaceId, mode);
        }}
      >
        <Stack gap={6} mt={6}>
          {MODES.map((mode) => (
            <Radio
              key={mode}
              size="xs"
              value={mode}
              data-autofocus={mode === account.mode || undefined}
              label={en.account.mode[mode]}
              description={texts.modes[mode]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <ConflictRules workspaceId={workspaceId} />
      <AnswersKeptForm workspaceId={workspaceId} />
      <Capabilities workspaceId={workspaceId} />
      <h3 className="plain-heading">{texts.service}</h3>
      <p className="quiet">{texts.serviceText}</p>
      <p className="quiet">{texts.proxy}</p>
      {error !== null && (
        <p className="note-error" role="alert">
          {errorText(error)}
        </p>
      )}
      {profile === undefined && error === null && <p className="quiet">{texts.loading}</p>}
      {profile?.notes.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
      {profile !== undefined && <Profile key={profile.text} workspaceId={workspaceId} profile={profile} />}
    </Modal>
  );
}

function Profile({ workspaceId, profile }: { readonly workspaceId: string; readonly profile: ShownProfile }) {
  const { store, actions } = useAppContext();
  const fields = profileFields(profile);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [text, setText] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const running = useQuery(report(workspaceId)).data?.state === 'running';
  const stored = profileText(fields, {});
  const wanted = text ?? profileText(fields, typed);
  const save = async (): Promise<void> => {
    const unread = text === null ? amountProblems(fields, typed) : [];
    if (unread.length > 0) {
      setProblems(unread);
      return;
    }
    setBusy(true);
    setProblems(await actions.setProfile(workspaceId, wanted));
    setBusy(false);
  };
  return (
    <>
      {text === null ? (
        <ProfileFields
          fields={fields}
          typed={typed}
          onType={(key, value) => {
            setTyped((before) => ({ ...before, [key]: value }));
            setProblems([]);
          }}
        />
      ) : (
        <Textarea
          size="xs"
          rows={14}
          className="profile-text"
          label={texts.asText}
          description={texts.asTextHint}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblems([]);
          }}
        />
      )}
      {problems.length > 0 && (
        <div className="note-error" role="alert">
          <p>{texts.problems(problems.length)}</p>
          <ul className="lines">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {running && <p className="note-warning">{texts.running}</p>}
      <Group justify="space-between" mt="md">
        <Button onClick={() => setText(text === null ? wanted : null)}>
          {text === null ? texts.asText : texts.asFields}
        </Button>
        <Group gap="xs">
          <Button onClick={store.getState().dismiss}>{en.close}</Button>
          <Button
            variant="filled"
            loading={busy}
            disabled={running || wanted === stored}
            title={wanted === stored ? texts.nothing : undefined}
            onClick={() => void save()}
          >
            {texts.save}
          </Button>
        </Group>
      </Group>
    </>
  );
}
