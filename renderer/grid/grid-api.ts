import type { ClipboardEvent } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { CellRange } from '../app/store/selection-slice.ts';
import type { CellInput } from './cell-input.ts';
import type { Column } from './columns.ts';

/** What commands may do with the grid on screen; menus, palette and shortcuts all come through here. */
export interface GridApi {
  readonly edit: GridEdit;
  readonly columns: readonly Column[];
  readonly range: () => CellRange;
  readonly openEditor: () => void;
  /** Shows how the suggested bid of the active row came about. */
  readonly explainBid: () => void;
  /** Makes a column as wide as what is in it on screen. */
  readonly fit: (col: number) => void;
  /** Makes a column wider by so many CSS pixels. */
  readonly widen: (col: number, by: number) => void;
  readonly focus: () => void;
}

/** The edits the grid makes itself. Each is one undo step and leaves the rows in their places. */
export interface GridEdit extends GridCopy {
  readonly setCell: (row: WindowRow, column: Column, input: CellInput) => Promise<void>;
  readonly setCells: (range: CellRange, column: Column, input: CellInput) => Promise<void>;
  readonly clear: (range: CellRange) => Promise<void>;
  readonly fillDown: (range: CellRange) => Promise<void>;
  /** Repeats the rows of `source` over `target`, which lies above or below it and has its columns. */
  readonly fillTo: (source: CellRange, target: CellRange) => Promise<void>;
  /** Pastes outside a clipboard event, for menus. */
  readonly pasteNow: (range: CellRange) => Promise<CellRange | null>;
  readonly paste: (event: ClipboardEvent, range: CellRange) => CellRange | null;
}

/** Cells to the clipboard, as spreadsheet programs take them. */
export interface GridCopy {
  readonly copy: (event: ClipboardEvent, range: CellRange) => void;
  /** The same outside a clipboard event, for menus. */
  readonly copyNow: (range: CellRange) => Promise<void>;
}
