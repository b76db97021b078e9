import type { Cell } from '../model/field-types.ts';
import type { Kind } from '../model/kinds.ts';
import type { RowId } from '../model/scalars.ts';

/**
 * What one computer of a team knows of its rows: the draft that its user edits, and beside it what the log of the team says.
 * Where both agree there is nothing to share. The store answers from SQLite, the simulator from memory.
 */
export interface TeamRows {
  find(row: RowId): TeamRow | null;
  /** Rows directly below, in the draft or in the log. */
  childrenOf(row: RowId): readonly TeamRow[];
  saveRow(row: TeamRow): void;
  /** A row that is neither in the draft nor in the log any more; its cells go with it. */
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
  /** Made or removed here, and the log does not say so yet. */
  readonly isAhead: boolean;
  /** Removed on one side and changed on the other: nothing of it is shared until the user picks. */
  readonly isInConflict: boolean;
}

export interface TeamCell {
  readonly mine: Cell;
  /** What the log says, as far as it is folded. */
  readonly shared: Cell;
  /** Changed here, and the log does not say so yet. */
  readonly isAhead: boolean;
  /** A colleague changed it as well: it is not shared until the user picks. */
  readonly isInConflict: boolean;
}

export const EMPTY_CELL: TeamCell = { mine: null, shared: null, isAhead: false, isInConflict: false };

/** Everything below a row, parents first; the row itself is not among them. */
export function descendantsOf(rows: Pick<TeamRows, 'childrenOf'>, row: RowId): readonly TeamRow[] {
  return rows.childrenOf(row).flatMap((child) => [child, ...descendantsOf(rows, child.row)]);
}

/** The row and its parents, up to the campaign or the file. */
export function pathOf(rows: Pick<TeamRows, 'find'>, row: RowId): readonly TeamRow[] {
  const found = rows.find(row);
  return found === null ? [] : [found, ...(found.parent === null ? [] : pathOf(rows, found.parent))];
}
