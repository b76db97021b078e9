import type { ClipboardEvent } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { CellRange } from '../app/store/selection-slice.ts';
import type { CellInput } from './cell-input.ts';
import type { Column } from './columns.ts';

/** The functions of the visible grid that commands may call; used by menus, command palette and shortcuts. */
export interface GridApi {
  readonly edit: GridEdit;
  readonly columns: readonly Column[];
  readonly range: () => CellRange;
  readonly openEditor: () => void;
  /** Shows how the suggested bid of the active row was computed. */
  readonly explainBid: () => void;
  /** Fits a column to its visible content. */
  readonly fit: (col: number) => void;
  /** Makes a column wider by this many CSS pixels. */
  readonly widen: (col: number, by: number) => void;
  readonly focus: () => void;
}

/** Edits made in the grid. Each is one undo step and leaves the rows in their positions. */
export interface GridEdit extends GridCopy {
  readonly setCell: (row: WindowRow, column: Column, input: CellInput) => Promise<void>;
  readonly setCells: (range: CellRange, column: Column, input: CellInput) => Promise<void>;
  readonly clear: (range: CellRange) => Promise<void>;
  readonly fillDown: (range: CellRange) => Promise<void>;
  /** Repeats the rows of `source` in `target`, which is above or below it and has the same columns. */
  readonly fillTo: (source: CellRange, target: CellRange) => Promise<void>;
  /** Pastes outside a clipboard event, for menus. */
  readonly pasteNow: (range: CellRange) => Promise<CellRange | null>;
  readonly paste: (event: ClipboardEvent, range: CellRange) => CellRange | null;
}

/** Copies cells as tab-separated text for spreadsheet programs. */
export interface GridCopy {
  readonly copy: (event: ClipboardEvent, range: CellRange) => void;
  /** Copies outside a clipboard event, for menus. */
  readonly copyNow: (range: CellRange) => Promise<void>;
}
