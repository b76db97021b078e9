import { isSameCell } from '../merge/merge.ts';
import type { Cell } from '../model/field-types.ts';
import type { Kind } from '../model/kinds.ts';
import type { RowId } from '../model/scalars.ts';
import type { CellChange, ChangeSet, MadeRow } from './change-set.ts';
import { EMPTY_CELL, type TeamCell, type TeamRow, type TeamRows } from './team-rows.ts';

/**
 * The inverse of an entry on the shared side. It is computed before the entry is folded and stored with it, in case
 * the database loses the entry.
 */
export function inverseOf(rows: TeamRows, { made, removed, cells }: ChangeSet): ChangeSet {
  const isMade = new Set(made.map(({ row }) => row));
  const lost = removed.map(({ row }) => rows.find(row)).filter((row) => row !== null);
  return {
    made: lost.map(({ kind, row, parent }): MadeRow => ({ kind, row, parent })),
    removed: made.filter(({ row }) => !rows.find(row)?.isShared).map(({ kind, row }) => ({ kind, row })),
    cells: [
      ...cells
        .filter(({ row }) => !isMade.has(row))
        .map((cell): CellChange => ({ ...cell, value: rows.cell(cell.row, cell.field).shared })),
      ...lost.flatMap(({ kind, row }) =>
        rows.fieldsOf(row).map((field): CellChange => ({ kind, row, field, value: rows.cell(row, field).shared })),
      ),
    ],
  };
}

/**
 * Reverts an entry on the shared side that the database has lost. Drafts stay: changes of this computer are shared
 * again, and colleagues share theirs again.
 *
 * @param inverse result of `inverseOf` before the entry was folded
 */
export function unfoldChangeSet(rows: TeamRows, inverse: ChangeSet, isOwn: boolean): void {
  for (const { kind, row, parent } of inverse.made) {
    const known = rows.find(row);
    const isBelowHere = parent === null || rows.find(parent)?.isHere === true;
    const isHere = known?.isHere === true || (!isOwn && isBelowHere);
    rows.saveRow({ kind, row, parent, isHere, isShared: true, isAhead: !isHere, isInConflict: false });
  }
  for (const { kind, row, field, value } of inverse.cells) {
    const cell = rows.cell(row, field);
    const mine = isOwn || cell.isAhead ? cell.mine : value;
    const isAhead = !isSameCell(kind, field, mine, value);
    const isInConflict = isAhead && isStillDisputed(kind, field, cell, value);
    rows.saveCell(row, field, { ...cell, mine, shared: value, isAhead, isInConflict });
  }
  // Children before their parents, so that unshared rows below a row are found.
  for (const { row } of inverse.removed.toReversed()) {
    const known = rows.find(row);
    if (known === null) continue;
    if (known.isHere && (isOwn || isUsedHere(rows, row))) makeUnshared(rows, known);
    else rows.forget(row);
  }
}

/** A conflict ends when the log has the value again that it had before the colleague's change. */
export const isStillDisputed = (kind: Kind, field: string, { base, isInConflict }: TeamCell, shared: Cell): boolean =>
  isInConflict && !isSameCell(kind, field, base, shared);

const isUsedHere = (rows: TeamRows, row: RowId): boolean =>
  rows.fieldsOf(row).some((field) => rows.cell(row, field).isAhead) || rows.childrenOf(row).length > 0;

/** Marks a row of the draft that is no longer in the log as unshared, with all of its cells. */
export function makeUnshared(rows: TeamRows, row: TeamRow, isInConflict = false): void {
  rows.saveRow({ ...row, isShared: false, isAhead: true, isInConflict });
  for (const field of rows.fieldsOf(row.row)) {
    const { mine } = rows.cell(row.row, field);
    rows.saveCell(row.row, field, { ...EMPTY_CELL, mine, isAhead: mine !== null });
  }
}
