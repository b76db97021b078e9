import Papa from 'papaparse';
import { guard } from './formula-guard.ts';

/** Rows as CSV text for spreadsheet programs: byte order mark, CRLF, formulas disarmed. */
export function writeSheet(rows: Iterable<readonly string[]>): string {
  const guarded: string[][] = [];
  for (const row of rows) guarded.push(row.map(guard));
  return `\uFEFF${Papa.unparse(guarded, { newline: '\r\n' })}\r\n`;
}
