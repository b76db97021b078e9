import type { Column } from './columns.ts';

/** Width of the row gutter with number and marks, in CSS pixels. */
const GUTTER = 62;
const MIN_COLUMN = 56;
const MAX_COLUMN = 720;
/** Frozen columns never take more than this share of the grid, so that something is left to scroll. */
const FROZEN_SHARE = 0.7;

/** Where the columns stand. The first `frozen` ones are pinned beside the gutter. */
export interface Geometry {
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
  readonly total: number;
  /** How many columns are pinned, and the width of gutter and pinned columns together. */
  readonly frozen: number;
  readonly pinned: number;
}

/** @param viewport width of the grid in CSS pixels; fewer columns are frozen when it is too narrow for them */
export function geometryOf(
  columns: readonly Column[],
  widthOf: (column: Column) => number,
  frozen: number,
  viewport: number,
): Geometry {
  const widths = columns.map((column) => Math.min(MAX_COLUMN, Math.max(MIN_COLUMN, widthOf(column))));
  const lefts: number[] = [];
  let left = GUTTER;
  for (const width of widths) {
    lefts.push(left);
    left += width;
  }
  const room = Math.max(viewport * FROZEN_SHARE, GUTTER + (widths[0] ?? 0));
  let count = Math.min(Math.max(1, frozen), columns.length);
  while (count > 1 && (lefts[count] ?? left) > room) count -= 1;
  return { lefts, widths, total: left, frozen: count, pinned: lefts[count] ?? left };
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
export function geometryStyle(geometry: Geometry): Record<string, string> {
  const style: Record<string, string> = {
    '--grid-width': `${geometry.total}px`,
    '--gutter': `${GUTTER}px`,
    '--pinned': `${geometry.pinned}px`,
  };
  for (const [i, left] of geometry.lefts.entries()) {
    style[`--x${i}`] = `${left}px`;
    style[`--w${i}`] = `${geometry.widths[i] ?? 0}px`;
  }
  return style;
}
