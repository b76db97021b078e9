import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import type { RowId } from '../model/scalars.ts';
import type { CellChange, ChangeSet, MadeRow, RowRef } from './change-set.ts';
import { pathOf, type TeamRow, type TeamRows } from './team-rows.ts';

/** A change set to be shared, with the campaigns and files that it writes to or relies on. */
export interface Share {
  readonly changes: ChangeSet;
  /** Numbers of campaigns and of files, each once, in ascending order. */
  readonly scopes: readonly RowId[];
}

/**
 * The part of some rows that can be shared now. Excluded are cells and rows that wait for the user's decision, rows below
 * such a row, and new rows whose parent is neither in the log nor among these.
 *
 * @param ahead rows with unshared changes, parents before their children
 */
export function shareOf(rows: TeamRows, ahead: Iterable<TeamRow>): Share {
  const made: MadeRow[] = [];
  const removed: RowRef[] = [];
  const cells: CellChange[] = [];
  const scopes = new Set<RowId>();
  const isMade = new Set<RowId>();
  for (const { kind, row, parent, isHere, isShared } of ahead) {
    const path = pathOf(rows, row);
    const above = path[1];
    // Its parent is removed: it is removed too, or waits until the parent is created again.
    if (parent !== null && above === undefined) continue;
    if (path.some(({ isInConflict }) => isInConflict)) continue;
    if (isHere && above !== undefined && !above.isShared && !isMade.has(above.row)) continue;
    if (isHere && !isShared) {
      made.push({ kind, row, parent });
      isMade.add(row);
    }
    if (!isHere && isShared) removed.push({ kind, row });
    const written = isHere ? rows.fieldsOf(row).flatMap((field) => cellToShare(rows, kind, row, field)) : [];
    for (const { field, value } of written) {
      const relied = referredRow(kind, field, value);
      if (relied !== null) scopes.add(rootOf(rows, relied));
    }
    cells.push(...written);
    if (written.length > 0 || isHere !== isShared) scopes.add(path.at(-1)?.row ?? row);
  }
  return { changes: { made, removed, cells }, scopes: [...scopes].toSorted((a, b) => a - b) };
}

/** For a row that is not in the log, all values. */
function cellToShare(rows: TeamRows, kind: TeamRow['kind'], row: RowId, field: string): readonly CellChange[] {
  const { mine, shared, isAhead, isInConflict } = rows.cell(row, field);
  const isNew = rows.find(row)?.isShared !== true;
  return isInConflict || !(isNew ? mine !== null : isAhead && mine !== shared)
    ? []
    : [{ kind, row, field, value: mine }];
}

const referredRow = (kind: TeamRow['kind'], field: string, value: Cell): RowId | null =>
  fieldSpec(kind, field)?.type.is === 'ref' && typeof value === 'number' ? (value as RowId) : null;

const rootOf = (rows: TeamRows, row: RowId): RowId => pathOf(rows, row).at(-1)?.row ?? row;
