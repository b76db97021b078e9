import { isFormula } from './cell-guard.ts';
import { type ColumnSet, NO_COLUMNS } from './column-choice.ts';
import type { CellOptions } from './read-cells.ts';
import { type RowReader, rowReader } from './row-reader.ts';
import { readHeader } from './sheet-header.ts';
import type { SheetProblem, SheetRow } from './sheet-row.ts';

export interface SheetOptions extends CellOptions {
  /** Columns that are left out: a cell in them that cannot be read counts as blank, if its row can do without it. */
  readonly out?: ColumnSet;
}

export type SheetResult =
  | {
      readonly kind: 'sheet';
      readonly rows: readonly SheetRow[];
      readonly problems: readonly SheetProblem[];
      /** Headers that are none of ours; their cells were not read. */
      readonly unknownColumns: readonly string[];
      /** Lines with a cell that a spreadsheet program would run as a formula; it was read as plain text. */
      readonly formulaLines: readonly number[];
      /** Columns with a cell that cannot be read, and need not be. */
      readonly passedOver: ColumnSet;
    }
  | { readonly kind: 'bad-header'; readonly problems: readonly SheetProblem[] }
  /** Numbers such as `1,50` are in the sheet: ask how decimals are written and parse again. */
  | { readonly kind: 'needs-decimal-locale'; readonly examples: readonly string[] };

/**
 * Reads a table of text. Rows with a problem are left out whole and named by line and column; their neighbours
 * are read. Blank rows are skipped. Nothing is guessed.
 */
export function parseSheet(table: Iterable<readonly string[]>, options: SheetOptions = {}): SheetResult {
  const rows: SheetRow[] = [];
  const reader = sheetReader(options);
  for (const cells of table) {
    const row = reader.take(cells);
    if (row !== null) rows.push(row);
  }
  const end = reader.end();
  return end.kind === 'sheet' ? { ...end, rows } : end;
}

/** Reads a sheet row by row, for files that are too long to be held as text. */
export interface SheetReader {
  /** The row as typed values; null for the header, blank rows and rows with a problem. */
  take(cells: readonly string[]): SheetRow | null;
  /** What there is to say about the rows taken so far. */
  end(): SheetEnd;
}

export type SheetEnd = Omit<Extract<SheetResult, { kind: 'sheet' }>, 'rows'> | Exclude<SheetResult, { kind: 'sheet' }>;

export function sheetReader(options: SheetOptions = {}): SheetReader {
  const problems: SheetProblem[] = [];
  const formulaLines: number[] = [];
  const unclear = new Set<string>();
  let unknownColumns: readonly string[] = [];
  let rows: RowReader | null = null;
  let refused: readonly SheetProblem[] | null = null;
  let line = 0;
  const begin = (cells: readonly string[]): void => {
    const header = readHeader(cells, line);
    if (!header.ok) {
      refused = header.error;
      return;
    }
    rows = rowReader(header.value, options, options.out ?? NO_COLUMNS);
    unknownColumns = header.value.unknown;
  };
  return {
    take: (cells) => {
      line++;
      if (refused !== null || isBlankRow(cells)) return null;
      if (rows === null) {
        begin(cells);
        return null;
      }
      if (hasFormula(cells)) formulaLines.push(line);
      const row = rows.read(cells, line);
      if (row.ok) return row.value;
      for (const problem of row.error) {
        problems.push(problem);
        if (problem.problem.kind === 'unclear-number') unclear.add(problem.problem.text);
      }
      return null;
    },
    end: () => {
      if (refused !== null) return { kind: 'bad-header', problems: refused };
      if (rows === null) {
        return { kind: 'bad-header', problems: [{ line: 1, column: 'Type', problem: { kind: 'no-header' } }] };
      }
      if (unclear.size > 0 && options.decimals === undefined) {
        return { kind: 'needs-decimal-locale', examples: [...unclear].slice(0, 5) };
      }
      return { kind: 'sheet', problems, unknownColumns, formulaLines, passedOver: rows.passedOver() };
    },
  };
}

function isBlankRow(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false;
  return true;
}

function hasFormula(cells: readonly string[]): boolean {
  for (const cell of cells) if (mayBeFormula(cell)) return true;
  return false;
}

/** Most cells begin with a letter or a digit and need no further look. */
function mayBeFormula(cell: string): boolean {
  if (cell === '') return false;
  const first = cell.charCodeAt(0);
  if (first >= 0x30 && first <= 0x7f && first !== 0x3d && first !== 0x40) return false;
  return isFormula(cell.trim());
}
