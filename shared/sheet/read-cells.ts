import { type ParseLimits, parseCell } from '../model/cell-text.ts';
import { controlCharacterAt } from '../model/code-points.ts';
import { formatDecimal, parseDecimal } from '../model/decimal.ts';
import type { Cell } from '../model/field-types.ts';
import { fieldSpec } from '../model/fields.ts';
import { isUnseen } from '../model/invisible-text.ts';
import { type RemoteId, remoteId } from '../model/scalars.ts';
import { ERASE, unguardCell } from './cell-guard.ts';
import { type Column, FIELD_OF, FILE_COLUMNS, LINK_COLUMNS, type SheetKind, TYPE_NAMES } from './columns.ts';
import { type DecimalLocale, plainNumber } from './decimal-locale.ts';
import { placeOf, type SheetHeader, textAt } from './sheet-header.ts';
import type { SheetProblemKind, SheetRow } from './sheet-row.ts';

/** How the filled cells of a row are read from text to typed values; every refusal names its column. */
export interface CellOptions {
  /** How numbers are written; absent until the user was asked. */
  readonly decimals?: DecimalLocale;
  /** What the account's deployment and its rows allow beyond the document. */
  readonly limits?: ParseLimits;
}

export type Refuse = (column: Column, problem: SheetProblemKind) => void;
/** Hears of a number that was written with more decimals than are kept. */
export type TellCut = (column: Column, text: string, kept: string) => void;

/** A cell that rows of one kind read from the sheet. */
interface CellSlot {
  /** Where it stands in the row. */
  readonly at: number;
  readonly column: Column;
  /** The field it fills; null for a column that rows of this kind do not have. */
  readonly field: string | null;
  /** Values read before, by text: bids, states and match types repeat all the time. Null where they hardly ever do. */
  readonly known: Map<string, Cell> | null;
}

/** Columns whose texts hardly ever repeat; remembering them would cost more than reading them. */
const FREE_TEXT: ReadonlySet<Column> = new Set<Column>(['Campaign', 'Keyword', 'Item id', 'Headline', 'Click URL']);
const KNOWN_TEXTS_MAX = 5000;

/** @returns reads the fields that the cells of a row fill, in the order of the sheet; blank cells fill none */
export function cellReader(
  header: SheetHeader,
  options: CellOptions,
  refuse: Refuse,
  tellCut: TellCut,
): (kind: SheetKind, cells: readonly string[]) => Readonly<Record<string, Cell>> {
  const slotsByKind = new Map<SheetKind, readonly CellSlot[]>();
  const slotsOf = (kind: SheetKind): readonly CellSlot[] => {
    const known = slotsByKind.get(kind);
    if (known !== undefined) return known;
    const slots = cellSlots(header, kind);
    slotsByKind.set(kind, slots);
    return slots;
  };
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
      const cell = readCell(kind, field, text, options);
      if (!cell.ok) {
        refuse(column, cell.error);
        continue;
      }
      values[field] = cell.value;
      const kept = keptOf(text, cell.value, kind, field, options);
      if (kept !== null) tellCut(column, text, kept);
      // Every cell that is cut is told of, however often its text repeats.
      else if (known !== null && known.size < KNOWN_TEXTS_MAX) known.set(text, cell.value);
    }
    return values;
  };
}

/** Without the columns that say which row is meant, or name files: those are read by themselves. */
function cellSlots({ columns }: SheetHeader, kind: SheetKind): readonly CellSlot[] {
  const files = FILE_COLUMNS[kind] ?? [];
  return columns.flatMap((column, at): CellSlot[] => {
    if (column === null) return [];
    const field = FIELD_OF[kind][column] ?? null;
    if (field === null && (LINK_COLUMNS.has(column) || files.includes(column))) return [];
    return [{ at, column, field, known: FREE_TEXT.has(column) ? null : new Map() }];
  });
}

function readCell(kind: SheetKind, field: string, text: string, options: CellOptions) {
  return parseCell(kind, field, isNumber(kind, field) ? asPlain(text, options) : unguardCell(text), options.limits);
}

function isNumber(kind: SheetKind, field: string): boolean {
  const type = fieldSpec(kind, field)?.type.is;
  return type === 'money' || type === 'factor';
}

const asPlain = (text: string, { decimals }: CellOptions): string =>
  decimals === undefined ? text : plainNumber(text, decimals);

/** What was kept of a number of which digits were cut off; null when it is the same. */
function keptOf(text: string, cell: Cell, kind: SheetKind, field: string, options: CellOptions): string | null {
  if (typeof cell !== 'number' || !isNumber(kind, field)) return null;
  const written = parseDecimal(asPlain(text, options).replace(/\s*%$/u, ''), 2);
  return written.ok && written.value.wasCut ? formatDecimal(cell, 2) : null;
}

/** Spreadsheet programs write long digits as 1.23457E+9 and drop leading zeros; neither can be taken back. */
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
export function readName(text: string, refuse: (problem: SheetProblemKind) => void): string | null {
  if (text === '' || text === ERASE) return null;
  const name = unguardCell(text).toWellFormed();
  const at = controlCharacterAt(name);
  if (at >= 0) refuse({ kind: 'control-character', text: name, at });
  if (isUnseen(name)) refuse({ kind: 'unseen-text', text: name });
  return name;
}

/** @returns reads the files that a row names; null for kinds that have none */
export function fileReader(
  header: SheetHeader,
): (kind: SheetKind, cells: readonly string[]) => Partial<SheetRow> | null {
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

/** Drops the keys without a value, so that "absent" and "erased" stay two things. */
function given<T extends object>(files: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
