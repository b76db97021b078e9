import type { CellRange } from '../store/selection-slice.ts';
import type { Column } from './columns.ts';
import type { GridEdit } from './use-grid-edit.ts';

/** What commands may do with the grid on screen; menus, palette and shortcuts all come through here. */
export interface GridDoor {
  readonly edit: GridEdit;
  readonly columns: readonly Column[];
  readonly range: () => CellRange;
  readonly openEditor: () => void;
  /** Makes a column as wide as what is in it on screen. */
  readonly fit: (col: number) => void;
  readonly focus: () => void;
}
