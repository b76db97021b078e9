import type { Comment } from '../../../shared/contract/notes.ts';
import { useAppContext } from '../../app/desk.ts';
import { enAnnotations } from '../../messages/en-notes.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

/** One comment: who, when, what, and whether it is settled. */
export function CommentLine({ comment }: { readonly comment: Comment }) {
  const { actions } = useAppContext();
  const now = useNow();
  const { id, author, text, at, resolved } = comment;
  return (
    <li className={resolved ? 'comment comment-resolved' : 'comment'}>
      <span className="quiet">
        {author === '' ? enAnnotations.you : author}, {timeText(at, now)}
        {resolved && ` · ${enAnnotations.resolved}`}
      </span>
      <span>{text}</span>
      <span className="comment-actions">
        <button type="button" className="chip" onClick={() => void actions.resolveComment(id, !resolved)}>
          {resolved ? enAnnotations.reopen : enAnnotations.resolve}
        </button>
        <button type="button" className="chip" onClick={() => void actions.removeComment(id)}>
          {enAnnotations.removeComment}
        </button>
      </span>
    </li>
  );
}
