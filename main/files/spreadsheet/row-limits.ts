import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';

/** Limits of one row of a sheet, whatever file it comes from. */
export const CELL_MAX_CHARACTERS = 32 * 1024;
const MAX_COLUMNS = 256;

/** Which limit the row in this line breaks, or null. The header is not counted among the rows. */
export function rowProblem(cells: readonly string[], line: number, maxRows: number): FileRefusal | null {
  if (line > maxRows + 1) return fileRefusal('too-many-rows', { limit: maxRows });
  if (cells.length > MAX_COLUMNS) return fileRefusal('too-many-columns', { columns: cells.length, limit: MAX_COLUMNS });
  if (cells.some((cell) => cell.length > CELL_MAX_CHARACTERS)) {
    return fileRefusal('cell-too-long', { line, limit: CELL_MAX_CHARACTERS });
  }
  return null;
}
