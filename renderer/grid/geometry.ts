import type { Column } from './columns.ts';

/** Width of the row gutter with number and marks, in CSS pixels. */
const GUTTER = 62;
const MIN_COLUMN = 56;
const MAX_COLUMN = 720;

/** Where the columns stand. The first one is pinned beside the gutter. */
export interface Geometry {
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
  readonly total: number;
  readonly pinned: number;
}

export function geometryOf(columns: readonly Column[], widthOf: (column: Column) => number): Geometry {
  const widths = columns.map((column) => Math.min(MAX_COLUMN, Math.max(MIN_COLUMN, widthOf(column))));
  const lefts: number[] = [];
  let left = GUTTER;
  for (const width of widths) {
    lefts.push(left);
    left += width;
  }
  return { lefts, widths, total: left, pinned: GUTTER + (widths[0] ?? 0) };
}

/** The unpinned columns to render: those that touch the viewport, and one on each side. */
export function columnSpan(
  geometry: Geometry,
  left: number,
  width: number,
): { readonly from: number; readonly to: number } {
  let from = 1;
  while (from < geometry.lefts.length && end(geometry, from) < left + geometry.pinned) from += 1;
  let to = from;
  while (to < geometry.lefts.length && (geometry.lefts[to] ?? 0) < left + width) to += 1;
  return { from: Math.max(1, from - 1), to: Math.min(geometry.lefts.length, to + 1) };
}

const end = (geometry: Geometry, column: number): number =>
  (geometry.lefts[column] ?? 0) + (geometry.widths[column] ?? 0);

/** The geometry as CSS variables, so that resizing a column repaints without rendering rows anew. */
export function geometryStyle(geometry: Geometry): Record<string, string> {
  const style: Record<string, string> = { '--grid-width': `${geometry.total}px`, '--gutter': `${GUTTER}px` };
  for (const [i, left] of geometry.lefts.entries()) {
    style[`--x${i}`] = `${left}px`;
    style[`--w${i}`] = `${geometry.widths[i] ?? 0}px`;
  }
  return style;
}
