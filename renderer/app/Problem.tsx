import ui from '../components/ui.module.css';
import { errorText } from './error-text.ts';
import { appTexts } from './texts.ts';

/**
 * Says what is wrong, in words and aloud.
 *
 * @param of a sentence, or the failure of a call; null shows nothing
 */
export const Problem = ({ of }: { readonly of: unknown }) =>
  of === null ? null : (
    <p className={ui['note-error']} role="alert">
      {typeof of === 'string' ? of : errorText(of)}
    </p>
  );

/** In the place of a list whose first answer is on its way, or has failed. */
export const Waiting = ({ error }: { readonly error: unknown }) => (
  <div className={ui['empty']}>{error === null ? appTexts.grid.loading : errorText(error)}</div>
);
