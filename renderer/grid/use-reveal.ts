import { useEffect, useEffectEvent } from 'react';
import { asRowId } from '../../shared/model/scalars.ts';
import { useAppContext, useView } from '../app/app-context.ts';
import { errorText } from '../app/error-text.ts';
import type { WindowSource } from './window.ts';

/**
 * Finds the row that an issue, a link or a search result targets in this view.
 *
 * @param show called with the row's index and the targeted field
 * @param prepare called with the targeted field before that
 */
export function useReveal(
  source: WindowSource,
  show: (row: number, field: string | null) => void,
  prepare: (field: string) => void = () => {},
): void {
  const { store, toasts } = useAppContext();
  const target = useView((s) => s.target);
  const showFound = useEffectEvent(show);
  const prepareField = useEffectEvent(prepare);
  useEffect(() => {
    // The old view stays on screen until the new one has rows; the target belongs to the new one.
    if (target === null || source.isClosed()) return;
    let over = false;
    if (target.field !== null) prepareField(target.field);
    source.indexOf(asRowId(target.id)).then(
      (row) => {
        if (over) return;
        store.getState().arrived();
        if (row !== null) showFound(row, target.field);
      },
      (error: unknown) => {
        if (!over && !source.isClosed()) toasts.fail(errorText(error));
      },
    );
    return () => {
      over = true;
    };
  }, [target, source, store, toasts]);
}
