import type { RowId } from '../../../shared/model/scalars.ts';
import { EMPTY_CELL, type TeamCell, type TeamRow, type TeamRows } from '../../../shared/team/team-rows.ts';

/** Rows of one computer in memory. */
export class ModelRows implements TeamRows {
  readonly #rows = new Map<RowId, TeamRow>();
  readonly #cells = new Map<RowId, Map<string, TeamCell>>();

  all(): readonly TeamRow[] {
    // Numbers grow from parent to child.
    return [...this.#rows.values()].toSorted((a, b) => a.row - b.row);
  }

  find(row: RowId): TeamRow | null {
    return this.#rows.get(row) ?? null;
  }

  childrenOf(row: RowId): readonly TeamRow[] {
    return this.all().filter(({ parent }) => parent === row);
  }

  saveRow(row: TeamRow): void {
    this.#rows.set(row.row, row);
  }

  forget(row: RowId): void {
    this.#rows.delete(row);
    this.#cells.delete(row);
  }

  cell(row: RowId, field: string): TeamCell {
    return this.#cells.get(row)?.get(field) ?? EMPTY_CELL;
  }

  saveCell(row: RowId, field: string, cell: TeamCell): void {
    const cells = this.#cells.get(row) ?? new Map<string, TeamCell>();
    cells.set(field, cell);
    this.#cells.set(row, cells);
  }

  fieldsOf(row: RowId): readonly string[] {
    return [...(this.#cells.get(row)?.keys() ?? [])];
  }
}
