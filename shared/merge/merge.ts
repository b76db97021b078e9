import type { Cell } from '../model/field-types.ts';
import { type AnyValues, fieldSpec } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { isSameCell } from './canonical.ts';

/**
 * Three-way merge of one row, field by field: what the service said before (base), what the user wants
 * (mine), what the service says now (theirs).
 *
 *   mine    theirs             outcome
 *   same    same               same
 *   changed same               keep-mine: pushed by the next sync
 *   same    changed            take-theirs
 *   changed changed, equal     converged: nothing left to push
 *   changed changed, different conflict: the row waits until the user picks
 */
export type FieldOutcome = 'same' | 'keep-mine' | 'take-theirs' | 'converged' | 'conflict';

export interface FieldConflict {
  readonly field: string;
  readonly base: Cell;
  readonly mine: Cell;
  readonly theirs: Cell;
}

export interface RowMerge {
  /** What the row holds after the merge; in a conflict, mine. */
  readonly values: AnyValues;
  /** What the service is now known to hold. */
  readonly base: AnyValues;
  readonly outcomes: Readonly<Record<string, FieldOutcome>>;
  readonly conflicts: readonly FieldConflict[];
}

export function mergeField(kind: Kind, field: string, base: Cell, mine: Cell, theirs: Cell): FieldOutcome {
  const isMineSame = isSameCell(kind, field, base, mine);
  const isTheirsSame = isSameCell(kind, field, base, theirs);
  if (isMineSame) return isTheirsSame ? 'same' : 'take-theirs';
  // The service owns these: what it says is so, whatever stood in the draft.
  if (fieldSpec(kind, field)?.owner === 'service') return 'take-theirs';
  if (isTheirsSame) return 'keep-mine';
  return isSameCell(kind, field, mine, theirs) ? 'converged' : 'conflict';
}

/** @param theirs only the fields that the answer had; the others stay as they are on both sides */
export function mergeRow(kind: Kind, base: AnyValues, mine: AnyValues, theirs: Partial<AnyValues>): RowMerge {
  const values: Record<string, Cell> = { ...mine };
  const newBase: Record<string, Cell> = { ...base };
  const outcomes: Record<string, FieldOutcome> = {};
  const conflicts: FieldConflict[] = [];
  for (const [field, their] of Object.entries(theirs)) {
    if (their === undefined) continue;
    const [before, own] = [base[field] ?? null, mine[field] ?? null];
    const outcome = mergeField(kind, field, before, own, their);
    outcomes[field] = outcome;
    newBase[field] = their;
    // Equal in canonical form but spelled otherwise: the service's spelling, so that nothing looks changed.
    if (outcome === 'same' || outcome === 'take-theirs' || outcome === 'converged') values[field] = their;
    if (outcome === 'conflict') conflicts.push({ field, base: before, mine: own, theirs: their });
  }
  return { values, base: newBase, outcomes, conflicts };
}
