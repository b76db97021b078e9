import { enAnnotations } from '../texts/en-annotations.ts';

/** A speech bubble where something has open comments; said in words to whoever cannot see it. */
export function CommentSign({ open }: { readonly open: number }) {
  return (
    <span className="comment-sign">
      <span className="spoken-only">{enAnnotations.open(open)}</span>
    </span>
  );
}
