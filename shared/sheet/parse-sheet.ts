import { parseCell } from '../model/cell-text.ts';
import { controlCharacterAt } from '../model/code-points.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import { type RemoteId, remoteId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
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
  const problems: SheetProblem[] = [];
  const formulaLines: number[] = [];
  const unclear: string[] = [];
  let header: Header | null = null;
  let line = 0;
  for (const cells of table) {
    line++;
    if (cells.every(isBlank)) continue;
    if (header === null) {
      const read = readHeader(cells, line);
      if (!read.ok) return { kind: 'bad-header', problems: read.error };
      header = read.value;
      continue;
    }
    if (cells.some((cell) => isFormula(cell.trim()))) formulaLines.push(line);
    const row = parseRow(header, cells, line, options);
    if (row.ok) rows.push(row.value);
    else {
      problems.push(...row.error);
      for (const { problem } of row.error) if (problem.kind === 'unclear-number') unclear.push(problem.text);
    }
  }
  if (header === null)
    return { kind: 'bad-header', problems: [{ line: 1, column: 'Type', problem: { kind: 'no-header' } }] };
  if (unclear.length > 0 && options.decimals === undefined) {
    return { kind: 'needs-decimal-locale', examples: [...new Set(unclear)].slice(0, 5) };
  }
  return { kind: 'sheet', rows, problems, unknownColumns: header.unknown, formulaLines };
}

function readHeader(cells: readonly string[], line: number): Result<Header, readonly SheetProblem[]> {
  const problems: SheetProblem[] = [];
  const unknown: string[] = [];
  const seen = new Set<Column>();
  const columns = cells.map((cell) => {
    const text = cell.replace(/^\ufeff/, '').trim();
    const column = columnOf(text);
    if (column === null && text !== '') unknown.push(text);
    if (column !== null && seen.has(column)) problems.push({ line, column, problem: { kind: 'column-twice', column } });
    if (column !== null) seen.add(column);
    return column;
  });
  if (!seen.has('Type')) problems.push({ line, column: 'Type', problem: { kind: 'missing-column', column: 'Type' } });
  return problems.length > 0 ? err(problems) : ok({ columns, unknown, links: new Map(), texts: new Map() });
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
  header.columns.forEach((column, at) => {
    const text = (cells[at] ?? '').trim();
    if (column !== null && text !== '') texts.set(column, text);
  });
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
    cells: readCells(kind, texts, options, refuse),
    ...readFiles(kind, texts),
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

type Refuse = (column: Column, problem: SheetProblemKind) => void;

function readCells(
  kind: SheetKind,
  texts: ReadonlyMap<Column, string>,
  options: SheetOptions,
  refuse: Refuse,
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
    const cell = readCell(kind, field, text, options);
    if (cell.ok) cells[field] = cell.value;
    else refuse(column, cell.error);
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

const isBlank = (cell: string): boolean => cell.trim() === '';
