import { jsonOrNull } from '../json-or-null.ts';
import type { Cell } from '../model/field-types.ts';
import { FIELDS, fieldSpec } from '../model/fields.ts';
import { KINDS, type Kind, kindCode } from '../model/kinds.ts';
import { asRowId, type RowId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';

/**
 * One entry of the log that the computers of a team share: plain assignments, without merge rules. A computer that
 * folds it decides about its own changes alone. Rows have the same number on every computer.
 */
export interface ChangeSet {
  /** New rows, parents before their children. Their values follow among the cells. */
  readonly made: readonly MadeRow[];
  /** Rows that go, with everything below them. */
  readonly removed: readonly RowRef[];
  readonly cells: readonly CellChange[];
  /**
   * The service's data of rows, as read by the computer that sends: the ID (`#remoteId`), whether the row was never on the
   * service (`#new`), all fields owned by the service, and its values of other fields where they differ from the team's.
   */
  readonly facts?: readonly CellChange[];
  /** Notes on rows, each as a whole; text is JSON, and null removes the note. */
  readonly notes?: readonly NoteRecord[];
}

export interface NoteRecord {
  readonly what: NoteKind;
  /** The same number on every computer: of the note, or of the row with labels. */
  readonly id: number;
  readonly text: string | null;
}

/** Stored by index: append only, never renumber. */
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
  /** Null for rows directly below the account. */
  readonly parent: RowId | null;
}

export interface CellChange extends RowRef {
  readonly field: string;
  readonly value: Cell;
}

/** Number of entries. */
export const sizeOf = ({ made, removed, cells, facts = [], notes = [] }: ChangeSet): number =>
  made.length + removed.length + cells.length + facts.length + notes.length;

/** Number of rows and notes in it: what users count as changes, for any number of cells per row. */
export const changesIn = ({ made, removed, cells, facts = [], notes = [] }: ChangeSet): number =>
  new Set([made, removed, cells, facts].flatMap((list) => list.map(({ row }) => row))).size + notes.length;

export const isEmpty = (changes: ChangeSet): boolean => sizeOf(changes) === 0;

/** The mark that excludes a row from every sync, among the fields of a row: 1 or null. */
export const HELD_FIELD = '#held';
/** Among the facts of a row: the service's ID, and 1 while the row was never on the service. */
export const REMOTE_ID_FACT = '#remoteId';
export const NEW_FACT = '#new';

/** Errors of a change set; `newer` is a format that this version can't read. */
export type ChangeSetError = 'damaged' | 'newer';

/**
 * A change set as bytes, before compression: a version, then three lists of runs. A run begins with what its entries
 * share, then has the row numbers in ascending order as differences, and the values:
 *
 *   made     kind, count, gaps, parents (0 for none)
 *   removed  kind, count, gaps
 *   cells    kind, field, count, gaps, a byte for the form of the values, values
 *
 * The second version adds the facts, in the form of cells, and the notes: their count, and for each its kind, number and
 * text. It is written only if the first is not enough.
 *
 * Integers are written in groups of seven bits, signed ones in zigzag form. Several entries of one cell are written once,
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

/** Whether rows are unique and sorted, as in most large sets: sorting would cost more than all other steps. */
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

/** Any bytes give a change set or an error; a count larger than the remaining bytes allow is an error. */
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
    // Restores the order of parents first, for any order of their numbers.
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
    checkValues(kind, field, values);
    for (const [at, row] of rows.entries()) cells.push({ kind, row, field, value: values[at] ?? null });
  }
  return cells;
}

/** A value that its column can't store would end every computer that folds it. */
function checkValues(kind: Kind, field: string, values: readonly Cell[]): void {
  const type = fieldSpec(kind, field)?.type;
  const isText = type === undefined ? field === REMOTE_ID_FACT : ['text', 'date', 'choice'].includes(type.is);
  for (const value of values) {
    if (value === null) continue;
    if ((typeof value === 'string') !== isText) throw new Unreadable('damaged');
    if (type?.is === 'choice' && !type.isOpen && !type.choices.includes(String(value))) throw new Unreadable('newer');
  }
}

function readNotes(from: Reader): readonly NoteRecord[] {
  return Array.from({ length: from.size() }, () => {
    const what = NOTE_KINDS[from.byte()];
    if (what === undefined) throw new Unreadable('newer');
    const id = from.count();
    const [text = null] = from.values(1);
    if (typeof text === 'number') throw new Unreadable('damaged');
    checkNote(what, text);
    return { what, id, text };
  });
}

/** A record of another form would end every computer that folds or shows it. The other settings are read from any text. */
function checkNote(what: NoteKind, text: string | null): void {
  if (what === 'mutedRules' || what === 'changeLimit' || (text === null && what !== 'keptMine')) return;
  const cells = jsonOrNull(text ?? '');
  if (!Array.isArray(cells) || !NOTE_FORMS[what](cells)) throw new Unreadable('damaged');
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isOrNull = (is: (value: unknown) => boolean, value: unknown): boolean => value === null || is(value);
const isRow = (value: unknown): boolean => isInteger(value) && value > 0 && value <= ROW_MAX;
const isObject = (value: unknown): value is Partial<Record<'id' | 'name' | 'kind' | 'severity' | 'query', unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** An object as text. */
const isRecord = (value: unknown): boolean => isString(value) && isObject(jsonOrNull(value));

/** @throws for a kind of a later version */
function isKind(value: unknown, kinds: readonly unknown[]): boolean {
  if ((isString(value) || isInteger(value)) && !kinds.includes(value)) throw new Unreadable('newer');
  return kinds.includes(value);
}
const isCode = (value: unknown): boolean => isInteger(value) && isKind(value, KINDS.map(kindCode));

/** Whether the parsed record of a note can be stored and shown. */
const NOTE_FORMS: Readonly<
  Record<Exclude<NoteKind, 'mutedRules' | 'changeLimit'>, (cells: readonly unknown[]) => boolean>
> = {
  view: ([kind, name, view, layout]) => isCode(kind) && isString(name) && isRecord(view) && isRecord(layout),
  label: ([name, color]) => isString(name) && isString(color),
  rowLabels: ([kind, uids]) => isOrNull(isCode, kind) && Array.isArray(uids) && uids.every(isInteger),
  comment: ([kind, row, field, author, text, at, resolvedAt, member]) =>
    isCode(kind) &&
    isRow(row) &&
    isOrNull(isString, field) &&
    [author, text].every(isString) &&
    isInteger(at) &&
    [resolvedAt, member].every((value) => isOrNull(isInteger, value)),
  userRules: (rules) =>
    rules.every(
      (rule) =>
        isObject(rule) && [rule.id, rule.name, rule.severity, rule.query].every(isString) && isKind(rule.kind, KINDS),
    ),
  templates: (templates) => templates.every((template) => isObject(template) && isString(template.name)),
  keptMine: ([kind, row, field, value]) =>
    isKind(kind, KINDS) && isRow(row) && isString(field) && (isString(value) || isOrNull(isInteger, value)),
};

/** The newest version. */
const VERSION = 2;

/** Codes of cells outside the model's fields, from the highest number down. */
const OTHER_FIELDS = [HELD_FIELD, REMOTE_ID_FACT, NEW_FACT];
const OTHER_FROM = 255;

/** Index of a field in its kind. Fields are only ever appended, so it never changes. */
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

  /** Writes an integer from 0 to 2^53 - 1. */
  count(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte(128 + (rest % 128));
    this.byte(rest);
  }

  /** Writes the entries of each group as one run; `head` bytes of its number come first. */
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

  /** By UTF-16 code units, so that any text is restored exactly. */
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

  /** The number of entries that follow: each needs at least one byte. */
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
