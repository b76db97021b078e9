import { useAppContext } from '../../app/desk.ts';
import type { Column } from '../../grid/columns.ts';
import { enAnnotations } from '../../messages/en-notes.ts';

interface CommentButtonProps {
  readonly column: Column;
  /** Open comments on the field. */
  readonly open: number;
}

/**
 * The mark beside a field: how many open comments it has, and the way to one more. Without comments it comes with the
 * pointer and is no stop of the Tab key, since the form below offers every field as well.
 */
export function CommentButton({ column, open }: CommentButtonProps) {
  const { store } = useAppContext();
  const name = enAnnotations.commentOn(column.title);
  return (
    <button
      type="button"
      className={open > 0 ? 'field-comment field-commented' : 'field-comment'}
      tabIndex={open > 0 ? undefined : -1}
      aria-label={open > 0 ? `${name}: ${enAnnotations.open(open)}` : name}
      title={open > 0 ? enAnnotations.open(open) : name}
      onClick={() => store.getState().beginComment(column.field)}
    >
      <span className="comment-sign" />
      {open > 0 && <span className="numeric">{open}</span>}
    </button>
  );
}
