import { memo } from '../memo.ts';
import { type ParseLimits, parseCell } from '../model/cell-text.ts';
import { formatDecimal, parseDecimal } from '../model/decimal.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import { type DateOrder, digitDate, plainDate, splitTime } from '../model/plain-date.ts';
import { type RemoteId, remoteId } from '../model/scalars.ts';
import { controlCharacterAt, isUnseen } from '../model/text.ts';
import { err, ok, type Result } from '../result.ts';
import { type DecimalLocale, ERASE, isFormula, plainNumber, unguardCell } from './cell-guard.ts';
import {
  type ColumnMapping,
  columnName,
  type Heading,
  matchColumns,
  NO_MAPPING,
  namedColumns,
} from './column-mapping.ts';
import {
  type Column,
  type ColumnSet,
  columnBit,
  DISPENSABLE,
  FIELD_OF,
  FILE_COLUMNS,
  LINK_COLUMNS,
  NO_COLUMNS,
  type SheetKind,
  sheetKind,
  TYPE_NAMES,
} from './columns.ts';
import { BASE_COLUMN, baseFrom } from './format-sheet.ts';
import type {
  CellFault,
  Link,
  ParentRow,
  QuoteRemark,
  RowRemark,
  SheetProblem,
  SheetProblemKind,
  SheetRow,
} from './sheet-row.ts';

export interface SheetOptions extends CellOptions {
  /** Skipped columns: an unreadable cell in them counts as blank if its row does not require it. */
  readonly out?: ColumnSet;
  /** The user's mapping of columns. */
  readonly mapping?: ColumnMapping;
  /** The columns of a converted file, used instead of its header. */
  readonly headings?: readonly Heading[] | null;
  /** Every line of the text was read as a row, so that an unclosed quote does not end reading. */
  readonly linesAsRows?: boolean;
}

/** A column of the spreadsheet with an example value. */
export interface SheetHeading extends Heading {
  /** The first filled cell of its first rows, cut short; empty when there is none. */
  readonly example: string;
}

/** Information about any spreadsheet, also one with an invalid header. */
interface AnySheet {
  /** Its columns in their order, without those that have no heading. */
  readonly headings: readonly SheetHeading[];
  /** The first of them: numbers with truncated decimals, and problems with quotes that block no row. */
  readonly warnings: readonly SheetProblem[];
  readonly warningCount: number;
}

export type SheetResult =
  | (AnySheet & {
      readonly kind: 'sheet';
      readonly rows: readonly SheetRow[];
      readonly problems: readonly SheetProblem[];
      /** Lines with a cell that a spreadsheet program would run as a formula; it was read as plain text. */
      readonly formulaLines: readonly number[];
      /** Skipped columns with a cell that can't be read. */
      readonly passedOver: ColumnSet;
      /** Campaigns and ad groups with a problem. */
      readonly badParents: readonly ParentRow[];
      /** Rows with a problem: each may have several. */
      readonly unread: number;
      /** The order of its dates, chosen or proven; null if neither. */
      readonly dateOrder: DateOrder | null;
    })
  | (AnySheet & { readonly kind: 'bad-header'; readonly problems: readonly SheetProblem[]; readonly unread: number })
  /** The spreadsheet has numbers such as `1,50`: ask for the decimal separator and parse again. */
  | { readonly kind: 'needs-decimal-locale'; readonly examples: readonly string[] }
  /** Its dates are in different orders, or all can mean two days: ask for the order and parse again. */
  | UnclearDates;

/** Dates such as `4/5/2026` that were read before their order was known. */
interface UnclearDates {
  readonly kind: 'needs-date-order';
  /** The first date that can mean two days, or is in another order than an earlier one. */
  readonly example: { readonly text: string; readonly line: number; readonly column: string };
  /** The earlier date in another order. */
  readonly other?: string;
}

/**
 * Parses a table of text. Rows with a problem are skipped as a whole and reported by line and column; the others are
 * read. Blank rows are skipped. Nothing is guessed.
 */
export function parseSheet(table: readonly (readonly string[])[], options: SheetOptions = {}): SheetResult {
  const rows: SheetRow[] = [];
  const reader = sheetReader(options);
  for (const cells of table) {
    const row = reader.take(cells);
    if (row !== null) rows.push(row);
  }
  const end = reader.end();
  if (end.kind === 'proves-date-order') return parseSheet(table, { ...options, dates: end.order });
  return end.kind === 'sheet' ? { ...end, rows } : end;
}

export type SheetEnd =
  | Omit<Extract<SheetResult, { kind: 'sheet' }>, 'rows'>
  | Exclude<SheetResult, { kind: 'sheet' }>
  /** A date proves the order of dates before it that can mean two days: read the spreadsheet again in this order. */
  | { readonly kind: 'proves-date-order'; readonly order: DateOrder };

/** Reads a spreadsheet row by row, for files that are too long to be in memory as text. */
export function sheetReader(options: SheetOptions = {}) {
  const problems: SheetProblem[] = [];
  const formulaLines: number[] = [];
  const unclear = new Set<string>();
  const dates = dateReader(options.dates);
  /** The first dates with two meanings and in another order, if no order was chosen. */
  let unclearDate: SheetProblem | null = null;
  let otherDate: SheetProblem | null = null;
  let headings: readonly Heading[] = [];
  const examples: string[] = [];
  let looked = 0;
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
  /** The quote problems of a row that block it, which are added to the problems; the others become warnings. */
  const judged = (remarks: readonly RowRemark[]): readonly QuoteRemark[] => {
    const quotes = remarks.filter((remark): remark is QuoteRemark => !isFault(remark));
    const stopping = quotes.filter(stops);
    problems.push(...stopping);
    for (const remark of quotes) if (!stops(remark)) warn(remark);
    return stopping;
  };
  const begin = (cells: readonly string[]): void => {
    const header = readHeader(cells, line, options);
    headings = header.headings;
    if (header.problems.length > 0) refused = header.problems;
    else rows = rowReader(header, options, dates, warn);
  };
  const look = (cells: readonly string[]): void => {
    looked++;
    for (const at of headings.keys()) {
      if ((examples[at] ?? '') === '') examples[at] = (cells[at] ?? '').trim().slice(0, EXAMPLE_CHARACTERS);
    }
  };
  return {
    /**
     * The row as typed values; null for the header, blank rows and rows with a problem.
     *
     * @param remarks cells without a value, and quote problems of the row
     */
    take: (cells: readonly string[], remarks: readonly RowRemark[] = NO_REMARKS): SheetRow | null => {
      line++;
      if (isBlankRow(cells)) {
        for (const remark of remarks) if (!isFault(remark) && remark.problem.kind === 'above-header') warn(remark);
        return null;
      }
      if (looked < EXAMPLE_ROWS) look(cells);
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
        const { kind } = problem.problem;
        if (kind === 'unclear-number') unclear.add(problem.problem.text);
        else if (kind === 'unclear-date') unclearDate ??= problem;
        else if (kind === 'other-date-order') otherDate ??= problem;
      }
      return null;
    },
    /** The results for the rows so far. */
    end: (): SheetEnd => {
      const shown = headings.map((heading, at) => ({ ...heading, example: examples[at] ?? '' }));
      const named = shown.filter(({ heading }) => heading !== '' && heading !== BASE_COLUMN);
      const warned = { headings: named, warnings, warningCount };
      if (refused !== null) return { kind: 'bad-header', problems: [...problems, ...refused], ...warned, unread };
      if (rows === null) {
        const none: SheetProblem = { line: 1, column: 'Type', problem: { kind: 'no-header' } };
        return { kind: 'bad-header', problems: [none], ...warned, unread };
      }
      if (unclear.size > 0 && options.decimals === undefined) {
        return { kind: 'needs-decimal-locale', examples: [...unclear].slice(0, 5) };
      }
      if (options.dates === undefined) {
        if (otherDate !== null) return { ...unclearDates(otherDate), other: dates.proof() };
        const order = dates.order();
        if (unclearDate !== null)
          return order === null ? unclearDates(unclearDate) : { kind: 'proves-date-order', order };
      }
      return {
        kind: 'sheet',
        problems,
        ...warned,
        formulaLines,
        passedOver: rows.passedOver(),
        badParents: rows.badParents,
        unread,
        dateOrder: dates.order(),
      };
    },
  };
}

/** Number of rows searched for an example of each column. */
const EXAMPLE_ROWS = 50;
const EXAMPLE_CHARACTERS = 60;
/** Number of stored warnings; each of a million rows may have one. */
const WARNINGS_KEPT = 10_000;
const NO_FAULTS: readonly CellFault[] = [];
const NO_REMARKS: readonly never[] = [];

function unclearDates({ line, column, problem }: SheetProblem): UnclearDates {
  return { kind: 'needs-date-order', example: { text: 'text' in problem ? problem.text : '', line, column } };
}

const isFault = (remark: RowRemark): remark is CellFault => 'at' in remark;

function isBlankRow(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false;
  return true;
}

function hasFormula(cells: readonly string[]): boolean {
  for (const cell of cells) if (mayBeFormula(cell)) return true;
  return false;
}

/** Fast test: most cells begin with a letter or a digit. */
function mayBeFormula(cell: string): boolean {
  if (cell === '') return false;
  const first = cell.charCodeAt(0);
  if (first >= 0x30 && first <= 0x7f && first !== 0x3d && first !== 0x40) return false;
  return isFormula(cell.trim());
}

/** The parsed header row: the column of each cell. */
export interface SheetHeader {
  /** The column of each cell of a row; null for columns of which nothing is imported. */
  readonly columns: readonly (Column | null)[];
  /** Index of the cell with the exported values, or -1. */
  readonly baseAt: number;
}

/** Characters that end a line elsewhere but no row of a spreadsheet: in a header they mean that it contains all rows. */
const OTHER_ROW_END = /[\f\v\u0085\u2028\u2029]/;

interface FoundHeader extends SheetHeader {
  readonly headings: readonly Heading[];
  /** All problems of the header: each column may occur once, and `Type` is required unless it is set. */
  readonly problems: readonly SheetProblem[];
}

function readHeader(cells: readonly string[], line: number, options: SheetOptions): FoundHeader {
  const { mapping = NO_MAPPING } = options;
  const mark = cells.map((cell) => OTHER_ROW_END.exec(cell)?.[0]).find((found) => found !== undefined);
  if (mark !== undefined) {
    const name = `U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const problem: SheetProblem = { line, column: '', problem: { kind: 'rows-in-header', mark: name } };
    return { columns: [], baseAt: -1, headings: [], problems: [problem] };
  }
  const texts = cells.map((cell) => cell.replace(/^\ufeff/, '').trim());
  const headings = options.headings ?? matchColumns(namedColumns(texts), mapping);
  const problems: SheetProblem[] = [];
  const seen = new Map<Column, string>();
  for (const { column, ...from } of headings) {
    if (column === null) continue;
    const name = columnName(from);
    const other = seen.get(column);
    if (other === undefined) seen.set(column, name);
    else problems.push({ line, column, problem: { kind: 'column-twice', column, headings: [other, name] } });
  }
  const hasType = seen.has('Type') || mapping.rowType !== undefined;
  if (!hasType) problems.push({ line, column: 'Type', problem: { kind: 'missing-column', column: 'Type' } });
  return { columns: headings.map(({ column }) => column), baseAt: cells.indexOf(BASE_COLUMN), headings, problems };
}

/** Index of a column's cell in each row; -1 when the spreadsheet has no such column. */
export const placeOf = ({ columns }: SheetHeader, column: Column): number => columns.indexOf(column);

/** The trimmed text of a cell; empty for a cell that the row or the spreadsheet does not have. */
function textAt(cells: readonly string[], at: number): string {
  const cell = at < 0 ? '' : (cells[at] ?? '');
  return cell === '' ? '' : cell.trim();
}

/** Reads rows of text below one header. */
export type RowReader = ReturnType<typeof rowReader>;

/**
 * A spreadsheet may have a million rows, so the reader is created once for all of them, and its closures refer to the
 * current row: functions and maps created for each row would cost as much as reading it.
 *
 * @param warn called with the cells of a row whose numbers were truncated
 */
function rowReader(
  header: SheetHeader,
  options: SheetOptions,
  dates: DateReader,
  warn: (warning: SheetProblem) => void,
) {
  const out = options.out ?? NO_COLUMNS;
  const dispensable = DISPENSABLE & out;
  let line = 0;
  let problems: SheetProblem[] = [];
  let passedOver: ColumnSet = NO_COLUMNS;
  const refuse = (column: Column, problem: SheetProblemKind): void => {
    const passed = columnBit(column) & dispensable;
    if (passed === NO_COLUMNS) problems.push({ line, column, problem });
    else passedOver |= passed;
  };

  const typeAt = placeOf(header, 'Type');
  const kindOfAll = typeAt < 0 ? (options.mapping?.rowType ?? null) : null;
  const idAt = placeOf(header, 'Row id');
  const badParents: ParentRow[] = [];
  let cut: SheetProblem[] = [];
  const readCells = cellReader(header, options, dates, refuse, (column, text, kept) => {
    cut.push({ line, column, problem: { kind: 'cut-decimals', text, kept } });
  });
  const readFiles = fileReader(header);
  const readCampaign = linkReader(header, 'Campaign', 'Campaign id', refuse);
  const readAdGroup = linkReader(header, 'Ad group', 'Ad group id', refuse);
  const refuseId = (problem: SheetProblemKind): void => refuse('Row id', problem);

  /** Everything that is wrong with the row; the next one begins without. */
  const taken = (): readonly SheetProblem[] => {
    const all = problems;
    problems = [];
    return all;
  };
  /** Reports the faults in columns of ours, and blanks their cells so that nothing is read from them. */
  const withoutFaults = (cells: readonly string[], faults: readonly CellFault[]): readonly string[] => {
    const rest = [...cells];
    for (const { at, problem } of faults) {
      const column = header.columns[at] ?? null;
      if (column === null && at !== header.baseAt) continue;
      rest[at] = '';
      if (column !== null) refuse(column, problem);
    }
    return rest;
  };

  return {
    /**
     * One row as typed values, or all of its problems.
     *
     * @param faults cells without a value; their text only describes the fault
     */
    read: (
      found: readonly string[],
      at: number,
      faults: readonly CellFault[],
    ): Result<SheetRow, readonly SheetProblem[]> => {
      line = at;
      const cells = faults.length === 0 ? found : withoutFaults(found, faults);
      const type = textAt(cells, typeAt);
      const kind = kindOfAll ?? sheetKind(type);
      if (kind === null) {
        const unread = taken();
        if (unread.length > 0) return err(unread);
        return err([{ line, column: 'Type', problem: { kind: 'unknown-type', text: type } }]);
      }
      const row: SheetRow = {
        line,
        kind,
        campaign: readCampaign(cells),
        adGroup: readAdGroup(cells),
        rowId: readId(textAt(cells, idAt), refuseId),
        cells: readCells(kind, cells),
      };
      const cuts = cut;
      if (cuts.length > 0) cut = [];
      if (problems.length > 0) {
        if (kind === 'campaign' || kind === 'adGroup') badParents.push(row);
        return err(taken());
      }
      cuts.forEach(warn);
      const files = readFiles(kind, cells);
      const exported = header.baseAt < 0 ? '' : (cells[header.baseAt] ?? '');
      // A cell without valid exported values, for whatever reason, is ignored.
      const base = exported === '' ? null : baseFrom(kind, exported);
      // Few rows have files or exported values, and copying the others would cost as much as reading them.
      if (files === null && base === null) return ok(row);
      return ok({ ...row, ...files, ...(base === null ? {} : { base }) });
    },
    /** Skipped columns with a cell that could not be read so far. */
    passedOver: () => passedOver,
    badParents,
  };
}

/**
 * Reads the parents named by rows. Consecutive rows mostly have the same ones, so a million rows share a few thousand
 * links.
 */
function linkReader(
  header: SheetHeader,
  nameColumn: Column,
  idColumn: Column,
  refuse: (column: Column, problem: SheetProblemKind) => void,
): (cells: readonly string[]) => Link {
  const nameAt = placeOf(header, nameColumn);
  const idAt = placeOf(header, idColumn);
  const links = new Map<string, Link>();
  /** The parent of the row before and how it was written; null when it had a problem, which every row that names it has. */
  let before: { readonly name: string; readonly id: string; readonly link: Link } | null = null;
  let isRefused = false;
  const refuseIn =
    (column: Column) =>
    (problem: SheetProblemKind): void => {
      isRefused = true;
      refuse(column, problem);
    };
  const [refuseName, refuseId] = [refuseIn(nameColumn), refuseIn(idColumn)];
  return (cells) => {
    const name = textAt(cells, nameAt);
    const id = textAt(cells, idAt);
    if (before !== null && before.name === name && before.id === id) return before.link;
    isRefused = false;
    const link = sharedLink(links, readName(name, refuseName), readId(id, refuseId));
    before = isRefused ? null : { name, id, link };
    return link;
  };
}

function sharedLink(links: Map<string, Link>, name: string | null, remoteId: RemoteId | null): Link {
  const key = `${remoteId ?? ''} ${name ?? ''}`;
  const known = links.get(key);
  if (known !== undefined) return known;
  const link = { name, remoteId };
  links.set(key, link);
  return link;
}

/** Options to parse the filled cells of a row into typed values; every problem names its column. */
export interface CellOptions {
  /** Decimal format of numbers; absent until the user was asked. */
  readonly decimals?: DecimalLocale;
  /** Order of dates; absent until the user was asked, or a date proved it. */
  readonly dates?: DateOrder;
  /** Values allowed by the account's deployment and its rows beyond the document. */
  readonly limits?: ParseLimits;
}

export type Refuse = (column: Column, problem: SheetProblemKind) => void;
/** Called with a number that has more decimals than are stored. */
export type TellCut = (column: Column, text: string, kept: string) => void;

/** A column as read for rows of one kind. */
interface CellSlot {
  /** Index in the row. */
  readonly at: number;
  readonly column: Column;
  /** Its field; null for a column that rows of this kind do not have. */
  readonly field: string | null;
  /** Cache of values by text: bids, states and match types repeat often. Null for columns that rarely repeat. */
  readonly known: Map<string, Cell> | null;
}

const KNOWN_TEXTS_MAX = 5000;

/** @returns a function that reads the fields of a row, in the order of the spreadsheet; blank cells are omitted */
function cellReader(
  header: SheetHeader,
  options: CellOptions,
  dates: DateReader,
  refuse: Refuse,
  tellCut: TellCut,
): (kind: SheetKind, cells: readonly string[]) => Readonly<Record<string, Cell>> {
  const slotsOf = memo((kind: SheetKind) => cellSlots(header, kind));
  return (kind, cells) => {
    const values: Record<string, Cell> = {};
    for (const { at, column, field, known } of slotsOf(kind)) {
      const text = textAt(cells, at);
      if (text === '') continue;
      if (field === null) {
        refuse(column, { kind: 'column-not-used', type: TYPE_NAMES[kind], column });
        continue;
      }
      if (text === ERASE) {
        values[field] = null;
        continue;
      }
      const before = known?.get(text);
      if (before !== undefined) {
        values[field] = before;
        continue;
      }
      const problem = column === 'Item id' ? itemIdProblem(text) : null;
      if (problem !== null) refuse(column, problem);
      const cell = readCell(kind, field, text, options, dates);
      if (!cell.ok) {
        refuse(column, cell.error);
        continue;
      }
      values[field] = cell.value;
      const kept = keptOf(text, cell.value, kind, field, options);
      if (kept !== null) tellCut(column, text, kept);
      // Truncated cells are not cached, so that each is reported.
      else if (known !== null && known.size < KNOWN_TEXTS_MAX) known.set(text, cell.value);
    }
    return values;
  };
}

/** Without the columns that identify the row or name files, which are read separately. */
function cellSlots({ columns }: SheetHeader, kind: SheetKind): readonly CellSlot[] {
  const files = FILE_COLUMNS[kind] ?? [];
  return columns.flatMap((column, at): CellSlot[] => {
    if (column === null) return [];
    const field = FIELD_OF[kind][column] ?? null;
    if (field === null && (LINK_COLUMNS.has(column) || files.includes(column))) return [];
    return [{ at, column, field, known: isText(kind, field) ? null : new Map() }];
  });
}

function readCell(
  kind: SheetKind,
  field: string,
  text: string,
  options: CellOptions,
  dates: DateReader,
): Result<Cell, SheetProblemKind> {
  if (isNumber(kind, field)) return parseCell(kind, field, asPlain(text, options), options.limits);
  const typed = unguardCell(text);
  if (fieldSpec(kind, field)?.type.is !== 'date') return parseCell(kind, field, typed, options.limits);
  const day = dates.read(typed);
  return day.ok ? parseCell(kind, field, day.value, options.limits) : day;
}

type DateReader = ReturnType<typeof dateReader>;

/** A date with a year of two digits, which may be at either end. */
const SHORT_YEAR = /^\d{1,2}(\s?[./-]\s?)\d{1,2}\1\d{2}\.?$/u;

/**
 * Reads the dates of a spreadsheet in one order: the chosen one, else that of the first date with a single meaning. Dates
 * with the year first have one meaning.
 */
function dateReader(chosen: DateOrder | undefined) {
  let order = chosen ?? null;
  let proof = '';
  return {
    /** A date of digits as year-month-day; any other text is unchanged. */
    read: (text: string): Result<string, SheetProblemKind> => {
      const { date: only, hasTime } = splitTime(text);
      const date = digitDate(only);
      if (date !== null && hasTime) return err({ kind: 'has-time', text });
      if (date === null) return SHORT_YEAR.test(only) ? err({ kind: 'short-year', text }) : ok(text);
      const [monthFirst, dayFirst] = [plainDate(date.monthFirst), plainDate(date.dayFirst)];
      const day = monthFirst ?? dayFirst;
      if (day === null) return err({ kind: 'not-a-date', text });
      if (monthFirst === dayFirst) return ok(day);
      if (monthFirst !== null && dayFirst !== null) {
        if (order === null) return err({ kind: 'unclear-date', text });
        return ok(order === 'month-first' ? monthFirst : dayFirst);
      }
      const proven = monthFirst === null ? 'day-first' : 'month-first';
      if (order === null) {
        order = proven;
        proof = text;
      }
      return order === proven ? ok(day) : err({ kind: 'other-date-order', text, order });
    },
    /** Null while no date has a single meaning. */
    order: () => order,
    /** The date that proved the order. */
    proof: () => proof,
  };
}

/** Texts rarely repeat; caching them would cost more than reading them. */
const isText = (kind: SheetKind, field: string | null): boolean =>
  field !== null && fieldSpec(kind, field)?.type.is === 'text';

function isNumber(kind: SheetKind, field: string): boolean {
  const type = fieldSpec(kind, field)?.type.is;
  return type === 'money' || type === 'factor';
}

const asPlain = (text: string, { decimals }: CellOptions): string =>
  decimals === undefined ? text : plainNumber(text, decimals);

/** The stored part of a truncated number; null if nothing was cut. */
function keptOf(text: string, cell: Cell, kind: SheetKind, field: string, options: CellOptions): string | null {
  if (typeof cell !== 'number' || !isNumber(kind, field)) return null;
  const written = parseDecimal(asPlain(text, options).replace(/\s*%$/u, ''), 2);
  return written.ok && written.value.wasCut ? formatDecimal(cell, 2) : null;
}

/** Spreadsheet programs write long numbers as 1.23457E+9 and drop leading zeros; neither can be undone. */
function itemIdProblem(text: string): SheetProblemKind | null {
  if (isScientific(text)) return { kind: 'damaged-id', text };
  return /^\d{1,9}$/.test(text) ? { kind: 'lost-zeros', text } : null;
}

const isScientific = (text: string): boolean => /^\d+(?:[.,]\d*)?[eE]\+?\d+$/.test(text);

/** Null for a blank cell. */
export function readId(text: string, refuse: (problem: SheetProblemKind) => void): RemoteId | null {
  if (text === '' || text === ERASE) return null;
  if (isScientific(text)) {
    refuse({ kind: 'damaged-id', text });
    return null;
  }
  const id = remoteId(text);
  if (id === null) refuse({ kind: 'not-an-id', text });
  return id;
}

/** Null for a blank cell. */
function readName(text: string, refuse: (problem: SheetProblemKind) => void): string | null {
  if (text === '' || text === ERASE) return null;
  const name = unguardCell(text).toWellFormed();
  const at = controlCharacterAt(name);
  if (at >= 0) refuse({ kind: 'control-character', text: name, at });
  if (isUnseen(name)) refuse({ kind: 'unseen-text', text: name });
  return name;
}

/** @returns a function that reads the files of a row; null for kinds without files */
function fileReader(header: SheetHeader): (kind: SheetKind, cells: readonly string[]) => Partial<SheetRow> | null {
  const read = (cells: readonly string[], column: Column): string | null | undefined => {
    const text = textAt(cells, placeOf(header, column));
    return text === '' ? undefined : text === ERASE ? null : unguardCell(text);
  };
  return (kind, cells) => {
    if (kind === 'sbaProfile') return given({ logo: read(cells, 'Logo') });
    if (kind !== 'videoProfile') return null;
    return given({
      video: read(cells, 'Video'),
      caption: read(cells, 'Caption'),
      mediaName: read(cells, 'Media name'),
    });
  };
}

/** Removes the keys without a value, so that "absent" and "erased" stay distinct. */
function given<T extends object>(files: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
