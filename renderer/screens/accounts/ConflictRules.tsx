import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ASK_ALWAYS, readPolicy } from '../../../shared/merge/conflict-policy.ts';
import { useAppContext } from '../../app/desk.ts';
import { conflictPolicy } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enSettings } from '../../messages/en-settings.ts';
import { errorText } from '../../messages/errors.ts';

const texts = enSettings.conflicts;

/** A row that is gone is asked about all the same: keeping it would create it anew. */
const PRESETS = { ask: ASK_ALWAYS, mine: 'gone=ask,other=mine', theirs: 'gone=ask,other=theirs' } as const;
type Choice = keyof typeof PRESETS | 'own';
const CHOICES: readonly Choice[] = ['ask', 'mine', 'theirs', 'own'];

const choiceOf = (text: string): Choice => CHOICES.find((each) => each !== 'own' && PRESETS[each] === text) ?? 'own';

/** Which side counts in conflicts of the account: asked, one side always, or by field. */
export function ConflictRules({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const saved = useQuery(conflictPolicy(workspaceId));
  const [own, setOwn] = useState<string | null>(null);
  if (saved.data === undefined) {
    return saved.error === null ? null : <p className="note-error">{errorText(saved.error)}</p>;
  }
  const text = saved.data;
  const chosen = own === null ? choiceOf(text) : 'own';
  const typed = own ?? text;
  const read = readPolicy(typed);
  const choose = (next: string): void => {
    const choice = CHOICES.find((each) => each === next);
    if (choice === undefined) return;
    setOwn(choice === 'own' ? text : null);
    if (choice !== 'own') void actions.setConflictPolicy(workspaceId, PRESETS[choice]);
  };
  const save = async (): Promise<void> => {
    if (read.ok && (await actions.setConflictPolicy(workspaceId, typed))) setOwn(null);
  };
  return (
    <>
      <Radio.Group mt="md" label={texts.title} description={texts.text} value={chosen} onChange={choose}>
        <Stack gap="xs" mt="xs">
          {CHOICES.map((choice) => (
            <Radio key={choice} size="xs" value={choice} label={texts.choices[choice]} />
          ))}
        </Stack>
      </Radio.Group>
      {chosen === 'own' && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Group align="flex-end" gap="xs" mt={6} wrap="nowrap">
            <TextInput
              size="xs"
              className="conflict-rules"
              label={texts.own}
              description={texts.ownHint}
              value={typed}
              error={read.ok ? null : texts.bad(read.error.part)}
              onChange={(event) => setOwn(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!read.ok || typed === text}>
              {texts.save}
            </Button>
          </Group>
        </form>
      )}
    </>
  );
}
