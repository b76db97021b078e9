import type { StateCreator } from 'zustand';

/** A cell by its position in the view: row index and column index. */
export interface CellPlace {
  readonly row: number;
  readonly col: number;
}

/** The rows of a group, by their place in the view. */
export interface GroupRows {
  readonly from: number;
  readonly count: number;
}

/** The active cell and the opposite corner of the range. `wholeRows` when the range was made in the row gutter. */
export interface SelectionSlice {
  readonly active: CellPlace;
  readonly anchor: CellPlace;
  readonly wholeRows: boolean;
  /** The number of rows in the view when all of them were selected, whichever cell is active; else null. */
  readonly all: number | null;
  /** The group whose header is active; its rows are selected. */
  readonly activeGroup: number | null;
  readonly selectGroup: (group: number, rows: GroupRows, col: number) => void;
  readonly select: (active: CellPlace, extend: boolean) => void;
  readonly selectRows: (from: number, to: number) => void;
  /** Selects all rows of the view. The active cell stays, as in a spreadsheet. */
  readonly selectAll: (rows: number) => void;
}

/** The active cell of a list that was just opened: the list is shown from its top, whichever row was active before. */
export const FIRST_CELL: CellPlace = { row: 0, col: 0 };

/** A range that ends at the active cell. */
const TO_ACTIVE = { all: null, activeGroup: null } as const;

export const createSelectionSlice: StateCreator<SelectionSlice> = (set) => ({
  active: FIRST_CELL,
  anchor: FIRST_CELL,
  wholeRows: false,
  ...TO_ACTIVE,
  selectGroup: (activeGroup, { from, count }, col) =>
    set({
      ...TO_ACTIVE,
      activeGroup,
      active: { row: from, col },
      anchor: { row: from + Math.max(0, count - 1), col },
      wholeRows: true,
    }),
  select: (active, extend) =>
    set((state) => ({ active, anchor: extend ? state.anchor : active, wholeRows: false, ...TO_ACTIVE })),
  selectRows: (from, to) =>
    set((state) => ({
      active: { row: to, col: state.active.col },
      anchor: { row: from, col: state.active.col },
      wholeRows: true,
      ...TO_ACTIVE,
    })),
  selectAll: (rows) => set(({ active }) => ({ active, anchor: active, wholeRows: true, all: rows, activeGroup: null })),
});

export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const cellCount = (range: CellRange): number => (range.bottom - range.top + 1) * (range.right - range.left + 1);

/** Most rows the details edit at once; use a bulk edit for more. */
export const DETAILS_MAX = 2000;

/** The selected rectangle, all four sides inclusive. */
export function rangeOf(
  selection: Pick<SelectionSlice, 'active' | 'anchor' | 'wholeRows' | 'all'>,
  columns: number,
): CellRange {
  const { active, anchor, wholeRows, all } = selection;
  if (all !== null) return { top: 0, bottom: all - 1, left: 0, right: columns - 1 };
  return {
    top: Math.min(active.row, anchor.row),
    bottom: Math.max(active.row, anchor.row),
    left: wholeRows ? 0 : Math.min(active.col, anchor.col),
    right: wholeRows ? columns - 1 : Math.max(active.col, anchor.col),
  };
}
