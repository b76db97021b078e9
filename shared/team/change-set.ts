import type { Cell } from '../model/field-types.ts';
import { FIELDS } from '../model/fields.ts';
import { KINDS, type Kind, kindCode } from '../model/kinds.ts';
import { asRowId, type RowId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';

/**
 * One entry of the log that the computers of a team share: plain assignments, without any rule of a merge in them. A computer
 * that folds it decides about its own changes alone. Rows have one number on every computer.
 */
export interface ChangeSet {
  /** New rows, parents before their children. Their values follow among the cells. */
  readonly made: readonly MadeRow[];
  /** Rows that go, with everything below them. */
  readonly removed: readonly RowRef[];
  readonly cells: readonly CellChange[];
  /**
   * What the service has of rows, as the computer that sends has read it: its id (`#remoteId`), whether it has never seen the
   * row (`#new`), all fields that it alone writes, and its value of other fields where that is not the one of the team.
   */
  readonly facts?: readonly CellChange[];
  /** Notes beside rows, each as a whole; text is JSON, and null takes the note away. */
  readonly notes?: readonly NoteRecord[];
}

export interface NoteRecord {
  readonly what: NoteKind;
  /** The number it has on every computer: of the note, or of the row that carries labels. */
  readonly id: number;
  readonly text: string | null;
}

/** Stored by position: appended to, never renumbered. */
export const NOTE_KINDS = [
  ...(['view', 'label', 'rowLabels', 'comment', 'userRules', 'mutedRules', 'templates'] as const),
  // A conflict with the service that ended for the value of the team; the number is one of this computer alone.
  'keptMine',
  'changeLimit',
] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export interface RowRef {
  readonly kind: Kind;
  readonly row: RowId;
}

export interface MadeRow extends RowRef {
  /** Null for what hangs at the account itself. */
  readonly parent: RowId | null;
}

export interface CellChange extends RowRef {
  readonly field: string;
  readonly value: Cell;
}

/** How many entries it has. */
export const sizeOf = ({ made, removed, cells, facts = [], notes = [] }: ChangeSet): number =>
  made.length + removed.length + cells.length + facts.length + notes.length;

/** How many rows and notes it is about: what a user counts as changes, however many cells of a row differ. */
export const changesIn = ({ made, removed, cells, facts = [], notes = [] }: ChangeSet): number =>
  new Set([made, removed, cells, facts].flatMap((list) => list.map(({ row }) => row))).size + notes.length;

export const isEmpty = (changes: ChangeSet): boolean => sizeOf(changes) === 0;

/** The mark that keeps a row back from every sync, among the fields of a row: 1, or nothing. */
export const HELD_FIELD = '#held';
/** Among the facts of a row: the id that the service gave it, and 1 while the service has never seen it. */
export const REMOTE_ID_FACT = '#remoteId';
export const NEW_FACT = '#new';

/** What is wrong with bytes that are no change set; `newer` is a format that this version cannot read. */
export type ChangeSetError = 'damaged' | 'newer';

/**
 * A change set as bytes, before they are packed: a version, then three lists of runs. A run has what its entries share in
 * front, the row numbers in ascending order as gaps, and the values:
 *
 *   made     kind, count, gaps, parents (0 for none)
 *   removed  kind, count, gaps
 *   cells    kind, field, count, gaps, a byte for the form of the values, values
 *
 * The second version goes on with the facts, written as cells are, and with the notes: their count, and for each what it is,
 * its number and its text. It is written only where the first cannot hold it.
 *
 * Whole numbers are written in groups of seven bits, signed ones folded around zero. Entries of one cell are written once,
 * with the last value.
 */
export function encodeChangeSet({ made, removed, cells, facts = [], notes = [] }: ChangeSet): Uint8Array {
  const out = new Writer();
  const isFirst = facts.length + notes.length === 0 && cells.every(({ field }) => field !== HELD_FIELD);
  out.byte(isFirst ? 1 : VERSION);
  out.runs(
    made,
    ({ kind }) => kindCode(kind),
    1,
    (run) => {
      const byRow = run.toSorted((a, b) => a.row - b.row);
      out.gaps(byRow);
      for (const { parent } of byRow) out.count(parent ?? 0);
    },
  );
  out.runs(
    removed,
    ({ kind }) => kindCode(kind),
    1,
    (run) => out.gaps(run.toSorted((a, b) => a.row - b.row)),
  );
  writeCells(out, cells);
  if (isFirst) return out.bytes();
  writeCells(out, facts);
  out.count(notes.length);
  for (const { what, id, text } of notes) {
    out.byte(NOTE_KINDS.indexOf(what));
    out.count(id);
    out.values([text]);
  }
  return out.bytes();
}

/** Each row once, and as they are written: large sets are, and to sort them costs more than all else. */
const isInOrder = (run: readonly RowRef[]): boolean => run.every(({ row }, at) => row > (run[at - 1]?.row ?? 0));

const writeCells = (out: Writer, cells: readonly CellChange[]): void =>
  out.runs(
    cells,
    ({ kind, field }) => kindCode(kind) * 256 + fieldCode(kind, field),
    2,
    (run) => {
      const byRow = isInOrder(run)
        ? run
        : [...new Map(run.map((cell) => [cell.row, cell])).values()].toSorted((a, b) => a.row - b.row);
      out.gaps(byRow);
      out.values(byRow.map(({ value }) => value));
    },
  );

/** Any bytes give a change set or an error; no count is believed that the bytes behind it could not hold. */
export function decodeChangeSet(bytes: Uint8Array): Result<ChangeSet, ChangeSetError> {
  const from = new Reader(bytes);
  try {
    const version = from.byte();
    if (version < 1 || version > VERSION) return err('newer');
    const made: MadeRow[] = [];
    const removed: RowRef[] = [];
    for (let runs = from.size(); runs > 0; runs--) {
      const kind = from.kind();
      const rows = from.gaps();
      for (const row of rows) made.push({ kind, row, parent: from.parent() });
    }
    for (let runs = from.size(); runs > 0; runs--) {
      const kind = from.kind();
      for (const row of from.gaps()) removed.push({ kind, row });
    }
    const cells = readCells(from);
    const more = version === 1 ? {} : { facts: readCells(from), notes: readNotes(from) };
    // Parents come first again, whatever order their numbers have.
    made.sort((a, b) => kindCode(a.kind) - kindCode(b.kind));
    return from.isAtEnd() ? ok({ made, removed, cells, ...more }) : err('damaged');
  } catch (error) {
    if (error instanceof Unreadable) return err(error.problem);
    throw error;
  }
}

function readCells(from: Reader): readonly CellChange[] {
  const cells: CellChange[] = [];
  for (let runs = from.size(); runs > 0; runs--) {
    const kind = from.kind();
    const field = fieldAt(kind, from.byte());
    const rows = from.gaps();
    const values = from.values(rows.length);
    for (const [at, row] of rows.entries()) cells.push({ kind, row, field, value: values[at] ?? null });
  }
  return cells;
}

function readNotes(from: Reader): readonly NoteRecord[] {
  return Array.from({ length: from.size() }, () => {
    const what = NOTE_KINDS[from.byte()];
    if (what === undefined) throw new Unreadable('newer');
    const id = from.count();
    const [text = null] = from.values(1);
    if (typeof text === 'number') throw new Unreadable('damaged');
    return { what, id, text };
  });
}

/** The newest version. */
const VERSION = 2;

/** What is no field of the model, from the end of the numbers down. */
const OTHER_FIELDS = [HELD_FIELD, REMOTE_ID_FACT, NEW_FACT];
const OTHER_FROM = 255;

/** Place of a field in its kind. Fields are only ever added at the end of their kind, so it never changes. */
const fieldCode = (kind: Kind, field: string): number => {
  const other = OTHER_FIELDS.indexOf(field);
  return other < 0 ? FIELD_NAMES[kind].indexOf(field) : OTHER_FROM - other;
};

function fieldAt(kind: Kind, code: number): string {
  const field = FIELD_NAMES[kind][code] ?? OTHER_FIELDS[OTHER_FROM - code];
  if (field === undefined) throw new Unreadable('newer');
  return field;
}

const FIELD_NAMES = Object.fromEntries(KINDS.map((kind) => [kind, Object.keys(FIELDS[kind])])) as unknown as Readonly<
  Record<Kind, readonly string[]>
>;

class Unreadable extends Error {
  readonly problem: ChangeSetError;
  constructor(problem: ChangeSetError) {
    super(problem);
    this.problem = problem;
  }
}

/** Forms of the values of a run. */
const NUMBERS = 0;
const TEXTS = 1;
const MIXED = 2;
const NOTHING = 0;
const NUMBER = 1;
const TEXT = 2;

class Writer {
  #bytes = new Uint8Array(256);
  #length = 0;

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 to 2^53 - 1. */
  count(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte(128 + (rest % 128));
    this.byte(rest);
  }

  /** Entries of one group stand in one run; `head` bytes of its number are written in front. */
  runs<T>(entries: readonly T[], group: (entry: T) => number, head: 1 | 2, write: (run: readonly T[]) => void): void {
    const groups = Map.groupBy(entries, group);
    this.count(groups.size);
    for (const [number, run] of [...groups].toSorted(([a], [b]) => a - b)) {
      if (head === 2) this.byte(Math.floor(number / 256));
      this.byte(number % 256);
      write(run);
    }
  }

  gaps(rows: readonly RowRef[]): void {
    this.count(rows.length);
    let last = 0;
    for (const { row } of rows) {
      this.count(row - last);
      last = row;
    }
  }

  values(values: readonly Cell[]): void {
    const form = values.every((value) => typeof value === 'number')
      ? NUMBERS
      : values.every((value) => typeof value === 'string')
        ? TEXTS
        : MIXED;
    this.byte(form);
    for (const value of values) {
      if (form === MIXED) this.byte(value === null ? NOTHING : typeof value === 'number' ? NUMBER : TEXT);
      if (typeof value === 'number') this.count(value < 0 ? -2 * value - 1 : 2 * value);
      if (typeof value === 'string') this.#text(value);
    }
  }

  /** By code units, so that any text comes back as it was. */
  #text(value: string): void {
    this.count(value.length);
    for (let at = 0; at < value.length; at++) this.count(value.charCodeAt(at));
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Unreadable('damaged');
    return byte;
  }

  count(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 53; scale *= 128) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (byte < 128) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
    }
    throw new Unreadable('damaged');
  }

  /** How many entries follow: each takes a byte at least. */
  size(): number {
    const size = this.count();
    if (size > this.#bytes.length - this.#at) throw new Unreadable('damaged');
    return size;
  }

  kind(): Kind {
    const kind = KINDS[this.byte()];
    if (kind === undefined) throw new Unreadable('newer');
    return kind;
  }

  parent(): RowId | null {
    const parent = this.count();
    if (parent > ROW_MAX) throw new Unreadable('damaged');
    return parent === 0 ? null : asRowId(parent);
  }

  gaps(): readonly RowId[] {
    const rows: RowId[] = [];
    let row = 0;
    for (let rest = this.size(); rest > 0; rest--) {
      const gap = this.count();
      row += gap;
      if (gap === 0 || row > ROW_MAX) throw new Unreadable('damaged');
      rows.push(asRowId(row));
    }
    return rows;
  }

  values(count: number): readonly Cell[] {
    const form = this.byte();
    if (form > MIXED) throw new Unreadable('newer');
    return Array.from({ length: count }, () => {
      const is = form === NUMBERS ? NUMBER : form === TEXTS ? TEXT : this.byte();
      if (is === NOTHING) return null;
      if (is === NUMBER) return this.#signed();
      if (is === TEXT) return this.#text();
      throw new Unreadable('newer');
    });
  }

  #signed(): number {
    const folded = this.count();
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  #text(): string {
    let text = '';
    let units: number[] = [];
    for (let rest = this.size(); rest > 0; rest--) {
      const unit = this.count();
      if (unit > 0xffff) throw new Unreadable('damaged');
      units.push(unit);
      if (units.length < 1024) continue;
      text += String.fromCharCode(...units);
      units = [];
    }
    return text + String.fromCharCode(...units);
  }
}

/** Row numbers are below 2^31. */
const ROW_MAX = 2 ** 31 - 1;
