import { isFormula } from './cell-guard.ts';
import { type ColumnSet, NO_COLUMNS } from './column-choice.ts';
import type { CellOptions } from './read-cells.ts';
import { type RowReader, rowReader } from './row-reader.ts';
import { readHeader } from './sheet-header.ts';
import type { CellFault, QuoteRemark, RowRemark, SheetProblem, SheetRow } from './sheet-row.ts';

export interface SheetOptions extends CellOptions {
  /** Columns that are left out: a cell in them that cannot be read counts as blank, if its row can do without it. */
  readonly out?: ColumnSet;
  /** Every line of the text was read as a row, so that a quote which is never closed stops none. */
  readonly linesAsRows?: boolean;
}

/** What is odd about rows that come in all the same. */
interface Warned {
  /** The first of them: numbers that were cut to the decimals that are kept, and remarks about quotes that stop no row. */
  readonly warnings: readonly SheetProblem[];
  readonly warningCount: number;
}

export type SheetResult =
  | (Warned & {
      readonly kind: 'sheet';
      readonly rows: readonly SheetRow[];
      readonly problems: readonly SheetProblem[];
      /** Headers that are none of ours; their cells were not read. */
      readonly unknownColumns: readonly string[];
      /** Lines with a cell that a spreadsheet program would run as a formula; it was read as plain text. */
      readonly formulaLines: readonly number[];
      /** Columns with a cell that cannot be read, and need not be. */
      readonly passedOver: ColumnSet;
      /** Rows with a problem: each may have several. */
      readonly unread: number;
    })
  | (Warned & { readonly kind: 'bad-header'; readonly problems: readonly SheetProblem[]; readonly unread: number })
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
  /**
   * The row as typed values; null for the header, blank rows and rows with a problem.
   *
   * @param remarks cells of it that hold no value, and whether it is to be read as it stands; else they are its problems
   */
  take(cells: readonly string[], remarks?: readonly RowRemark[]): SheetRow | null;
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
  let unread = 0;
  const warnings: SheetProblem[] = [];
  let warningCount = 0;
  const warn = (warning: SheetProblem): void => {
    warningCount++;
    if (warnings.length < WARNINGS_KEPT) warnings.push(warning);
  };
  const stops = ({ problem: { kind } }: QuoteRemark): boolean =>
    kind === 'rows-in-cell' || (kind === 'open-quote' && options.linesAsRows !== true);
  /** Of what is remarked about the quotes of a row that which stops it, now among the problems; the rest is warned of. */
  const judged = (remarks: readonly RowRemark[]): readonly QuoteRemark[] => {
    const quotes = remarks.filter((remark): remark is QuoteRemark => !isFault(remark));
    const stopping = quotes.filter(stops);
    problems.push(...stopping);
    for (const remark of quotes) if (!stops(remark)) warn(remark);
    return stopping;
  };
  const begin = (cells: readonly string[]): void => {
    const header = readHeader(cells, line);
    if (!header.ok) {
      refused = header.error;
      return;
    }
    rows = rowReader(header.value, options, options.out ?? NO_COLUMNS, warn);
    unknownColumns = header.value.unknown;
  };
  return {
    take: (cells, remarks = NO_REMARKS) => {
      line++;
      if (isBlankRow(cells)) return null;
      if (refused !== null) {
        unread++;
        return null;
      }
      const doubts = remarks.length === 0 ? NO_REMARKS : judged(remarks);
      if (rows === null) {
        begin(cells);
        return null;
      }
      if (doubts.length > 0) {
        unread++;
        return null;
      }
      const faults = remarks.length === 0 ? NO_FAULTS : remarks.filter(isFault);
      if (faults.length === 0 && hasFormula(cells)) formulaLines.push(line);
      const row = rows.read(cells, line, faults);
      if (row.ok) return row.value;
      unread++;
      for (const problem of row.error) {
        problems.push(problem);
        if (problem.problem.kind === 'unclear-number') unclear.add(problem.problem.text);
      }
      return null;
    },
    end: () => {
      const warned = { warnings, warningCount };
      if (refused !== null) return { kind: 'bad-header', problems: [...problems, ...refused], ...warned, unread };
      if (rows === null) {
        const none: SheetProblem = { line: 1, column: 'Type', problem: { kind: 'no-header' } };
        return { kind: 'bad-header', problems: [none], ...warned, unread };
      }
      if (unclear.size > 0 && options.decimals === undefined) {
        return { kind: 'needs-decimal-locale', examples: [...unclear].slice(0, 5) };
      }
      return {
        kind: 'sheet',
        problems,
        unknownColumns,
        ...warned,
        formulaLines,
        passedOver: rows.passedOver(),
        unread,
      };
    },
  };
}

/** Warnings that are kept to be shown; a sheet may have one in each of a million rows. */
const WARNINGS_KEPT = 10_000;
const NO_FAULTS: readonly CellFault[] = [];
const NO_REMARKS: readonly never[] = [];

const isFault = (remark: RowRemark): remark is CellFault => 'at' in remark;

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
