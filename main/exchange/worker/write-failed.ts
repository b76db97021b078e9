import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { writeXlsxStream } from 'hucre/xlsx';
import { guardCell } from '../../../shared/sheet/cell-guard.ts';
import { csvLine } from '../csv-line.ts';
import type { ImportSession } from './import-session.ts';

/** The column that says what is wrong; an import passes it over. */
export const PROBLEM_COLUMN = 'Problem';

/**
 * Writes the rows of a sheet that cannot come in as they stand in it, each with its problem, so that they can be
 * corrected and imported by themselves. The file is read once more; cells are guarded as in every export.
 */
export async function writeErrorRows(session: ImportSession, target: string, format: 'csv' | 'xlsx'): Promise<number> {
  const problems = session.problemLines();
  const rows: string[][] = [];
  let line = 0;
  let header: readonly string[] | null = null;
  const read = await session.eachLine((cells) => {
    line++;
    if (header === null && cells.some((cell) => cell.trim() !== '')) {
      header = cells;
      rows.push([...cells, PROBLEM_COLUMN]);
      return;
    }
    const problem = problems.get(line);
    if (problem === undefined || header === null) return;
    const under = header.map((_, at) => cells[at] ?? '');
    // Cells beyond the header stay beyond it, so that they are missed again as long as nobody puts them in their place.
    rows.push([...under, problem, ...cells.slice(header.length)].map(asWritten));
  });
  if (!read.ok) throw new Error(`the sheet cannot be read a second time: ${read.error.reason}`);
  const bytes =
    format === 'csv'
      ? Readable.from(['\uFEFF', ...rows.map((cells) => csvLine(cells, ','))])
      : Readable.fromWeb(writeXlsxStream(rows, { name: 'Adslate' }) as ReadableStream);
  await pipeline(bytes, createWriteStream(target, { mode: 0o600, flags: 'wx' }));
  return Math.max(0, rows.length - 1);
}

/** What was guarded stays so; anything else that would run gets its guard now. */
const asWritten = (cell: string): string => (cell.startsWith("'") ? cell : guardCell(cell));
