import type { StateCreator } from 'zustand';
import type { BulkTool, RefusalReason } from '../../../shared/api/bulk.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { OpenTool, PaneSlice, ToolStep } from './layout-slice.ts';
import type { NavigationSlice } from './navigation-slice.ts';

/** The preview of one cell's new value. `by` is the change of an amount. */
export interface CellGhost {
  readonly before: Cell;
  readonly value: Cell;
  readonly by: number | null;
}

/** The preview of a row: new values by field, or why it is skipped. */
export interface RowGhost {
  readonly cells: Readonly<Record<string, CellGhost>>;
  readonly why: RefusalReason | null;
}

/**
 * What the open tool would change: requested from main for the rows on screen, as a tool or as suggested bids, or given
 * for every row.
 */
export interface GhostOptions {
  readonly kind: Kind;
  readonly fields: readonly string[];
  readonly of:
    | { readonly tool: BulkTool }
    | { readonly suggested: 'bid' }
    | { readonly rows: ReadonlyMap<number, RowGhost> };
  /** Positions of the affected rows in the view; null for all. */
  readonly range: { readonly from: number; readonly to: number } | null;
}

/**
 * The tool beside the rows.
 *
 *   nothing -- openTool --> form -- input: showGhosts --> preview in the grid -- applied or closed --> nothing
 */
export interface ToolSlice {
  /** A new object each time a tool is opened, which resets its form. */
  readonly tool: OpenTool;
  readonly ghosts: GhostOptions | null;
  /** The average of the new amounts; null until it is known. */
  readonly ghostAverage: number | null;
  readonly openTool: (step: ToolStep, field?: string, isSuggested?: boolean) => void;
  readonly showGhosts: (ghosts: GhostOptions | null) => void;
  readonly showGhostAverage: (average: number | null) => void;
  readonly closePane: () => void;
}

export const createToolSlice: StateCreator<ToolSlice & PaneSlice & NavigationSlice, [], [], ToolSlice> = (set) => ({
  tool: { step: 'set', field: '' },
  ghosts: null,
  ghostAverage: null,
  openTool: (step, field = '', isSuggested = false) =>
    set(({ hidden }) => ({
      tool: { step, field, isSuggested },
      place: 'rows',
      paneTab: 'change',
      hidden: { ...hidden, inspector: false },
    })),
  showGhosts: (ghosts) => set({ ghosts }),
  showGhostAverage: (ghostAverage) => set({ ghostAverage }),
  closePane: () => set(({ hidden }) => ({ ghosts: null, hidden: { ...hidden, inspector: true } })),
});
