import { mergeField } from '../merge/merge.ts';
import type { AnyValues } from '../model/fields.ts';
import { fieldSpec } from '../model/fields.ts';
import type { AnyRow } from '../model/row.ts';
import { err, ok, type Result } from '../result.ts';
import { type ColumnSet, fieldBit, NO_COLUMNS } from './column-choice.ts';
import type { LinkProblem } from './link-parents.ts';
import { columnFor, valuesOf } from './row-values.ts';
import type { SheetUpdate } from './sheet-changes.ts';
import type { SheetRow } from './sheet-row.ts';

export interface ChangedCells {
  /** Without the cells of columns that are left out. */
  readonly changed: readonly SheetUpdate[];
  /** Columns in which the row differs, those that are left out among them. */
  readonly fills: ColumnSet;
  /** Columns that were edited both here and in the sheet. */
  readonly apart: ColumnSet;
  /** Columns with a change that cannot be, passed over because they are left out. */
  readonly passedOver: ColumnSet;
}

/**
 * What a row of a sheet would change in the row it means. A row that knows how it was exported is merged three ways.
 *
 * @param isTaken the sheet's value wins where both sides were edited
 * @param out columns whose cells do not count
 */
export function changedCells(
  row: SheetRow,
  known: AnyRow,
  isTaken: boolean,
  out: ColumnSet,
): Result<ChangedCells, LinkProblem> {
  const changed: SheetUpdate[] = [];
  let [fills, apart, passedOver] = [NO_COLUMNS, NO_COLUMNS, NO_COLUMNS];
  const before: AnyValues = known.values;
  for (const [field, value] of Object.entries(valuesOf(row))) {
    const here = before[field] ?? null;
    // A sheet that does not know how it was exported is compared with what is here, so all it differs in counts.
    const exported = row.base?.[field];
    const outcome = mergeField(row.kind, field, exported === undefined ? here : exported, here, value);
    if (outcome !== 'take-theirs' && outcome !== 'conflict') continue;
    const bit = fieldBit(row.kind, field);
    fills |= bit;
    if (outcome === 'conflict' && !isTaken) {
      apart |= bit;
      continue;
    }
    const isFixed = fieldSpec(row.kind, field)?.owner === 'user-until-sent' && known.remoteId !== null;
    if (isFixed && (bit & out) === 0) {
      const column = columnFor(row.kind, field);
      return err({ column, problem: { kind: 'fixed', column } });
    }
    if (isFixed) passedOver |= bit;
    if ((bit & out) === 0) changed.push({ kind: row.kind, id: known.id, field, value, line: row.line });
  }
  return ok({ changed, fills, apart, passedOver });
}
