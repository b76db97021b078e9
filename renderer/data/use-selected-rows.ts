import { useEffect, useMemo } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { useViewOf } from '../app/app-context.ts';
import { rangeOf } from '../app/store/selection-slice.ts';
import { useSourceVersion } from '../grid/use-window.ts';
import type { OpenView } from '../grid/window.ts';

/** Rows the details edit at once; beyond this a bulk edit in the grid is the way. */
export const DETAILS_MAX = 2000;

export interface SelectedRows {
  readonly count: number;
  /** Null while some of them have not arrived, or when there are too many for the details. */
  readonly rows: readonly WindowRow[] | null;
}

/** The selected rows of the view, as far as they are here; asks for those that are not. */
export function useSelectedRows(view: OpenView): SelectedRows {
  const { source } = view;
  const version = useSourceVersion(source);
  const selection = useViewOf((s) => ({ active: s.active, anchor: s.anchor, wholeRows: s.wholeRows }));
  const length = source.length();
  const range = rangeOf(selection, 1);
  // As in the grid, a selection beyond the end is the last row.
  const top = Math.min(range.top, length - 1);
  const bottom = Math.min(range.bottom, length - 1);
  const count = length === 0 ? 0 : bottom - top + 1;
  // Anew after each change: a view that was opened again, or rows that were marked old, have to be read again.
  useEffect(() => {
    if (version >= 0 && count > 0 && count <= DETAILS_MAX) source.wantBeside(top, bottom + 1);
  }, [source, version, top, bottom, count]);
  return useMemo(() => {
    if (count > DETAILS_MAX || version < 0) return { count, rows: null };
    const rows: WindowRow[] = [];
    for (let i = top; i <= bottom; i += 1) {
      const row = source.rowAt(i);
      if (row === undefined) return { count, rows: null };
      rows.push(row);
    }
    return { count, rows };
  }, [source, version, top, bottom, count]);
}
