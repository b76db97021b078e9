import { readFile, stat } from 'node:fs/promises';
import { type CellValue, streamXlsxRows } from 'hucre/xlsx';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rowProblem } from './row-limits.ts';
import { zipProblem } from './zip-limits.ts';

const XLSX_MAX_BYTES = 100 * 1024 * 1024;
const XLSX_MAX_ROWS = 200_000;

/**
 * The first sheet of an XLSX file as rows of text. Formulas count by the value they were saved with; dates become
 * `yyyy-MM-dd`. A number that a spreadsheet program can no longer hold exactly comes as 1.2E+17, which the ids of a
 * sheet refuse by name, so nothing damaged is taken for an id.
 */
export async function readXlsx(
  path: string,
  take: (cells: readonly string[]) => void,
): Promise<Result<null, FileRefusal>> {
  const { size } = await stat(path);
  if (size > XLSX_MAX_BYTES) return err(fileRefusal('too-large', { bytes: size, limit: XLSX_MAX_BYTES }));
  const bytes = await readFile(path);
  const problem = await zipProblem(bytes);
  if (problem !== null) return err(problem);
  let rows = 0;
  try {
    for await (const { index, values } of streamXlsxRows(bytes)) {
      if (index > XLSX_MAX_ROWS) return err(fileRefusal('too-many-rows', { limit: XLSX_MAX_ROWS }));
      // Sheets are sparse: rows that are not there keep their place, so that lines are those the user sees.
      for (; rows < index; rows++) take([]);
      const cells = values.map(cellText);
      rows++;
      const refusal = rowProblem(cells, rows, XLSX_MAX_ROWS);
      if (refusal !== null) return err(refusal);
      take(cells);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return err(fileRefusal('not-a-sheet', { found: `a file that cannot be read as XLSX (${error.name})` }));
  }
  return rows === 0 ? err(fileRefusal('empty')) : ok(null);
}

function cellText(value: CellValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return value;
  // Beyond 15 digits a spreadsheet program has replaced the rest by zeros.
  return Math.abs(value) < 1e15 ? String(value) : value.toExponential().replace('e', 'E');
}
