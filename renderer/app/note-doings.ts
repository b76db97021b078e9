import type { CommandContext } from './desk.ts';
import { activeColumn } from './grid-doings.ts';

/** Begins a comment on the active cell, or on its row where whole rows are selected or the cell is no field of it. */
export function addCellComment({ desk }: CommandContext): void {
  const { wholeRows, beginComment } = desk.store.getState();
  const column = activeColumn(desk);
  beginComment(wholeRows || column === undefined || column.cell === null ? null : column.field);
}
