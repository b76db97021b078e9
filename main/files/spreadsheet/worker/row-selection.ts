import type { ColumnSet } from '../../../../shared/spreadsheet/columns.ts';
import type { LineOutcome, LineOutcomes } from './line-outcomes.ts';

/** What the user can take or leave of a preview, row by row. */
export type SelectableOutcome = Extract<LineOutcome, 'added' | 'changed' | 'removed' | 'conflict'>;

const CHOOSABLE: readonly LineOutcome[] = ['added', 'changed', 'removed', 'conflict'];
export const isChoosable = (outcome: LineOutcome): outcome is SelectableOutcome => CHOOSABLE.includes(outcome);

/** Which rows of a preview come in: by what becomes of them, and line by line where that differs. */
export interface RowSelection {
  /** What of it comes in, but for the lines in `leaveOut`; in a conflict the file then decides. */
  readonly comeIn: readonly SelectableOutcome[];
  readonly leaveOut: readonly number[];
  /** Lines that come in although `comeIn` does not say so. */
  readonly take: readonly number[];
}

/** Everything new or changed comes in; what was edited in both places stays as it is here. */
export const AS_PREVIEWED: RowSelection = { comeIn: ['added', 'changed', 'removed'], leaveOut: [], take: [] };

/** Tells of a line whether it comes in. A million lines are judged without a list of them. */
export function isRowSelected(
  outcomes: LineOutcomes,
  out: ColumnSet,
  { comeIn, leaveOut, take }: RowSelection,
): (line: number) => boolean {
  const wanted = new Set<LineOutcome>(comeIn);
  const [left, taken] = [new Set(leaveOut), new Set(take)];
  return (line) => {
    const outcome = outcomes.of(line, out);
    if (outcome === null || !isChoosable(outcome)) return false;
    return wanted.has(outcome) ? !left.has(line) : taken.has(line);
  };
}
