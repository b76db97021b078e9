import ui from '../components/ui.module.css';
import { errorText } from './error-text.ts';
import { appTexts } from './texts.ts';

/**
 * Shows a problem as text, and announces it to screen readers.
 *
 * @param of a sentence, or the failure of a call; null shows nothing
 */
export const Problem = ({ of }: { readonly of: unknown }) =>
  of === null ? null : (
    <p className={ui['note-error']} role="alert">
      {typeof of === 'string' ? of : errorText(of)}
    </p>
  );

/** Shown in place of a list or a screen while it loads, or when it failed to load. */
export const Waiting = ({ error = null }: { readonly error?: unknown }) => (
  <div className={ui['empty']}>{error === null ? appTexts.grid.loading : errorText(error)}</div>
);
