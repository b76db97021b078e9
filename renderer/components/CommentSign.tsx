import { appTexts } from '../app/texts.ts';
import ui from './ui.module.css';

/** A speech bubble where something has open comments; said in words to users who cannot see it. */
export function CommentSign({ open }: { readonly open: number }) {
  return (
    <span className={ui['comment-sign']}>
      <span className={ui['spoken-only']}>{appTexts.annotations.open(open)}</span>
    </span>
  );
}
