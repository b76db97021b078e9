import { isSameCell, mergeField } from '../merge/merge.ts';
import type { Cell } from '../model/field-types.ts';
import type { Kind } from '../model/kinds.ts';
import type { RowId } from '../model/scalars.ts';
import type { ChangeSet } from './change-set.ts';
import type { SetKind } from './position.ts';
import { descendantsOf, EMPTY_CELL, pathOf, type TeamCell, type TeamRows } from './team-rows.ts';
import { isStillDisputed, makeUnshared } from './unfold.ts';

/**
 * Folds an entry of the log. Only this changes the shared side of a computer, for its own entries too: the response to
 * a push may be lost, repeated or late, but the log can't.
 */
export function foldChangeSet(
  rows: TeamRows,
  { made, removed, cells }: ChangeSet,
  isOwn: boolean,
  from: SetKind = 'edit',
): void {
  const taken = from === 'service' ? foldServiceCell : foldCell;
  for (const { kind, row, parent } of made) {
    const known = rows.find(row);
    // A row that was removed here and is in the log again: the user must decide.
    const isRemovedHere = !isOwn && known !== null && !known.isHere && known.isAhead;
    const isGone = !isOwn && isUnderRemoved(rows, parent);
    rows.saveRow({
      kind,
      row,
      parent,
      // An own row that is no longer here was removed after it was offered.
      isHere: isOwn ? (known?.isHere ?? false) : !isRemovedHere && !isGone,
      isShared: true,
      isAhead: isOwn ? !known?.isHere : isRemovedHere || isGone,
      isInConflict: isRemovedHere,
    });
  }
  for (const { kind, row, field, value } of cells) {
    const cell = rows.cell(row, field);
    rows.saveCell(row, field, isOwn ? foldOwnCell(kind, field, cell, value) : taken(kind, field, cell, value));
  }
  if (!isOwn) for (const row of new Set([...made, ...cells].map((entry) => entry.row))) askAboutRemoved(rows, row);
  foldRemoved(
    rows,
    removed.map(({ row }) => row),
    isOwn,
  );
}

/**
 * Folds a colleague's value for a cell:
 *
 *   here                            outcome
 *   not changed                     take theirs
 *   changed to the same             nothing left to share
 *   changed to something else       conflict: the draft keeps mine, and it is not shared until the user decides
 *   in conflict, and theirs is back the conflict ends: the draft keeps mine, and it is shared
 */
function foldCell(kind: Kind, field: string, cell: TeamCell, theirs: Cell): TeamCell {
  const taken = { ...EMPTY_CELL, mine: theirs, shared: theirs };
  if (!cell.isAhead) return taken;
  const outcome = mergeField(kind, field, cell.shared, cell.mine, theirs);
  if (outcome === 'keep-mine') return { ...cell, shared: theirs };
  if (outcome !== 'conflict') return taken;
  const base = cell.isInConflict ? cell.base : cell.shared;
  return { ...cell, shared: theirs, base, isInConflict: !isSameCell(kind, field, base, theirs) };
}

/** Folds a value from the service: a changed cell keeps its value, and differs from the service as without a team. */
const foldServiceCell = (kind: Kind, field: string, cell: TeamCell, theirs: Cell): TeamCell =>
  cell.isAhead && !isSameCell(kind, field, cell.mine, theirs)
    ? { ...cell, shared: theirs, isInConflict: isStillDisputed(kind, field, cell, theirs) }
    : { ...EMPTY_CELL, mine: theirs, shared: theirs };

/** Folds a value shared by this computer: the cell is still unshared if the draft has changed since. */
const foldOwnCell = (kind: Kind, field: string, cell: TeamCell, value: Cell): TeamCell => {
  const isAhead = !isSameCell(kind, field, cell.mine, value);
  return { ...cell, shared: value, isAhead, isInConflict: isAhead && cell.isInConflict };
};

/**
 * Folds removed rows. If a row below the topmost of them is only in the draft, its whole branch stays in the draft,
 * and the user decides whether it is removed or created again.
 */
function foldRemoved(rows: TeamRows, removed: readonly RowId[], isOwn: boolean): void {
  const going = new Set(removed);
  const tops = removed.filter((row) => !going.has(rows.find(row)?.parent ?? row) || rows.find(row)?.parent === null);
  const kept = new Set(isOwn ? [] : tops.filter((row) => isChangedHere(rows, row)));
  const branches = new Set([...kept].flatMap((row) => descendantsOf(rows, row).map((below) => below.row)));
  // Children before their parents, as needed to delete them.
  for (const row of removed.toReversed()) {
    const known = rows.find(row);
    if (known === null) continue;
    // An own removal may have been undone since: then it is a new row for the others.
    const stays = known.isHere && (isOwn || kept.has(row) || branches.has(row));
    if (stays) makeUnshared(rows, known, kept.has(row));
    else rows.forget(row);
  }
}

/** Something of the row or below it is in the draft alone. */
const isChangedHere = (rows: TeamRows, row: RowId): boolean => {
  const own = rows.find(row);
  if (own === null || !own.isHere) return false;
  return (
    rows.fieldsOf(row).some((field) => rows.cell(row, field).isAhead) ||
    rows.childrenOf(row).some((child) => child.isHere && (!child.isShared || isChangedHere(rows, child.row)))
  );
};

const isUnderRemoved = (rows: TeamRows, parent: RowId | null): boolean =>
  parent !== null && pathOf(rows, parent).some(({ isHere, isAhead }) => !isHere && isAhead);

/** A colleague has changed something in a row that was removed here: the topmost removed row gets the conflict. */
function askAboutRemoved(rows: TeamRows, row: RowId): void {
  const top = pathOf(rows, row).findLast(({ isHere, isShared }) => !isHere && isShared);
  if (top !== undefined) rows.saveRow({ ...top, isAhead: true, isInConflict: true });
}

/** Applies the user's decision about a cell that a colleague changed too. */
export function pickCell(rows: TeamRows, row: RowId, field: string, take: 'mine' | 'theirs'): void {
  const cell = rows.cell(row, field);
  rows.saveCell(
    row,
    field,
    take === 'mine' ? { ...cell, isInConflict: false } : { ...EMPTY_CELL, mine: cell.shared, shared: cell.shared },
  );
}

/**
 * Applies the user's decision about a row that was removed on one side. With `mine` the draft applies: a row that was
 * removed here is removed for the team, one that a colleague removed is created again.
 */
export function pickRow(rows: TeamRows, row: RowId, take: 'mine' | 'theirs'): void {
  const asked = rows.find(row);
  if (asked === null) return;
  const branch = [asked, ...descendantsOf(rows, row)];
  if (take === 'mine') {
    for (const each of branch) if (each.isInConflict) rows.saveRow({ ...each, isInConflict: false });
    return;
  }
  for (const each of branch.toReversed()) {
    if (!each.isShared) rows.forget(each.row);
    else {
      rows.saveRow({ ...each, isHere: true, isAhead: false, isInConflict: false });
      for (const field of rows.fieldsOf(each.row)) {
        const { shared } = rows.cell(each.row, field);
        rows.saveCell(each.row, field, { ...EMPTY_CELL, mine: shared, shared });
      }
    }
  }
}
