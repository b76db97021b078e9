import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import { isUnseen } from '../../../shared/model/invisible-text.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { columnsOf } from '../../grid/columns.ts';
import { enAnnotations } from '../../messages/en-notes.ts';

/** What the probe found in a file is shown as text beside its picture, not as fields. */
const NO_FIELDS = new Set(['sha256', 'facts']);

interface CommentFormProps {
  readonly row: RowRef;
  readonly onAdded: () => void;
}

/** A new comment on the row or on one of its fields. Whoever begins one elsewhere finds the cursor here. */
export function CommentForm({ row, onAdded }: CommentFormProps) {
  const { actions, store, openGrid } = useAppContext();
  const begun = useView((s) => s.commentBegun);
  const input = useRef<HTMLInputElement>(null);
  const [field, setField] = useState<string | null>(null);
  const [text, setText] = useState('');

  useEffect(() => {
    if (begun === null) return;
    setField(begun.field);
    store.getState().commentTaken();
    input.current?.focus();
  }, [begun, store]);

  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isUnseen(text) || (await actions.comment(row, field, text.trim())) === null) return;
    setText('');
    onAdded();
  };
  return (
    <form onSubmit={(event) => void add(event)} className="comment-form">
      <label className="comment-field quiet">
        {enAnnotations.about}
        <select
          className="input"
          value={field ?? ''}
          onChange={(event) => setField(event.target.value === '' ? null : event.target.value)}
        >
          <option value="">{enAnnotations.wholeRow}</option>
          {columnsOf(row.kind, false)
            .filter((column) => !NO_FIELDS.has(column.field))
            .map((column) => (
              <option key={column.field} value={column.field}>
                {column.title}
              </option>
            ))}
        </select>
      </label>
      <input
        ref={input}
        className="input"
        aria-label={enAnnotations.comment}
        placeholder={enAnnotations.comment}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setText('');
          openGrid.current?.focus();
        }}
      />
      <button type="submit" className="chip" disabled={isUnseen(text)}>
        {enAnnotations.addComment}
      </button>
    </form>
  );
}
