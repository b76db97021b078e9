import type { ColumnFigures } from '../../../shared/contract/exchange.ts';
import { type ColumnSet, columnBit, IMPORT_COLUMNS } from '../../../shared/sheet/column-choice.ts';
import type { LineOutcomes } from './line-outcomes.ts';

/**
 * The columns that say something new, stop a row that could do without them, or are left out; in the order of the sheet.
 *
 * @param stopping the column of each problem that is none any more once the column is left out
 */
export function importColumns(
  outcomes: LineOutcomes,
  stopping: readonly string[],
  out: ColumnSet,
): readonly ColumnFigures[] {
  const figures = outcomes.columnCounts();
  const stopped = new Map<string, number>();
  for (const column of stopping) stopped.set(column, (stopped.get(column) ?? 0) + 1);
  return IMPORT_COLUMNS.flatMap((column, at) => {
    const { changes = 0, needed = 0 } = figures[at] ?? {};
    const problems = stopped.get(column) ?? 0;
    const isLeftOut = (columnBit(column) & out) !== 0;
    return changes + needed + problems > 0 || isLeftOut ? [{ column, changes, needed, problems, isLeftOut }] : [];
  });
}
