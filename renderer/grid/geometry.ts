import { countText } from '../app/locale/numbers.ts';
import type { Column } from './columns.ts';

/** The row head in CSS pixels: the least, what badge and edges take, and a digit of the number. */
const GUTTER_MIN = 40;
const GUTTER_WITHOUT_NUMBER = 19;
const DIGIT = 7;
const MIN_COLUMN = 56;
const MAX_COLUMN = 720;
/** Frozen columns never take more than this share of the grid, so that something is left to scroll. */
const FROZEN_SHARE = 0.7;

/** Where the columns stand. The first `frozen` ones are pinned beside the gutter. */
export interface Geometry {
  readonly gutter: number;
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
  readonly total: number;
  /** How many columns are pinned, and the width of gutter and pinned columns together. */
  readonly frozen: number;
  readonly pinned: number;
}

/**
 * @param rows how many rows there are: a number that is cut off would read as that of another row
 * @param viewport width of the grid in CSS pixels; fewer columns are frozen when it is too narrow for them, and none when
 *   the first one would fill it
 */
export function geometryOf(
  columns: readonly Column[],
  widthOf: (column: Column) => number,
  frozen: number,
  viewport: number,
  rows: number,
): Geometry {
  const gutter = Math.max(GUTTER_MIN, GUTTER_WITHOUT_NUMBER + DIGIT * countText(rows).length);
  const widths = columns.map((column) => Math.min(MAX_COLUMN, Math.max(MIN_COLUMN, widthOf(column))));
  // The last column stretches to the edge of the grid.
  const taken = widths.reduce((sum, width) => sum + width, gutter);
  if (taken < viewport && widths.length > 0) widths[widths.length - 1] = (widths.at(-1) ?? 0) + viewport - taken;
  const lefts: number[] = [];
  let left = gutter;
  for (const width of widths) {
    lefts.push(left);
    left += width;
  }
  const room = Math.max(viewport * FROZEN_SHARE, gutter + (widths[0] ?? 0));
  let count = Math.min(Math.max(1, frozen), columns.length);
  while (count > 1 && (lefts[count] ?? left) > room) count -= 1;
  // Wider than the grid, the pinned part would end with the rows, and the numbers scroll out of it.
  if ((lefts[1] ?? left) + MIN_COLUMN > viewport) count = 0;
  return { gutter, lefts, widths, total: left, frozen: count, pinned: lefts[count] ?? left };
}

/** The unpinned columns to render: those that touch the viewport, and one on each side. */
export function columnSpan(
  geometry: Geometry,
  left: number,
  width: number,
): { readonly from: number; readonly to: number } {
  const { frozen, lefts, pinned } = geometry;
  let from = frozen;
  while (from < lefts.length && end(geometry, from) < left + pinned) from += 1;
  let to = from;
  while (to < lefts.length && (lefts[to] ?? 0) < left + width) to += 1;
  return { from: Math.max(frozen, from - 1), to: Math.min(lefts.length, to + 1) };
}

const end = (geometry: Geometry, column: number): number =>
  (geometry.lefts[column] ?? 0) + (geometry.widths[column] ?? 0);

/** The geometry as CSS variables, so that resizing a column repaints without rendering rows anew. */
export function geometryStyle(geometry: Geometry, row: number): Record<string, string> {
  const style: Record<string, string> = {
    '--row': `${row}px`,
    '--grid-width': `${geometry.total}px`,
    '--gutter': `${geometry.gutter}px`,
    '--pinned': `${geometry.pinned}px`,
  };
  for (const [i, left] of geometry.lefts.entries()) {
    style[`--x${i}`] = `${left}px`;
    style[`--w${i}`] = `${geometry.widths[i] ?? 0}px`;
  }
  return style;
}
