/** The cell under the pointer: row from 0, column from 0, column -1 for the row gutter; null outside the rows. */
export function placeUnder(target: EventTarget): { readonly row: number; readonly col: number } | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest('[role="row"]');
  const cell = target.closest('[aria-colindex]');
  const rowIndex = Number(row?.getAttribute('aria-rowindex'));
  const colIndex = Number(cell?.getAttribute('aria-colindex'));
  if (!(rowIndex >= 2) || !(colIndex >= 1)) return null;
  return { row: rowIndex - 2, col: colIndex - 2 };
}
