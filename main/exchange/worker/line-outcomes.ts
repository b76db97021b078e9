import type { ImportRowFilter } from '../../../shared/contract/exchange.ts';
import type { RowId } from '../../../shared/model/scalars.ts';

/** What becomes of a line. The first stands for lines that are no rows. */
const OUTCOMES = ['none', 'added', 'changed', 'unchanged', 'conflict', 'removed', 'error', 'left-out'] as const;
export type LineOutcome = Exclude<(typeof OUTCOMES)[number], 'none'>;

/** What becomes of each line of a file: five bytes a line, so that a million of them weigh nothing. */
export class LineOutcomes {
  #codes = new Uint8Array(1024);
  /** The row of the workspace that is meant, or 0. */
  #rows = new Int32Array(1024);
  #last = 0;

  clear(): void {
    this.#codes.fill(0);
    this.#rows.fill(0);
  }

  set(line: number, outcome: LineOutcome, row: RowId | null): void {
    if (line >= this.#codes.length) this.#grow(line);
    this.#last = Math.max(this.#last, line);
    this.#codes[line] = OUTCOMES.indexOf(outcome);
    this.#rows[line] = row ?? 0;
  }

  of(line: number): LineOutcome | null {
    const outcome = OUTCOMES[this.#codes[line] ?? 0] ?? 'none';
    return outcome === 'none' ? null : outcome;
  }

  /** The row of the workspace that the line means; null for a new one. */
  rowOf(line: number): RowId | null {
    const row = this.#rows[line] ?? 0;
    return row === 0 ? null : (row as RowId);
  }

  counts() {
    const counts = Array.from(OUTCOMES, () => 0);
    for (let line = 1; line <= this.#last; line++) {
      const code = this.#codes[line] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
    const [, added = 0, changed = 0, unchanged = 0, conflicts = 0, removed = 0] = counts;
    return { added, changed, removed, unchanged, conflicts };
  }

  /** The lines `from` to `from + count` of those that fit, and how many fit in all. */
  window(filter: Exclude<ImportRowFilter, 'error'>, from: number, count: number) {
    const lines = new Set<number>();
    let total = 0;
    for (let line = 1; line <= this.#last; line++) {
      const outcome = this.of(line);
      const fits =
        filter === 'all' ? outcome !== null && outcome !== 'error' && outcome !== 'left-out' : outcome === filter;
      if (!fits) continue;
      if (total >= from && lines.size < count) lines.add(line);
      total++;
    }
    return { total, lines };
  }

  #grow(line: number): void {
    const size = Math.max(line + 1, this.#codes.length * 2);
    const [codes, rows] = [this.#codes, this.#rows];
    this.#codes = new Uint8Array(size);
    this.#rows = new Int32Array(size);
    this.#codes.set(codes);
    this.#rows.set(rows);
  }
}
