import type { StateCreator } from 'zustand';

/** How the columns of each kind of row are shown. */
export interface ColumnSlice {
  /** Column widths by `kind.column`, in CSS pixels. */
  readonly columnWidths: Readonly<Record<string, number>>;
  /** Columns shown or hidden against their default, by `kind.column`. */
  readonly columnShown: Readonly<Record<string, boolean>>;
  /** Fields of a kind in the user's order; kinds without an entry keep the order of the model. */
  readonly columnOrder: Readonly<Record<string, readonly string[]>>;
  /** How many columns of a kind stay in view while the rest scrolls sideways; 1 without an entry. */
  readonly frozen: Readonly<Record<string, number>>;
  readonly resizeColumn: (key: string, width: number) => void;
  readonly showColumn: (key: string, shown: boolean) => void;
  readonly orderColumns: (kind: string, fields: readonly string[]) => void;
  readonly freezeColumns: (kind: string, count: number) => void;
}

export const createColumnSlice: StateCreator<ColumnSlice> = (set) => ({
  columnWidths: {},
  columnShown: {},
  columnOrder: {},
  frozen: {},
  resizeColumn: (key, width) => set((s) => ({ columnWidths: { ...s.columnWidths, [key]: Math.round(width) } })),
  showColumn: (key, shown) => set((s) => ({ columnShown: { ...s.columnShown, [key]: shown } })),
  orderColumns: (kind, fields) => set((s) => ({ columnOrder: { ...s.columnOrder, [kind]: fields } })),
  freezeColumns: (kind, count) => set((s) => ({ frozen: { ...s.frozen, [kind]: Math.max(1, count) } })),
});
