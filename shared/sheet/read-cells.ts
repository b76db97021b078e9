import { parseCell } from '../model/cell-text.ts';
import { controlCharacterAt } from '../model/code-points.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import { type RemoteId, remoteId } from '../model/scalars.ts';
import { ERASE, unguardCell } from './cell-guard.ts';
import { type Column, FIELD_OF, FILE_COLUMNS, LINK_COLUMNS, type SheetKind, TYPE_NAMES } from './columns.ts';
import { type DecimalLocale, plainNumber } from './decimal-locale.ts';
import type { SheetProblemKind, SheetRow } from './sheet-row.ts';

/** How the filled cells of a row are read from text to typed values; every refusal names its column. */
export interface CellOptions {
  /** How numbers are written; absent until the user was asked. */
  readonly decimals?: DecimalLocale;
  /** Highest multiplier of the profile, in percent. */
  readonly factorMax?: number;
}

/** Values read before, by kind, column and text: bids, states and match types repeat all the time. */
export type KnownCells = Map<SheetKind, Map<Column, Map<string, Cell>>>;

/** Columns whose texts hardly ever repeat; remembering them would cost more than reading them. */
const FREE_TEXT: ReadonlySet<Column> = new Set<Column>(['Campaign', 'Keyword', 'Item id', 'Headline', 'Click URL']);
const KNOWN_TEXTS_MAX = 5000;

export function knownOf(known: KnownCells, kind: SheetKind): Map<Column, Map<string, Cell>> {
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

export type Refuse = (column: Column, problem: SheetProblemKind) => void;

export function readCells(
  kind: SheetKind,
  texts: ReadonlyMap<Column, string>,
  options: CellOptions,
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

function readCell(kind: SheetKind, field: string, text: string, { decimals, factorMax }: CellOptions) {
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

export function readId(text: string | undefined, refuse: (problem: SheetProblemKind) => void): RemoteId | null {
  if (text === undefined || text === ERASE) return null;
  if (isScientific(text)) {
    refuse({ kind: 'damaged-id', text });
    return null;
  }
  const id = remoteId(text);
  if (id === null) refuse({ kind: 'not-an-id', text });
  return id;
}

export function readName(text: string | undefined, refuse: (problem: SheetProblemKind) => void): string | null {
  if (text === undefined || text === ERASE) return null;
  const name = unguardCell(text).toWellFormed();
  const at = controlCharacterAt(name);
  if (at >= 0) refuse({ kind: 'control-character', text: name, at });
  return name;
}

export function readFiles(kind: SheetKind, texts: ReadonlyMap<Column, string>): Partial<SheetRow> {
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
