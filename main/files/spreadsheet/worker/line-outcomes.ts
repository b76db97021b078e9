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

/** What becomes of a line. The first stands for lines that are no rows. */
const OUTCOMES = ['none', 'added', 'changed', 'unchanged', 'conflict', 'removed', 'error', 'left-out'] as const;
export type LineOutcome = Exclude<(typeof OUTCOMES)[number], 'none'>;
const KINDS = Object.keys(TYPE_NAMES) as SheetKind[];

export interface ColumnCounts {
  readonly changes: number;
  readonly needed: number;
}

/**
 * What becomes of each line of a file: 14 bytes a line, so that a million of them weigh little. The columns that a row
 * fills are kept with it, so leaving columns out is told from here, at once.
 */
export class LineOutcomes {
  #codes = new Uint8Array(1024);
  #kinds = new Uint8Array(1024);
  /** The row of the workspace that is meant, or 0. */
  #rows = new Int32Array(1024);
  #fills = new Int32Array(1024);
  #apart = new Int32Array(1024);
  #last = 0;
  /** Columns of files that cannot be used, by line: few lines have any. */
  #badFiles = new Map<number, ColumnSet>();

  set(line: number, linked: LinkedRow): void {
    this.#note(line, linked.outcome);
    this.#kinds[line] = KINDS.indexOf(linked.kind);
    this.#rows[line] = linked.known ?? 0;
    this.#fills[line] = linked.fills;
    this.#apart[line] = linked.apart;
  }

  /** A line without a row that could come in. */
  setAside(line: number, why: 'error' | 'left-out'): void {
    this.#note(line, why);
  }

  noteBadFiles(line: number, columns: ColumnSet): void {
    this.#badFiles.set(line, (this.#badFiles.get(line) ?? NO_COLUMNS) | columns);
  }

  /** The columns of files of this line that cannot be used and that are wanted. */
  badFiles(line: number, out: ColumnSet): ColumnSet {
    const bad = this.#badFiles.get(line) ?? NO_COLUMNS;
    return bad & ~leftOutOf(this.#fills[line] ?? NO_COLUMNS, out);
  }

  /** @param out columns that are left out */
  of(line: number, out: ColumnSet): LineOutcome | null {
    const outcome = OUTCOMES[this.#codes[line] ?? 0] ?? 'none';
    if (outcome === 'none') return null;
    if (outcome === 'error' || outcome === 'left-out') return outcome;
    if (this.#badFiles.size > 0 && this.badFiles(line, out) !== NO_COLUMNS) return 'error';
    const [fills, apart] = [this.#fills[line] ?? NO_COLUMNS, this.#apart[line] ?? NO_COLUMNS];
    return outcomeWithout({ kind: this.#kindOf(line), outcome, fills, apart }, out);
  }

  /** The row of the workspace that the line means; null for a new one. */
  rowOf(line: number): RowId | null {
    const row = this.#rows[line] ?? 0;
    return row === 0 ? null : asRowId(row);
  }

  /** How many lines something becomes of, whatever it is. */
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

  /** In how many rows each column says something that can be left out, and in how many new ones it cannot. */
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

  #note(line: number, outcome: LineOutcome): void {
    if (line >= this.#codes.length) this.#grow(line);
    this.#last = Math.max(this.#last, line);
    this.#codes[line] = OUTCOMES.indexOf(outcome);
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

/** What the user can take or leave of a preview, row by row. */
export type SelectableOutcome = Extract<LineOutcome, 'added' | 'changed' | 'removed' | 'conflict'>;

const CHOOSABLE: readonly LineOutcome[] = ['added', 'changed', 'removed', 'conflict'];
export const isChoosable = (outcome: LineOutcome): outcome is SelectableOutcome => CHOOSABLE.includes(outcome);

/** Which rows of a preview come in: by what becomes of them, and line by line where that differs. */
export interface RowSelection {
  /** What of it comes in, but for the lines in `leaveOut`; in a conflict the file then decides. */
  readonly comeIn: readonly SelectableOutcome[];
  readonly leaveOut: readonly number[];
  /** Lines that come in although `comeIn` does not say so. */
  readonly take: readonly number[];
}

/** Everything new or changed comes in; what was edited in both places stays as it is here. */
export const AS_PREVIEWED: RowSelection = { comeIn: ['added', 'changed', 'removed'], leaveOut: [], take: [] };

/** Tells of a line whether it comes in. A million lines are judged without a list of them. */
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
