/** A cell by its position: line from 0, column from 0, column -1 for the row gutter. */
export interface PlaceUnder {
  readonly row: number;
  readonly col: number;
}

/** The cell that holds an element; null outside the rows. */
export function placeUnder(target: EventTarget | null): PlaceUnder | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest('[role="row"]');
  const cell = target.closest('[aria-colindex]');
  const rowIndex = Number(row?.getAttribute('aria-rowindex'));
  const colIndex = Number(cell?.getAttribute('aria-colindex'));
  if (!(rowIndex >= 2) || !(colIndex >= 1)) return null;
  return { row: rowIndex - 2, col: colIndex - 2 };
}

/** The column whose title is at a point in window coordinates, or null. */
export function titleAt(x: number, y: number): number | null {
  const title = document.elementsFromPoint(x, y).find((element) => element.getAttribute('role') === 'columnheader');
  const index = Number(title?.getAttribute('aria-colindex'));
  return index >= 2 ? index - 2 : null;
}
