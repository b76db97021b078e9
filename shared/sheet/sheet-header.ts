import { err, ok, type Result } from '../result.ts';
import { BASE_COLUMN } from './base-cell.ts';
import { type Column, columnOf } from './columns.ts';
import type { SheetProblem } from './sheet-row.ts';

/** What the header row says: which cell of a row belongs to which column. */
export interface SheetHeader {
  /** The column of each cell of a row; null for columns that are not ours. */
  readonly columns: readonly (Column | null)[];
  /** Headers that are none of ours. */
  readonly unknown: readonly string[];
  /** Where the cell with the row as it was exported stands, or -1. */
  readonly baseAt: number;
}

/** Signs that end a line elsewhere, and a row of a sheet nowhere: in a header they mean that all rows stand in it. */
const OTHER_ROW_END = /[\f\v\u0085\u2028\u2029]/;

/** Every column at most once, and `Type` among them; else everything that is wrong. */
export function readHeader(cells: readonly string[], line: number): Result<SheetHeader, readonly SheetProblem[]> {
  const problems: SheetProblem[] = [];
  const unknown: string[] = [];
  const seen = new Set<Column>();
  const mark = cells.map((cell) => OTHER_ROW_END.exec(cell)?.[0]).find((found) => found !== undefined);
  if (mark !== undefined) {
    const name = `U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return err([{ line, column: '', problem: { kind: 'rows-in-header', mark: name } }]);
  }
  const columns = cells.map((cell) => {
    const text = cell.replace(/^\ufeff/, '').trim();
    const column = columnOf(text);
    if (column === null && text !== '' && text !== BASE_COLUMN) unknown.push(text);
    if (column !== null && seen.has(column)) problems.push({ line, column, problem: { kind: 'column-twice', column } });
    if (column !== null) seen.add(column);
    return column;
  });
  if (!seen.has('Type')) problems.push({ line, column: 'Type', problem: { kind: 'missing-column', column: 'Type' } });
  return problems.length > 0 ? err(problems) : ok({ columns, unknown, baseAt: cells.indexOf(BASE_COLUMN) });
}

/** Where the cell of a column stands in each row; -1 when the sheet has no such column. */
export const placeOf = ({ columns }: SheetHeader, column: Column): number => columns.indexOf(column);

/** What stands in a cell, without the blanks around it; empty for a cell that the row or the sheet does not have. */
export function textAt(cells: readonly string[], at: number): string {
  const cell = at < 0 ? '' : (cells[at] ?? '');
  return cell === '' ? '' : cell.trim();
}
