import { useCallback } from 'react';
import { useAppContext, useViewOf } from '../app/app-context.ts';
import { type CellRange, rangeOf } from '../app/store/selection-slice.ts';
import type { Geometry } from './geometry.ts';
import type { GridScroll } from './use-grid-scroll.ts';

/** The selected cells, and the functions that change the selection; each scrolls its target into view. */
export type GridSelection = ReturnType<typeof useGridSelection>;

/** @param onSelect called before another cell becomes active */
export function useGridSelection(
  length: number,
  columns: number,
  geometry: Geometry,
  {
    showRow,
    showColumn,
    showGroup,
  }: Pick<GridScroll, 'showRow' | 'showColumn'> & {
    readonly showGroup: (group: number) => void;
  },
  onSelect: () => void,
) {
  const { store } = useAppContext();
  const selection = useViewOf((s) => ({
    active: s.active,
    anchor: s.anchor,
    wholeRows: s.wholeRows,
    all: s.all,
    activeGroup: s.activeGroup,
  }));
  const select = useCallback(
    (row: number, col: number, extend: boolean) => {
      onSelect();
      store.getState().select({ row, col }, extend);
      showRow(row);
      if (col >= geometry.frozen) showColumn(geometry.lefts[col] ?? 0, geometry.widths[col] ?? 0, geometry.pinned);
    },
    [store, showRow, showColumn, geometry, onSelect],
  );
  return {
    /** Limited to the rows of the view, which may have become fewer. */
    active: {
      row: Math.min(selection.active.row, Math.max(0, length - 1)),
      col: Math.min(selection.active.col, Math.max(0, columns - 1)),
    },
    range: rangeOf(selection, columns),
    wholeRows: selection.wholeRows,
    activeGroup: selection.activeGroup,
    /** Makes a group header active and selects the group's rows. */
    selectGroup: (group: number, rows: { readonly from: number; readonly count: number }) => {
      onSelect();
      store.getState().selectGroup(group, rows);
      showGroup(group);
    },
    select,
    selectRange: (to: CellRange) => {
      store.getState().select({ row: to.top, col: to.left }, false);
      const corner = { row: Math.min(to.bottom, length - 1), col: Math.min(to.right, columns - 1) };
      store.getState().select(corner, true);
    },
    selectRows: (row: number, extend: boolean) => {
      onSelect();
      store.getState().selectRows(extend ? store.getState().anchor.row : row, row);
      showRow(row);
    },
  };
}
