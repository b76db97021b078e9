import type { StateCreator } from 'zustand';
import type { BulkTool, RefusalReason } from '../../../shared/api/bulk.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { OpenTool, PaneSlice, ToolStep } from './layout-slice.ts';
import type { NavigationSlice } from './navigation-slice.ts';

/** The new value of one cell, before anything is written. `by` is how much an amount grows. */
export interface CellGhost {
  readonly before: Cell;
  readonly value: Cell;
  readonly by: number | null;
}

/** What a tool would make of a row: new values by field, or why it is skipped. */
export interface RowGhost {
  readonly cells: Readonly<Record<string, CellGhost>>;
  readonly why: RefusalReason | null;
}

/** What the open tool would change: asked of main for the rows on screen, or known for every row already. */
export interface GhostOptions {
  readonly kind: Kind;
  readonly fields: readonly string[];
  readonly of: { readonly tool: BulkTool } | { readonly rows: ReadonlyMap<number, RowGhost> };
  /** Places of the rows it works on; null for all of the view. */
  readonly range: { readonly from: number; readonly to: number } | null;
}

/**
 * The tool beside the rows.
 *
 *   nothing -- openTool --> form -- something is typed: showGhosts --> new values in the grid -- applied or closed --> nothing
 */
export interface ToolSlice {
  /** Another object each time a tool is opened, so that its form begins again. */
  readonly tool: OpenTool;
  readonly ghosts: GhostOptions | null;
  /** What the new amounts come to on average; null while nobody knows. */
  readonly ghostAverage: number | null;
  readonly openTool: (step: ToolStep, field?: string) => void;
  readonly showGhosts: (ghosts: GhostOptions | null) => void;
  readonly showGhostAverage: (average: number | null) => void;
  readonly closePane: () => void;
}

export const createToolSlice: StateCreator<ToolSlice & PaneSlice & NavigationSlice, [], [], ToolSlice> = (set) => ({
  tool: { step: 'set', field: '' },
  ghosts: null,
  ghostAverage: null,
  openTool: (step, field = '') =>
    set(({ hidden }) => ({
      tool: { step, field },
      place: 'rows',
      paneTab: 'change',
      hidden: { ...hidden, inspector: false },
    })),
  showGhosts: (ghosts) => set({ ghosts }),
  showGhostAverage: (ghostAverage) => set({ ghostAverage }),
  closePane: () => set(({ hidden }) => ({ ghosts: null, hidden: { ...hidden, inspector: true } })),
});
