import type { ImportRowFilter } from '../../../../shared/api/files.ts';
import { asRowId, type RowId } from '../../../../shared/model/scalars.ts';
import type { LinkedRow } from '../../../../shared/spreadsheet/change-collector.ts';
import {
  type ColumnSet,
  IMPORT_COLUMNS,
  leftOutOf,
  NEEDED,
  NO_COLUMNS,
  outcomeWithout,
  type SheetKind,
  TYPE_NAMES,
} from '../../../../shared/spreadsheet/columns.ts';

/** Outcomes of a line. The first is for lines that are no rows. */
const OUTCOMES = ['none', 'added', 'changed', 'unchanged', 'conflict', 'removed', 'error', 'left-out'] as const;
export type LineOutcome = Exclude<(typeof OUTCOMES)[number], 'none'>;
const KINDS = Object.keys(TYPE_NAMES) as SheetKind[];

export interface ColumnCounts {
  readonly changes: number;
  readonly needed: number;
}

/**
 * Outcomes of the lines of a file: 14 bytes per line, so that a million of them need little memory. The columns that a
 * row fills are stored too, so that skipping columns needs no reading.
 */
export class LineOutcomes {
  #codes = new Uint8Array(1024);
  #kinds = new Uint8Array(1024);
  /** The row of the workspace, or 0. */
  #rows = new Int32Array(1024);
  #fills = new Int32Array(1024);
  #apart = new Int32Array(1024);
  #last = 0;
  /** Columns of files that cannot be used, by line: few lines have any. */
  #badFiles = new Map<number, ColumnSet>();

  set(line: number, linked: LinkedRow): void {
    this.note(line, linked.outcome);
    this.#kinds[line] = KINDS.indexOf(linked.kind);
    this.#rows[line] = linked.known ?? 0;
    this.#fills[line] = linked.fills;
    this.#apart[line] = linked.apart;
  }

  /** Records the outcome of a line, which alone is enough for one without a row to import. */
  note(line: number, outcome: LineOutcome): void {
    if (line >= this.#codes.length) this.#grow(line);
    this.#last = Math.max(this.#last, line);
    this.#codes[line] = OUTCOMES.indexOf(outcome);
  }

  noteBadFiles(line: number, columns: ColumnSet): void {
    this.#badFiles.set(line, (this.#badFiles.get(line) ?? NO_COLUMNS) | columns);
  }

  /** Columns of unusable files of this line that are not skipped. */
  badFiles(line: number, out: ColumnSet): ColumnSet {
    const bad = this.#badFiles.get(line) ?? NO_COLUMNS;
    return bad & ~leftOutOf(this.#fills[line] ?? NO_COLUMNS, out);
  }

  /** @param out skipped columns */
  of(line: number, out: ColumnSet): LineOutcome | null {
    const outcome = OUTCOMES[this.#codes[line] ?? 0] ?? 'none';
    if (outcome === 'none') return null;
    if (outcome === 'error' || outcome === 'left-out') return outcome;
    if (this.#badFiles.size > 0 && this.badFiles(line, out) !== NO_COLUMNS) return 'error';
    const [fills, apart] = [this.#fills[line] ?? NO_COLUMNS, this.#apart[line] ?? NO_COLUMNS];
    return outcomeWithout({ kind: this.#kindOf(line), outcome, fills, apart }, out);
  }

  /** The row of the workspace for the line; null for a new one. */
  rowOf(line: number): RowId | null {
    const row = this.#rows[line] ?? 0;
    return row === 0 ? null : asRowId(row);
  }

  /** Number of lines with any outcome. */
  total(): number {
    let total = 0;
    for (let line = 1; line <= this.#last; line++) if (this.#codes[line] !== 0) total++;
    return total;
  }

  counts(out: ColumnSet) {
    const counts = { added: 0, changed: 0, removed: 0, unchanged: 0, conflict: 0, 'left-out': 0, error: 0 };
    for (let line = 1; line <= this.#last; line++) {
      const outcome = this.of(line, out);
      if (outcome !== null) counts[outcome]++;
    }
    const { added, changed, removed, unchanged, conflict: conflicts, 'left-out': leftOut, error: errors } = counts;
    return { added, changed, removed, unchanged, conflicts, leftOut, errors };
  }

  /** For each column, the number of rows with a change that can be skipped, and of new rows that require it. */
  columnCounts(): readonly ColumnCounts[] {
    const changes = IMPORT_COLUMNS.map(() => 0);
    const needed = IMPORT_COLUMNS.map(() => 0);
    for (let line = 1; line <= this.#last; line++) {
      const fills = this.#fills[line] ?? NO_COLUMNS;
      const held = OUTCOMES[this.#codes[line] ?? 0] === 'added' ? NEEDED[this.#kindOf(line)] : NO_COLUMNS;
      for (let rest = fills; rest !== 0; rest &= rest - 1) {
        const at = 31 - Math.clz32(rest & -rest);
        const counted = (held & (rest & -rest)) === 0 ? changes : needed;
        counted[at] = (counted[at] ?? 0) + 1;
      }
    }
    return changes.map((count, at) => ({ changes: count, needed: needed[at] ?? 0 }));
  }

  /** The lines `from` to `from + count` of those that fit, and how many fit in all. */
  window(filter: Exclude<ImportRowFilter, 'error'>, out: ColumnSet, from: number, count: number) {
    const lines = new Set<number>();
    let total = 0;
    for (let line = 1; line <= this.#last; line++) {
      const outcome = this.of(line, out);
      const fits =
        filter === 'all' ? outcome !== null && outcome !== 'error' && outcome !== 'left-out' : outcome === filter;
      if (!fits) continue;
      if (total >= from && lines.size < count) lines.add(line);
      total++;
    }
    return { total, lines };
  }

  #kindOf(line: number): SheetKind {
    return KINDS[this.#kinds[line] ?? 0] ?? 'campaign';
  }

  #grow(line: number): void {
    const size = Math.max(line + 1, this.#codes.length * 2);
    const longer = <T extends Uint8Array | Int32Array>(from: T, into: T): T => {
      into.set(from);
      return into;
    };
    this.#codes = longer(this.#codes, new Uint8Array(size));
    this.#kinds = longer(this.#kinds, new Uint8Array(size));
    this.#rows = longer(this.#rows, new Int32Array(size));
    this.#fills = longer(this.#fills, new Int32Array(size));
    this.#apart = longer(this.#apart, new Int32Array(size));
  }
}

/** Outcomes that the user can select row by row. */
export type SelectableOutcome = Extract<LineOutcome, 'added' | 'changed' | 'removed' | 'conflict'>;

const CHOOSABLE: readonly LineOutcome[] = ['added', 'changed', 'removed', 'conflict'];
export const isChoosable = (outcome: LineOutcome): outcome is SelectableOutcome => CHOOSABLE.includes(outcome);

/** The rows of a preview to import: by outcome, and line by line for exceptions. */
export interface RowSelection {
  /** Outcomes to import, except for the lines in `leaveOut`; for a conflict the file's values apply. */
  readonly comeIn: readonly SelectableOutcome[];
  readonly leaveOut: readonly number[];
  /** Lines to import in addition to `comeIn`. */
  readonly take: readonly number[];
}

/** Imports everything new or changed; rows in conflict stay as they are here. */
export const AS_PREVIEWED: RowSelection = { comeIn: ['added', 'changed', 'removed'], leaveOut: [], take: [] };

/** Returns whether a line is imported, without building a list of a million lines. */
export function isRowSelected(
  outcomes: LineOutcomes,
  out: ColumnSet,
  { comeIn, leaveOut, take }: RowSelection,
): (line: number) => boolean {
  const wanted = new Set<LineOutcome>(comeIn);
  const [left, taken] = [new Set(leaveOut), new Set(take)];
  return (line) => {
    const outcome = outcomes.of(line, out);
    if (outcome === null || !isChoosable(outcome)) return false;
    return wanted.has(outcome) ? !left.has(line) : taken.has(line);
  };
}
