import type { RemoteId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import { BASE_COLUMN, baseFrom } from './base-cell.ts';
import { isFormula } from './cell-guard.ts';
import { type ColumnSet, columnBit, DISPENSABLE, NO_COLUMNS } from './column-choice.ts';
import { type Column, columnOf, type SheetKind, sheetKind } from './columns.ts';
import { type CellOptions, type KnownCells, knownOf, readCells, readFiles, readId, readName } from './read-cells.ts';
import type { Link, SheetProblem, SheetProblemKind, SheetRow } from './sheet-row.ts';

export interface SheetOptions extends CellOptions {
  /** Columns that are left out: a cell in them that cannot be read counts as blank, if its row can do without it. */
  readonly out?: ColumnSet;
}

interface Header {
  /** The column of each cell of a row; null for columns that are not ours. */
  readonly columns: readonly (Column | null)[];
  readonly unknown: readonly string[];
  /** Parents named so far. Most rows name the same ones, so a million rows share a few thousand of these. */
  readonly links: Map<string, Link>;
  /** The parents of the row before and how they were written: mostly those of the next row, too. */
  readonly before: { readonly campaign: LinkText; readonly adGroup: LinkText };
  /** The filled cells of the row being read: one map for all rows, since a million of them would be garbage. */
  readonly texts: Map<Column, string>;
  /** Where the cell with the row as it was exported stands, or -1. */
  readonly baseAt: number;
  readonly known: KnownCells;
  passedOver: ColumnSet;
}

interface LinkText {
  name: string | undefined;
  id: string | undefined;
  link: Link | null;
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
  let header: Header | null = null;
  let refused: readonly SheetProblem[] | null = null;
  let line = 0;
  const begin = (cells: readonly string[]): void => {
    const read = readHeader(cells, line);
    if (read.ok) header = read.value;
    else refused = read.error;
  };
  return {
    take: (cells) => {
      line++;
      if (refused !== null || isBlankRow(cells)) return null;
      if (header === null) {
        begin(cells);
        return null;
      }
      if (cells.some(mayBeFormula)) formulaLines.push(line);
      const row = parseRow(header, cells, line, options);
      if (row.ok) return row.value;
      for (const problem of row.error) {
        problems.push(problem);
        if (problem.problem.kind === 'unclear-number') unclear.add(problem.problem.text);
      }
      return null;
    },
    end: () => {
      if (refused !== null) return { kind: 'bad-header', problems: refused };
      if (header === null) {
        return { kind: 'bad-header', problems: [{ line: 1, column: 'Type', problem: { kind: 'no-header' } }] };
      }
      if (unclear.size > 0 && options.decimals === undefined) {
        return { kind: 'needs-decimal-locale', examples: [...unclear].slice(0, 5) };
      }
      const { unknown: unknownColumns, passedOver } = header;
      return { kind: 'sheet', problems, unknownColumns, formulaLines, passedOver };
    },
  };
}

function isBlankRow(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false;
  return true;
}

/** Most cells begin with a letter or a digit and need no further look. */
function mayBeFormula(cell: string): boolean {
  const first = cell.charCodeAt(0);
  if (first >= 0x30) return first === 0x3d || first === 0x40 || first > 0x7f ? isFormula(cell.trim()) : false;
  return cell !== '' && isFormula(cell.trim());
}

function readHeader(cells: readonly string[], line: number): Result<Header, readonly SheetProblem[]> {
  const problems: SheetProblem[] = [];
  const unknown: string[] = [];
  const seen = new Set<Column>();
  const columns = cells.map((cell) => {
    const text = cell.replace(/^\ufeff/, '').trim();
    const column = columnOf(text);
    if (column === null && text !== '' && text !== BASE_COLUMN) unknown.push(text);
    if (column !== null && seen.has(column)) problems.push({ line, column, problem: { kind: 'column-twice', column } });
    if (column !== null) seen.add(column);
    return column;
  });
  if (!seen.has('Type')) problems.push({ line, column: 'Type', problem: { kind: 'missing-column', column: 'Type' } });
  if (problems.length > 0) return err(problems);
  const baseAt = cells.indexOf(BASE_COLUMN);
  const none: LinkText = { name: undefined, id: undefined, link: null };
  const before = { campaign: { ...none }, adGroup: { ...none } };
  const kept = { links: new Map(), before, texts: new Map(), known: new Map() };
  return ok({ columns, unknown, baseAt, passedOver: NO_COLUMNS, ...kept });
}

/** One row of text as a typed row, or everything that is wrong with it. */
function parseRow(
  header: Header,
  cells: readonly string[],
  line: number,
  options: SheetOptions,
): Result<SheetRow, readonly SheetProblem[]> {
  const { texts } = header;
  texts.clear();
  const { columns } = header;
  for (let at = 0; at < cells.length && at < columns.length; at++) {
    const column = columns[at] ?? null;
    const cell = cells[at] ?? '';
    if (column === null || cell === '') continue;
    const text = cell.trim();
    if (text !== '') texts.set(column, text);
  }
  const type = texts.get('Type') ?? '';
  const kind = sheetKind(type);
  if (kind === null) return err([{ line, column: 'Type', problem: { kind: 'unknown-type', text: type } }]);
  const problems: SheetProblem[] = [];
  const refuse = (column: Column, problem: SheetProblemKind): void => {
    const passed = columnBit(column) & DISPENSABLE & (options.out ?? NO_COLUMNS);
    if (passed !== NO_COLUMNS) header.passedOver |= passed;
    else problems.push({ line, column, problem });
  };
  const id = (column: Column): RemoteId | null => readId(texts.get(column), (problem) => refuse(column, problem));
  const name = (column: Column): string | null => readName(texts.get(column), (problem) => refuse(column, problem));
  const link = (before: LinkText, nameColumn: Column, idColumn: Column): Link => {
    const [nameText, idText] = [texts.get(nameColumn), texts.get(idColumn)];
    if (before.link !== null && before.name === nameText && before.id === idText) return before.link;
    const found = problems.length;
    const made = shared(header.links, name(nameColumn), id(idColumn));
    // A parent with a problem is read again, so that every row that names it says so.
    if (problems.length === found) Object.assign(before, { name: nameText, id: idText, link: made });
    return made;
  };
  const row = {
    line,
    kind,
    campaign: link(header.before.campaign, 'Campaign', 'Campaign id'),
    adGroup: link(header.before.adGroup, 'Ad group', 'Ad group id'),
    rowId: id('Row id'),
    cells: readCells(kind, texts, options, refuse, knownOf(header.known, kind)),
    ...readFiles(kind, texts),
    ...readBase(header, kind, cells),
  };
  return problems.length > 0 ? err(problems) : ok(row);
}

function shared(links: Map<string, Link>, name: string | null, remoteId: RemoteId | null): Link {
  const key = `${remoteId ?? ''} ${name ?? ''}`;
  const known = links.get(key);
  if (known !== undefined) return known;
  const link = { name, remoteId };
  links.set(key, link);
  return link;
}

/** What the row said when it was exported. A cell that does not hold that, for whatever reason, says nothing. */
function readBase({ baseAt }: Header, kind: SheetKind, cells: readonly string[]): Pick<SheetRow, 'base'> {
  const text = baseAt < 0 ? '' : (cells[baseAt] ?? '');
  const base = text === '' ? null : baseFrom(kind, text);
  return base === null ? {} : { base };
}
