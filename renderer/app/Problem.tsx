import { Chip } from '../components/Chip.tsx';
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

interface WaitingProps {
  readonly error?: unknown;
  /** Reads again what failed to load. */
  readonly onRetry?: () => void;
}

/** Shown in place of a list or a screen while it loads, or when it failed to load. */
export const Waiting = ({ error = null, onRetry }: WaitingProps) => (
  <div className={ui['empty']}>
    {error === null ? appTexts.grid.loading : errorText(error)}
    {error !== null && onRetry !== undefined && <Chip onClick={onRetry}>{appTexts.tryAgain}</Chip>}
  </div>
);
