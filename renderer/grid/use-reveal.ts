import { type RefObject, useEffect } from 'react';
import { asRowId } from '../../shared/model/scalars.ts';
import { useAppContext, useView } from '../app/desk.ts';
import type { WindowSource } from '../data/window-source.ts';
import { errorText } from '../messages/errors.ts';
import type { Column } from './columns.ts';

/** A finding or a search result asked for a row: finds it in this view, shows it and makes it active. */
export function useReveal(
  element: RefObject<HTMLDivElement | null>,
  source: WindowSource,
  columns: readonly Column[],
  select: (row: number, col: number, extend: boolean) => void,
): void {
  const { store, notes } = useAppContext();
  const target = useView((s) => s.target);
  useEffect(() => {
    const { kind: wanted, campaignId } = store.getState();
    // The old view stays on screen until the new one has rows; the target is in the new one.
    const here = source.request.kind === wanted && source.request.campaignId === campaignId;
    if (target === null || !here) return;
    let over = false;
    source.indexOf(asRowId(target.id)).then(
      (row) => {
        if (over) return;
        store.getState().arrived();
        if (row === null) return;
        const col = columns.findIndex((column) => column.field === target.field);
        select(row, Math.max(0, col), false);
        element.current?.focus();
      },
      (error: unknown) => {
        if (!over) notes.fail(errorText(error));
      },
    );
    return () => {
      over = true;
    };
  }, [target, source, columns, select, store, notes, element]);
}
