import { csvLine } from './csv-line.ts';

/**
 * Rows as CSV text for spreadsheet programs: byte order mark and CRLF. Cells that such a program would run as a
 * formula have to be disarmed by whoever makes the rows (`shared/sheet/cell-guard.ts`).
 */
export function writeSheet(rows: Iterable<readonly string[]>): string {
  let text = '\uFEFF';
  for (const row of rows) text += csvLine(row, ',');
  return text;
}
