import type { StateCreator } from 'zustand';

/** A cell by its position in the view: row index and column index. */
export interface CellPlace {
  readonly row: number;
  readonly col: number;
}

/** The active cell and the opposite corner of the range. `wholeRows` when the range was made in the row gutter. */
export interface SelectionSlice {
  readonly active: CellPlace;
  readonly anchor: CellPlace;
  readonly wholeRows: boolean;
  /** The group whose header is active; its rows are selected. */
  readonly activeGroup: number | null;
  readonly selectGroup: (group: number, rows: { readonly from: number; readonly count: number }) => void;
  readonly select: (active: CellPlace, extend: boolean) => void;
  readonly selectRows: (from: number, to: number) => void;
}

export const createSelectionSlice: StateCreator<SelectionSlice> = (set) => ({
  active: { row: 0, col: 0 },
  anchor: { row: 0, col: 0 },
  wholeRows: false,
  activeGroup: null,
  selectGroup: (activeGroup, { from, count }) =>
    set(({ active: { col } }) => ({
      activeGroup,
      active: { row: from, col },
      anchor: { row: from + Math.max(0, count - 1), col },
      wholeRows: true,
    })),
  select: (active, extend) =>
    set((state) => ({ active, anchor: extend ? state.anchor : active, wholeRows: false, activeGroup: null })),
  selectRows: (from, to) =>
    set((state) => ({
      active: { row: to, col: state.active.col },
      anchor: { row: from, col: state.active.col },
      wholeRows: true,
      activeGroup: null,
    })),
});

export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const cellCount = (range: CellRange): number => (range.bottom - range.top + 1) * (range.right - range.left + 1);

/** The selected rectangle, all four sides inclusive. */
export function rangeOf(
  selection: Pick<SelectionSlice, 'active' | 'anchor' | 'wholeRows'>,
  columns: number,
): CellRange {
  const { active, anchor, wholeRows } = selection;
  return {
    top: Math.min(active.row, anchor.row),
    bottom: Math.max(active.row, anchor.row),
    left: wholeRows ? 0 : Math.min(active.col, anchor.col),
    right: wholeRows ? columns - 1 : Math.max(active.col, anchor.col),
  };
}
