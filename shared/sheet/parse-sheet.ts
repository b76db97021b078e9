import { parseCell } from '../model/cell-text.ts';
import { controlCharacterAt } from '../model/code-points.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import { type RemoteId, remoteId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import { BASE_COLUMN, baseFrom } from './base-cell.ts';
import { ERASE, isFormula, unguardCell } from './cell-guard.ts';
import {
  type Column,
  columnOf,
  FIELD_OF,
  FILE_COLUMNS,
  LINK_COLUMNS,
  type SheetKind,
  sheetKind,
  TYPE_NAMES,
} from './columns.ts';
import { type DecimalLocale, plainNumber } from './decimal-locale.ts';
import type { Link, SheetProblem, SheetProblemKind, SheetRow } from './sheet-row.ts';

export interface SheetOptions {
  /** How numbers are written; absent until the user was asked. */
  readonly decimals?: DecimalLocale;
  /** Highest multiplier of the profile, in percent. */
  readonly factorMax?: number;
}

interface Header {
  /** The column of each cell of a row; null for columns that are not ours. */
  readonly columns: readonly (Column | null)[];
  readonly unknown: readonly string[];
  /** Parents named so far. Most rows name the same ones, so a million rows share a few thousand of these. */
  readonly links: Map<string, Link>;
  /** The filled cells of the row being read: one map for all rows, since a million of them would be garbage. */
  readonly texts: Map<Column, string>;
  /** Where the cell with the row as it was exported stands, or -1. */
  readonly baseAt: number;
  /** Values read before, by kind, column and text: bids, states and match types repeat all the time. */
  readonly known: Map<SheetKind, Map<Column, Map<string, Cell>>>;
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
      return { kind: 'sheet', problems, unknownColumns: header.unknown, formulaLines };
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
  return ok({ columns, unknown, links: new Map(), texts: new Map(), baseAt, known: new Map() });
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
  const refuse = (column: Column, problem: SheetProblemKind): void => void problems.push({ line, column, problem });
  const id = (column: Column): RemoteId | null => readId(texts.get(column), (problem) => refuse(column, problem));
  const name = (column: Column): string | null => readName(texts.get(column), (problem) => refuse(column, problem));
  const row = {
    line,
    kind,
    campaign: shared(header.links, name('Campaign'), id('Campaign id')),
    adGroup: shared(header.links, name('Ad group'), id('Ad group id')),
    rowId: id('Row id'),
    cells: readCells(kind, texts, options, refuse, knownOf(header, kind)),
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

/** Columns whose texts hardly ever repeat; remembering them would cost more than reading them. */
const FREE_TEXT: ReadonlySet<Column> = new Set<Column>(['Campaign', 'Keyword', 'Item id', 'Headline', 'Click URL']);
const KNOWN_TEXTS_MAX = 5000;

function knownOf({ known }: Header, kind: SheetKind): Map<Column, Map<string, Cell>> {
  let columns = known.get(kind);
  if (columns === undefined) {
    columns = new Map();
    known.set(kind, columns);
  }
  return columns;
}

function remember(known: Map<Column, Map<string, Cell>>, column: Column, text: string, cell: Cell): void {
  let texts = known.get(column);
  if (texts === undefined) {
    texts = new Map();
    known.set(column, texts);
  }
  if (texts.size < KNOWN_TEXTS_MAX) texts.set(text, cell);
}

/** What the row said when it was exported. A cell that does not hold that, for whatever reason, says nothing. */
function readBase({ baseAt }: Header, kind: SheetKind, cells: readonly string[]): Pick<SheetRow, 'base'> {
  const text = baseAt < 0 ? '' : (cells[baseAt] ?? '');
  const base = text === '' ? null : baseFrom(kind, text);
  return base === null ? {} : { base };
}

type Refuse = (column: Column, problem: SheetProblemKind) => void;

function readCells(
  kind: SheetKind,
  texts: ReadonlyMap<Column, string>,
  options: SheetOptions,
  refuse: Refuse,
  known: Map<Column, Map<string, Cell>>,
): Readonly<Record<string, Cell>> {
  const cells: Record<string, Cell> = {};
  const fields = FIELD_OF[kind];
  const files = FILE_COLUMNS[kind] ?? [];
  for (const [column, text] of texts) {
    const field = fields[column];
    if (field === undefined) {
      const isUsed = LINK_COLUMNS.has(column) || files.includes(column);
      if (!isUsed) refuse(column, { kind: 'column-not-used', type: TYPE_NAMES[kind], column });
      continue;
    }
    if (text === ERASE) {
      cells[field] = null;
      continue;
    }
    if (column === 'Item id') {
      const problem = itemIdProblem(text);
      if (problem !== null) refuse(column, problem);
    }
    const before = known.get(column)?.get(text);
    if (before !== undefined) {
      cells[field] = before;
      continue;
    }
    const cell = readCell(kind, field, text, options);
    if (!cell.ok) {
      refuse(column, cell.error);
      continue;
    }
    cells[field] = cell.value;
    if (!FREE_TEXT.has(column)) remember(known, column, text, cell.value);
  }
  return cells;
}

function readCell(kind: SheetKind, field: string, text: string, { decimals, factorMax }: SheetOptions) {
  const type = fieldSpec(kind, field)?.type.is;
  const isNumber = type === 'money' || type === 'factor';
  const limits = factorMax === undefined ? undefined : { factorMax };
  if (!isNumber) return parseCell(kind, field, unguardCell(text), limits);
  return parseCell(kind, field, decimals === undefined ? text : plainNumber(text, decimals), limits);
}

/** Spreadsheet programs write long digits as 1.23457E+9 and drop leading zeros; neither can be taken back. */
function itemIdProblem(text: string): SheetProblemKind | null {
  if (isScientific(text)) return { kind: 'damaged-id', text };
  return /^\d{1,9}$/.test(text) ? { kind: 'lost-zeros', text } : null;
}

const isScientific = (text: string): boolean => /^\d+(?:[.,]\d*)?[eE]\+?\d+$/.test(text);

function readId(text: string | undefined, refuse: (problem: SheetProblemKind) => void): RemoteId | null {
  if (text === undefined || text === ERASE) return null;
  if (isScientific(text)) {
    refuse({ kind: 'damaged-id', text });
    return null;
  }
  const id = remoteId(text);
  if (id === null) refuse({ kind: 'not-an-id', text });
  return id;
}

function readName(text: string | undefined, refuse: (problem: SheetProblemKind) => void): string | null {
  if (text === undefined || text === ERASE) return null;
  const name = unguardCell(text).toWellFormed();
  const at = controlCharacterAt(name);
  if (at >= 0) refuse({ kind: 'control-character', text: name, at });
  return name;
}

function readFiles(kind: SheetKind, texts: ReadonlyMap<Column, string>): Partial<SheetRow> {
  const read = (column: Column): string | null | undefined => {
    const text = texts.get(column);
    return text === undefined ? undefined : text === ERASE ? null : unguardCell(text);
  };
  if (kind === 'sbaProfile') return given({ logo: read('Logo') });
  if (kind !== 'videoProfile') return {};
  return given({ video: read('Video'), caption: read('Caption'), mediaName: read('Media name') });
}

/** Drops the keys without a value, so that "absent" and "erased" stay two things. */
function given<T extends object>(files: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
