import { Button, Group } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import type { OpeningNote } from '../../../shared/contract/backups.ts';
import { useAppContext } from '../../app/desk.ts';
import { condition } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enBackups as texts } from '../../messages/en-backups.ts';
import { errorText } from '../../messages/errors.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

/** What was found when the account was opened, with the answer that main waits for where it waits for one. */
export function OpeningNotes({ workspaceId }: { readonly workspaceId: string }) {
  const { store, actions } = useAppContext();
  const { data, error } = useQuery(condition(workspaceId));
  if (error !== null && !isDamaged(error)) return <p className="note-error">{errorText(error)}</p>;
  if (error !== null) {
    const salvage = (): void =>
      store.getState().show({
        name: 'confirm',
        title: texts.salvageTitle,
        text: texts.salvageText,
        keep: texts.salvageKeep,
        button: texts.salvageButton,
        run: () => void actions.salvage(),
      });
    return (
      <section className="card card-error" aria-label={texts.notes}>
        <p>
          <strong>{texts.damaged}</strong> {texts.damagedText}
        </p>
        <Group gap="xs">
          <Button onClick={salvage}>{texts.salvage}</Button>
        </Group>
      </section>
    );
  }
  if (data === undefined || data.notes.length === 0) return null;
  return (
    <section aria-label={texts.notes}>
      {data.notes.map((note) => (
        <Note key={`${note.what} ${note.detail}`} note={note} />
      ))}
    </section>
  );
}

function Note({ note }: { readonly note: OpeningNote }) {
  const { actions } = useAppContext();
  const now = useNow();
  const when = note.backupAt === null ? '' : texts.ofTime(timeText(note.backupAt, now));
  return (
    <div className="card card-warning">
      <p>
        {texts.found[note.what](when)} {note.setAside !== null && texts.aside(note.setAside)}
      </p>
      {note.what === 'copied' && (
        <Group gap="xs">
          <Button onClick={() => void actions.settleCopy('moved')}>{texts.moved}</Button>
          <Button onClick={() => void actions.settleCopy('copied')}>{texts.copied}</Button>
        </Group>
      )}
    </div>
  );
}

/** The one refusal to open that the user can do something about here. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof ORPCError &&
  error.code === 'NOT_WRITABLE' &&
  (error.data as { readonly why?: string } | undefined)?.why === 'damaged';
