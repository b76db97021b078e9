import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { columnOf } from '../../../shared/spreadsheet/columns.ts';
import type { QuoteRemark, RowRemark, TakeRow } from '../../../shared/spreadsheet/sheet-row.ts';

export interface CsvForm {
  readonly delimiter: string;
  /** Every line is one row: quotes around several lines are text. */
  readonly linesAsRows: boolean;
}

const QUOTE = '"';
const CR = 0x0d;
const LF = 0x0a;
/** Results instead of the end of a quoted cell: more text is needed to decide, or the quote is text. */
const CUT = -1;
const NOT_QUOTED = -2;
const NO_REMARKS: readonly QuoteRemark[] = [];

/**
 * Splits text into rows of cells, blank rows included.
 *
 *   row   = cell { delimiter cell } ( CRLF | CR | LF | end )     may differ from row to row
 *   cell  = quoted [ text ] | text
 *
 * A quote that opens a cell is closed by the next one that is not doubled. It counts as never closed, and as text, if
 * there is no such quote, or if the cell spans lines and the closing quote is inside a text or further away than the
 * longest cell: then it belongs to another cell. The rows up to there, or all that follow, are read line by line, each
 * with a remark.
 *
 * `test/files/count-rows.ts` counts rows by the same rules, independent of this code.
 */
export function csvReader({ delimiter, linesAsRows }: CsvForm, take: TakeRow) {
  let text = '';
  /** Text that follows; not appended while it is the shorter part, so that a long cell is read only a few times. */
  let next = '';
  /** Start of the current cell in `text`, and length of the file before `text`. */
  let at = 0;
  let before = 0;
  let isLast = false;
  let row = 1;
  let rowStart = 0;
  let cells: string[] = [];
  let header: readonly string[] | null = null;
  const title = titleFinder();
  /** Rows that begin up to here may be wrong because of an unclosed quote. */
  let openTo = -1;
  let open: { readonly row: number; readonly cell: number } | null = null;
  let inCell: { readonly cell: number; readonly raw: string } | null = null;
  let textAfter = -1;
  // The next of each from `at` on, or the end of the text. They move on only when they were passed.
  let [nextCr, nextLf, nextQuote] = [-1, -1, -1];

  const find = (what: string, from: number): number => {
    const found = text.indexOf(what, from);
    return found === -1 ? text.length : found;
  };
  const lineEndFrom = (from: number): number => {
    if (nextCr < from) nextCr = find('\r', from);
    if (nextLf < from) nextLf = find('\n', from);
    return nextCr < nextLf ? nextCr : nextLf;
  };
  const isCellEnd = (place: number): boolean => {
    if (place >= text.length) return true;
    const code = text.charCodeAt(place);
    return code === CR || code === LF || text.startsWith(delimiter, place);
  };
  /** Whether more text could still change the content up to `place`. */
  const isCut = (place: number): boolean => place >= text.length && !isLast;

  const nameOf = (cell: number): string => header?.[cell]?.trim() ?? '';
  const doubtOf = (): QuoteRemark | null => {
    if (open !== null && rowStart <= openTo) {
      const column = nameOf(open.cell);
      const problem = { kind: 'open-quote', row: open.row, column, cell: open.cell + 1 } as const;
      return { line: row, column: open.row === row ? column : '', problem };
    }
    if (header === null) return null;
    const lines = inCell === null ? 0 : rowsWithin(inCell.raw, inCell.cell, cells.length, header.length, delimiter);
    if (inCell !== null && lines > 0) {
      const problem = { kind: 'rows-in-cell', first: row + 1, last: row + lines } as const;
      return { line: row, column: nameOf(inCell.cell), problem };
    }
    if (cells.length > header.length && !isBlankRow(cells.slice(header.length))) {
      const problem = { kind: 'cells-beyond-header', cells: cells.length, columns: header.length } as const;
      return { line: row, column: '', problem };
    }
    if (textAfter === -1) return null;
    const problem = { kind: 'text-after-quote', text: cells[textAfter] ?? '' } as const;
    return { line: row, column: nameOf(textAfter), problem };
  };
  /** Passes on the row that ends at `end`. False when it is not known yet whether a line feed belongs to that end. */
  const endRow = (end: number): boolean => {
    const isCr = text.charCodeAt(end) === CR;
    if (isCr && isCut(end + 1)) return false;
    header ??= title.headerOf(cells);
    const isOdd = open !== null || inCell !== null || textAfter !== -1 || cells.length !== header?.length;
    const doubt = isOdd ? doubtOf() : null;
    take(cells, doubt === null ? NO_REMARKS : [doubt]);
    at = end + (isCr && text.charCodeAt(end + 1) === LF ? 2 : 1);
    row++;
    rowStart = before + at;
    cells = [];
    [inCell, textAfter] = [null, -1];
    return true;
  };

  /** The end of the quoted cell at `at`, which is added to the others; else `CUT` or `NOT_QUOTED`. */
  const readQuoted = (): number => {
    let close = text.indexOf(QUOTE, at + 1);
    let isDoubled = false;
    while (close !== -1 && text.startsWith(QUOTE, close + 1)) {
      isDoubled = true;
      close = text.indexOf(QUOTE, close + 2);
    }
    const reach = close === -1 ? text.length : close;
    const hasLines = lineEndFrom(at) < reach;
    if (hasLines && reach - at > CELL_MAX_CHARACTERS) return openTill(Infinity);
    if (close === -1) return isLast ? openTill(Infinity) : CUT;
    if (isCut(close + 1)) return CUT;
    if (hasLines && (linesAsRows || !isCellEnd(close + 1))) return openTill(before + close);
    const raw = text.slice(at + 1, close);
    const content = isDoubled ? raw.replaceAll('""', QUOTE) : raw;
    if (isCellEnd(close + 1)) {
      if (hasLines) inCell ??= { cell: cells.length, raw };
      cells.push(content);
      return close + 1;
    }
    const end = plainEnd(close + 1);
    if (isCut(end)) return CUT;
    if (textAfter === -1) textAfter = cells.length;
    cells.push(content + text.slice(close + 1, end));
    return end;
  };
  const openTill = (to: number): number => {
    open = { row, cell: cells.length };
    openTo = Math.max(openTo, to);
    return NOT_QUOTED;
  };
  const plainEnd = (from: number): number => Math.min(find(delimiter, from), lineEndFrom(from));

  const read = (): void => {
    while (at < text.length || (isLast && cells.length > 0)) {
      if (cells.length === 0) {
        const end = lineEndFrom(at);
        if (nextQuote < at) nextQuote = find(QUOTE, at);
        if (nextQuote >= end) {
          if (isCut(end)) return;
          cells = text.slice(at, end).split(delimiter);
          if (endRow(end)) continue;
          cells = [];
          return;
        }
      }
      let end = text.startsWith(QUOTE, at) ? readQuoted() : NOT_QUOTED;
      if (end === CUT) return;
      if (end === NOT_QUOTED) {
        end = plainEnd(at);
        if (isCut(end)) return;
        cells.push(text.slice(at, end));
      }
      if (text.startsWith(delimiter, end)) at = end + 1;
      else if (!endRow(end)) {
        // The cell is read again once the end of its row is known.
        cells.pop();
        return;
      }
    }
  };

  const goOn = (): void => {
    before += at;
    text = text.slice(at) + next;
    next = '';
    at = 0;
    [nextCr, nextLf, nextQuote] = [-1, -1, -1];
    read();
  };

  return {
    /** The next piece of the text; it may end anywhere. */
    push: (more: string) => {
      next += more;
      if (next.length >= text.length - at) goOn();
    },
    /** Ends the text; the last row needs no line end. */
    end: () => {
      isLast = true;
      goOn();
    },
    /** Reads the remaining text too. @returns whether all of the text has been passed on */
    isAtRowStart: (): boolean => {
      if (next !== '') goOn();
      return at === text.length && cells.length === 0;
    },
    /** Number of the current row, as in a spreadsheet program. */
    row: () => row,
  };
}

/**
 * The number of rows swallowed by a quoted cell: its line ends, if the table continues inside it as if its quotes were
 * not there; else 0.
 *
 * @param width number of cells of the header
 */
function rowsWithin(raw: string, cell: number, cells: number, width: number, delimiter: string): number {
  const counts = raw.split(/\r\n|\r|\n/).map((line) => (line.trim() === '' ? null : line.split(delimiter).length));
  const [first, last] = [counts[0] ?? 1, counts.at(-1) ?? 1];
  const between = counts.slice(1, -1).filter((count) => count !== null);
  const isTable =
    width > 1 &&
    first === width - cell &&
    last + cells - cell - 1 === width &&
    2 * between.filter((count) => count === width).length >= between.length;
  return isTable ? counts.length - 1 : 0;
}

const DELIMITERS = [',', '\t', ';', '|'] as const;
const QUOTED = /(?<=^|[,\t;|\r\n])"(?:[^"]|"")*"(?=[,\t;|\r\n]|$)/g;

/**
 * The delimiter with the most occurrences outside quotes in the first non-blank row. Without any, the result does not
 * matter. If that row is a title, without that delimiter in the next row, the one that the two rows below have equally
 * often.
 */
export function delimiterOf(text: string): string {
  const rows = text
    .slice(0, 100_000)
    .replace(QUOTED, '')
    .split(/\r|\n/)
    .filter((row) => row.trim() !== '')
    .slice(0, TITLE_MAX + 2);
  const [first = '', second = ''] = rows;
  const cells = (row: string, sign: string): number => row.split(sign).length;
  const most = (row: string): string => DELIMITERS.toSorted((a, b) => cells(row, b) - cells(row, a))[0] ?? ',';
  const sign = most(first);
  const isHeader = first.split(sign).some((cell) => columnOf(cell.trim()) !== null);
  if (isHeader || (cells(first, sign) > 1 && cells(first, sign) === cells(second, sign))) return sign;
  const header = rows.findIndex((row, at) => {
    const own = most(row);
    return at > 0 && cells(row, own) > 1 && cells(row, own) === cells(rows[at + 1] ?? '', own);
  });
  const below = most(rows[header] ?? first);
  return rows.slice(0, Math.max(0, header)).every((row) => cells(row, below) === 1) ? below : sign;
}

/** Most lines above the headings of a file, such as its title. */
const TITLE_MAX = 10;

/** True for the start of a text whose headings are followed by rows of as many cells. */
export function isTable(text: string): boolean {
  const sign = delimiterOf(text);
  const rows = text.replace(QUOTED, '').split(/\r|\n/);
  const counts = rows.filter((row) => row.trim() !== '').map((row) => row.split(sign).length);
  const [header = 1, ...below] = counts.slice(counts.findIndex((count) => count > 1)).slice(0, 3);
  // In prose, a comma is followed by a space.
  const isProse = sign === ',' && !/,\S/.test(text);
  return header > 1 && below.length > 0 && below.every((count) => count === header) && !isProse;
}

/**
 * Finds the header of a table: the first non-blank row, unless it is a title. Lines of one cell each are a title if a
 * row of several follows, and none of them is the name of a column.
 */
function titleFinder() {
  let first: readonly string[] | null = null;
  let lines = 0;
  return {
    /** The header, if known after this row; it may be an earlier one. */
    headerOf: (cells: readonly string[]): readonly string[] | null => {
      const filled = cells.filter((cell) => cell.trim() !== '');
      if (filled.length === 0) return null;
      if (filled.length > 1) return cells;
      first ??= cells;
      lines++;
      return lines > TITLE_MAX || columnOf(filled[0]?.trim() ?? '') !== null ? first : null;
    },
  };
}

/**
 * Passes rows on, with a title above the headings as blank rows, so that the header is the first row that is not blank.
 */
export function belowTitle(take: TakeRow): { readonly take: TakeRow; end(): number } {
  const title = titleFinder();
  let held: { readonly cells: readonly string[]; readonly remarks: readonly RowRemark[] | undefined }[] | null = [];
  let line = 0;
  let filled = 0;
  const handOn: TakeRow = (cells, remarks) => {
    if (!isBlankRow(cells)) filled++;
    take(cells, remarks);
  };
  const release = (header: readonly string[] | null): void => {
    const rows = held ?? [];
    held = null;
    // Without a header below, the first of them is the header.
    const from = header === null ? 0 : rows.findIndex(({ cells }) => cells === header);
    for (const [at, { cells, remarks }] of rows.entries()) {
      const text = cells.find((cell) => cell.trim() !== '')?.trim();
      if (at >= from || text === undefined) handOn(cells, remarks);
      else take([], [{ line: line - rows.length + at + 1, column: '', problem: { kind: 'above-header', text } }]);
    }
  };
  return {
    take: (cells, remarks) => {
      line++;
      if (held === null) return handOn(cells, remarks);
      held.push({ cells, remarks });
      const header = title.headerOf(cells);
      if (header !== null) release(header);
    },
    /** Ends the table. @returns the number of non-blank rows, without the header and the rows above it */
    end: (): number => {
      release(null);
      return Math.max(0, filled - 1);
    },
  };
}

/** The non-blank rows of a complete text. */
export function csvRows(text: string, delimiter = delimiterOf(text)): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  const reader = csvReader({ delimiter, linesAsRows: false }, (cells) => {
    if (cells.length > 1 || cells[0] !== '') rows.push(cells);
  });
  reader.push(text);
  reader.end();
  return rows;
}

/**
 * Rows as CSV text for spreadsheet programs: byte order mark and CRLF. The caller must guard cells that such a program
 * would run as a formula (`shared/spreadsheet/cell-guard.ts`).
 */
export function writeSheet(rows: Iterable<readonly string[]>): string {
  let text = '\uFEFF';
  for (const row of rows) text += csvLine(row, ',');
  return text;
}

/**
 * One row by RFC 4180, with line end. Cells are quoted only where necessary; a library for all dialects takes four
 * times as long, and a million rows should take seconds (the tests compare the result with that library's reader).
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

/** Limits of one row of a spreadsheet, for any type of file. */
export const CELL_MAX_CHARACTERS = 32 * 1024;
const MAX_COLUMNS = 256;

/** Whether all cells are blank. */
export const isBlankRow = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** The limit that a row breaks, or null. The header does not count as a row. */
export function rowProblem(cells: readonly string[], line: number, maxRows: number): FileRefusal | null {
  if (line > maxRows + 1) return fileRefusal('too-many-rows', { limit: maxRows });
  if (cells.length > MAX_COLUMNS) return fileRefusal('too-many-columns', { columns: cells.length, limit: MAX_COLUMNS });
  if (cells.some((cell) => cell.length > CELL_MAX_CHARACTERS)) {
    return fileRefusal('cell-too-long', { line, limit: CELL_MAX_CHARACTERS });
  }
  return null;
}

/** Why a line of a file can't be imported. */
export interface LineProblem {
  /** In the numbering of spreadsheet programs; for an archive the line of its rows. */
  readonly line: number;
  /** Empty for the whole line. */
  readonly column: string;
  readonly message: string;
  /** The line whose error causes this one. */
  readonly causeLine?: number;
}
