import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';

/** Limits of one row of a sheet, whatever file it comes from. */
export const CELL_MAX_CHARACTERS = 32 * 1024;
const MAX_COLUMNS = 256;

/** Appends a row, or says which limit it breaks. */
export function takeRow(rows: string[][], cells: string[], maxRows: number): FileRefusal | null {
  if (rows.length > maxRows) return fileRefusal('too-many-rows', { limit: maxRows });
  if (cells.length > MAX_COLUMNS) return fileRefusal('too-many-columns', { columns: cells.length, limit: MAX_COLUMNS });
  if (cells.some((cell) => cell.length > CELL_MAX_CHARACTERS)) {
    return fileRefusal('cell-too-long', { line: rows.length + 1, limit: CELL_MAX_CHARACTERS });
  }
  rows.push(cells);
  return null;
}
