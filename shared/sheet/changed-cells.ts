import { mergeField } from '../merge/merge.ts';
import type { AnyValues } from '../model/fields.ts';
import { fieldSpec } from '../model/fields.ts';
import type { AnyRow } from '../model/row.ts';
import { err, ok, type Result } from '../result.ts';
import type { LinkProblem } from './link-parents.ts';
import { columnFor, valuesOf } from './row-values.ts';
import type { SheetUpdate } from './sheet-changes.ts';
import type { SheetRow } from './sheet-row.ts';

export interface ChangedCells {
  readonly changed: readonly SheetUpdate[];
  /** A cell was edited both here and in the sheet. */
  readonly isConflict: boolean;
}

/**
 * What a row of a sheet would change in the row it means. A row that knows how it was exported is merged three ways.
 *
 * @param isTaken the sheet's value wins where both sides were edited
 */
export function changedCells(row: SheetRow, known: AnyRow, isTaken: boolean): Result<ChangedCells, LinkProblem> {
  const changed: SheetUpdate[] = [];
  let isConflict = false;
  const before: AnyValues = known.values;
  for (const [field, value] of Object.entries(valuesOf(row))) {
    const here = before[field] ?? null;
    // A sheet that does not know how it was exported is compared with what is here, so all it differs in counts.
    const exported = row.base?.[field];
    const outcome = mergeField(row.kind, field, exported === undefined ? here : exported, here, value);
    if (outcome === 'conflict' && !isTaken) {
      isConflict = true;
      continue;
    }
    if (outcome !== 'take-theirs' && outcome !== 'conflict') continue;
    const isFixed = fieldSpec(row.kind, field)?.owner === 'user-until-sent' && known.remoteId !== null;
    if (isFixed) {
      const column = columnFor(row.kind, field);
      return err({ column, problem: { kind: 'fixed', column } });
    }
    changed.push({ kind: row.kind, id: known.id, field, value, line: row.line });
  }
  return ok({ changed, isConflict });
}
