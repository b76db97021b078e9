import Papa from 'papaparse';

/**
 * Rows as CSV text for spreadsheet programs: byte order mark and CRLF. Cells that such a program would run as a
 * formula have to be disarmed by whoever makes the rows (`shared/sheet/cell-guard.ts`).
 */
export function writeSheet(rows: Iterable<readonly string[]>): string {
  return `\uFEFF${Papa.unparse(
    Array.from(rows, (row) => [...row]),
    { newline: '\r\n' },
  )}\r\n`;
}
