/**
 * Tables in the clipboard format of spreadsheet programs: tabs between cells, line ends between rows, and quotes
 * around a cell with a tab, a line end or a leading quote.
 */
export const formatTsv = (table: readonly (readonly string[])[]): string => endTsv(tsvLines(table));

/** Rows as lines without a final line end, to be joined with other parts. */
export const tsvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(quoteCell).join('\t')).join('\n');

/** Ends a table of lines. An empty last line needs a line end, or it would be lost. */
export const endTsv = (lines: string): string => (lines === '' || lines.endsWith('\n') ? `${lines}\n` : lines);

const quoteCell = (text: string): string => (/[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Parses such a table. A final line end starts no new row. */
export function parseTsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const [cell, next] = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    row.push(cell);
    const end = text[next];
    at = next + 1;
    if (end === '\t') continue;
    rows.push(row);
    row = [];
    if (end === '\r' && text[at] === '\n') at += 1;
    if (end === undefined || at >= text.length) break;
  }
  return rows;
}

function plainCell(text: string, start: number): readonly [string, number] {
  let end = start;
  while (end < text.length && !isBreak(text.charAt(end))) end += 1;
  return [text.slice(start, end), end];
}

/** A cell that starts with a quote; without a closing quote its text is used unchanged. */
function quotedCell(text: string, start: number): readonly [string, number] {
  let cell = '';
  let at = start + 1;
  while (at < text.length) {
    const close = text.indexOf('"', at);
    if (close < 0) return plainCell(text, start);
    cell += text.slice(at, close);
    if (text[close + 1] === '"') {
      cell += '"';
      at = close + 2;
      continue;
    }
    const [rest, end] = plainCell(text, close + 1);
    return [cell + rest, end];
  }
  return plainCell(text, start);
}

const isBreak = (char: string): boolean => char === '\t' || char === '\n' || char === '\r';
