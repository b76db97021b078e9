import type { Cell } from '../model/field-types.ts';
import type { Kind } from '../model/kinds.ts';
import type { RowId } from '../model/scalars.ts';

/**
 * The rows of one computer of a team: the draft that its user edits, and the state by the team's log. Where both are
 * equal there is nothing to share. Implemented by the store with SQLite, and by the simulator in memory.
 */
export interface TeamRows {
  find(row: RowId): TeamRow | null;
  /** Rows directly below, in the draft or in the log. */
  childrenOf(row: RowId): readonly TeamRow[];
  saveRow(row: TeamRow): void;
  /** Removes a row that is in neither the draft nor the log, with its cells. */
  forget(row: RowId): void;
  cell(row: RowId, field: string): TeamCell;
  saveCell(row: RowId, field: string, cell: TeamCell): void;
  /** Fields of a row with a value in the draft or in the log. */
  fieldsOf(row: RowId): readonly string[];
}

export interface TeamRow {
  readonly kind: Kind;
  readonly row: RowId;
  readonly parent: RowId | null;
  /** In the draft of this computer. */
  readonly isHere: boolean;
  /** In the log, as far as it is folded. */
  readonly isShared: boolean;
  /** Created or removed here, and not in the log yet. */
  readonly isAhead: boolean;
  /** Removed on one side and changed on the other: it is not shared until the user decides. */
  readonly isInConflict: boolean;
}

export interface TeamCell {
  readonly mine: Cell;
  /** The value by the log, as far as it is folded. */
  readonly shared: Cell;
  /** In a conflict, the value by the log before the colleague changed it. */
  readonly base: Cell;
  /** Changed here, and not in the log yet. */
  readonly isAhead: boolean;
  /** A colleague changed it as well: it is not shared until the user picks, or the log has the earlier value again. */
  readonly isInConflict: boolean;
}

export const EMPTY_CELL: TeamCell = { mine: null, shared: null, base: null, isAhead: false, isInConflict: false };

/** All rows below a row, parents first, without the row itself. */
export function descendantsOf(rows: Pick<TeamRows, 'childrenOf'>, row: RowId): readonly TeamRow[] {
  return rows.childrenOf(row).flatMap((child) => [child, ...descendantsOf(rows, child.row)]);
}

/** The row and its parents, up to the campaign or the file. */
export function pathOf(rows: Pick<TeamRows, 'find'>, row: RowId): readonly TeamRow[] {
  const found = rows.find(row);
  return found === null ? [] : [found, ...(found.parent === null ? [] : pathOf(rows, found.parent))];
}
