import { useCallback, useEffect, useRef } from 'react';
import { asRowId } from '../../shared/model/scalars.ts';
import { useAppContext, useViewOf } from '../app/app-context.ts';
import { type CellRange, FIRST_CELL, type GroupRows, rangeOf } from '../app/store/selection-slice.ts';
import type { Geometry } from './geometry.ts';
import type { GridScroll } from './use-grid-scroll.ts';
import type { WindowSource } from './window.ts';

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
    selectGroup: (group: number, rows: GroupRows, col: number) => {
      onSelect();
      store.getState().selectGroup(group, rows, col);
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

/** How many positions above and below its old place a row is searched. */
const NEAR = 200;

/**
 * Keeps the active cell on its row:
 *
 *   another filter        -> the row is searched in the whole view and shown; without it, the view starts at its top
 *   rows added or removed -> the row is searched nearby among the loaded rows; without it, the cell keeps its position
 */
export function useActiveRow(
  source: WindowSource,
  version: number,
  active: number,
  showRow: GridScroll['showRow'],
): void {
  const { store } = useAppContext();
  const known = useRef<{
    readonly row: number;
    readonly id: number;
    readonly length: number;
    readonly request: WindowSource['request'];
  } | null>(null);
  const { request } = source;

  /** Until its page has loaded, nothing is known of a row. */
  const remember = useCallback(
    (row: number) => {
      const id = source.rowAt(row)?.id;
      known.current = id === undefined ? null : { row, id, length: source.length(), request };
    },
    [source, request],
  );

  useEffect(() => {
    const before = known.current;
    const { active: cell, target } = store.getState();
    if (before === null || isSameFilter(before.request, request)) return;
    const show = (row: number): void => {
      store.getState().select({ row, col: cell.col }, false);
      remember(row);
      showRow(row);
    };
    if (cell === FIRST_CELL) show(0);
    // The target is shown instead.
    if (cell === FIRST_CELL || target !== null) return;
    let over = false;
    source.indexOf(asRowId(before.id)).then(
      (row) => {
        if (over) return;
        // A cell that was made active while the row was searched stays active.
        if (store.getState().active === cell) show(row ?? 0);
        else remember(store.getState().active.row);
      },
      () => {
        // Without a connection, which the status bar shows, the cell keeps its position.
        if (!over) known.current = null;
      },
    );
    return () => {
      over = true;
    };
  }, [source, request, store, remember, showRow]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the source has other rows.
  useEffect(() => {
    const here = source.rowAt(active);
    const before = known.current;
    if (here === undefined || (before !== null && !isSameFilter(before.request, request))) return;
    if (before?.row === active && before.id !== here.id && before.length !== source.length()) {
      for (let by = 1; by <= NEAR; by += 1) {
        const row = [active - by, active + by].find((index) => source.rowAt(index)?.id === before.id);
        if (row === undefined) continue;
        remember(row);
        store.getState().select({ row, col: store.getState().active.col }, false);
        return;
      }
    }
    remember(active);
  }, [source, request, version, active, store, remember]);
}

const isSameFilter = (a: WindowSource['request'], b: WindowSource['request']): boolean =>
  a.filter === b.filter && a.only === b.only;
