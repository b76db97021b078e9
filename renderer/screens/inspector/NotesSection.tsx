import { type FormEvent, useState } from 'react';
import type { Comment } from '../../../shared/contract/notes.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import { useDesk } from '../../app/desk.ts';
import { comments as commentsOf, labels as labelsOf } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enNotes } from '../../messages/en-notes.ts';
import { countText, timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

interface NotesSectionProps {
  readonly workspaceId: string;
  readonly row: RowRef;
  /** Ids of the labels it carries. */
  readonly carried: readonly number[];
}

/** Which comments are shown, once one was resolved. */
const SHOWN = ['all', 'open', 'resolved'] as const;
type Shown = (typeof SHOWN)[number];
const IS_SHOWN: Readonly<Record<Shown, (comment: Comment) => boolean>> = {
  all: () => true,
  open: ({ resolved }) => !resolved,
  resolved: ({ resolved }) => resolved,
};

/** Colours of new labels, in turn; dark enough for white text. */
const COLORS = ['#1864ab', '#2b7a3d', '#8a5200', '#a61e4d', '#5f3dc4', '#0b7285'];

/** What people say about a row: labels and comments, which never leave this computer. */
export function NotesSection({ workspaceId, row, carried }: NotesSectionProps) {
  const { actions } = useDesk();
  const all = useQuery(labelsOf(workspaceId)).data ?? [];
  const written = useQuery(commentsOf(workspaceId, row)).data ?? [];
  const [label, setLabel] = useState('');
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const on = all.filter(({ id }) => carried.includes(id));

  const addLabel = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const name = label.trim();
    if (name === '') return;
    const known = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const color = COLORS[all.length % COLORS.length] ?? '#1864ab';
    const put = known ?? (await actions.saveLabel(name, color));
    if (put === null || !(await actions.label(row.kind, [row.id], [put.id], []))) return;
    setLabel('');
  };
  const addComment = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() !== '' && (await actions.comment(row, text.trim())) !== null) setText('');
  };
  return (
    <section className="notes-section" aria-label={enNotes.notes}>
      <h3 className="section-title">{enNotes.notes}</h3>
      <p className="quiet notes-hint">{enNotes.notesHint}</p>
      <div className="labels">
        {on.map(({ id, name, color }) => {
          const style: Record<string, string> = { '--label': color };
          return (
            <span key={id} className="label" style={style}>
              {name}
              <button
                type="button"
                aria-label={enNotes.takeOff(name)}
                onClick={() => void actions.label(row.kind, [row.id], [], [id])}
              >
                ×
              </button>
            </span>
          );
        })}
        <form onSubmit={(event) => void addLabel(event)}>
          <input
            className="input label-input"
            aria-label={enNotes.newLabel}
            placeholder={enNotes.newLabel}
            list="known-labels"
            value={label}
            onChange={(event) => setLabel(event.target.value)}
          />
          <datalist id="known-labels">
            {all.map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
        </form>
      </div>
      {written.some(({ resolved }) => resolved) && (
        <div role="group" aria-label={enNotes.show} className="chips comments-shown">
          {SHOWN.map((each) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={shown === each}
              onClick={() => setShown(each)}
            >
              {enNotes.shown[each]}{' '}
              <span className="chip-count">{countText(written.filter(IS_SHOWN[each]).length)}</span>
            </button>
          ))}
        </div>
      )}
      <ul className="comments">
        {written.filter(IS_SHOWN[shown]).map((comment) => (
          <CommentLine key={comment.id} comment={comment} />
        ))}
      </ul>
      <form onSubmit={(event) => void addComment(event)} className="comment-form">
        <input
          className="input"
          aria-label={enNotes.comment}
          placeholder={enNotes.comment}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="chip" disabled={text.trim() === ''}>
          {enNotes.addComment}
        </button>
      </form>
    </section>
  );
}

function CommentLine({ comment }: { readonly comment: Comment }) {
  const { actions } = useDesk();
  const now = useNow();
  const { id, author, text, at, resolved } = comment;
  return (
    <li className={resolved ? 'comment comment-resolved' : 'comment'}>
      <span className="quiet">
        {author === '' ? enNotes.you : author}, {timeText(at, now)}
        {resolved && ` · ${enNotes.resolved}`}
      </span>
      <span>{text}</span>
      <span className="comment-actions">
        <button type="button" className="chip" onClick={() => void actions.resolveComment(id, !resolved)}>
          {resolved ? enNotes.reopen : enNotes.resolve}
        </button>
        <button type="button" className="chip" onClick={() => void actions.removeComment(id)}>
          {enNotes.removeComment}
        </button>
      </span>
    </li>
  );
}
