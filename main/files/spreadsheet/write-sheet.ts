/**
 * Rows as CSV text for spreadsheet programs: byte order mark and CRLF. Cells that such a program would run as a
 * formula have to be disarmed by whoever makes the rows (`shared/spreadsheet/cell-guard.ts`).
 */
export function writeSheet(rows: Iterable<readonly string[]>): string {
  let text = '\uFEFF';
  for (const row of rows) text += csvLine(row, ',');
  return text;
}

/**
 * One row as RFC 4180 has it, with line end. Cells are quoted only where they have to be; a library that may be asked
 * for any dialect takes four times as long, and a million rows are wanted in seconds (its reader is what the tests
 * hold this against).
 */
export function csvLine(cells: readonly string[], delimiter: string): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) {
    if (at > 0) line += delimiter;
    line += csvCell(cells[at] ?? '', delimiter);
  }
  return `${line}\r\n`;
}

export const csvCell = (cell: string, delimiter: string): string =>
  cell !== '' && needsQuotes(cell, delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;

function needsQuotes(cell: string, delimiter: string): boolean {
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(cell.length - 1)];
  if (first === 0x20 || last === 0x20) return true;
  return cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r');
}
