import { countText } from '../app/locale/numbers.ts';
import type { Column } from './columns.ts';

/** The row header in CSS pixels: its minimum, the part for badge and edges, and one digit of the number. */
const GUTTER_MIN = 40;
const GUTTER_WITHOUT_NUMBER = 19;
const DIGIT = 7;
const MIN_COLUMN = 56;
const MAX_COLUMN = 720;
/** How much a column may grow if there is room: names first, the trend by this many pixels, others by this share. */
const NAME_GAIN = 0.6;
const LINE_GAIN = 120;
const OTHER_GAIN = 0.3;
/** Frozen columns use at most this share of the grid's width, so that some columns can scroll. */
const FROZEN_SHARE = 0.7;

/** Positions of the columns in CSS pixels. The first `frozen` ones are pinned beside the gutter. */
export interface Geometry {
  readonly gutter: number;
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
  readonly total: number;
  /** Extra width of the last column, which fills the grid; numbers are not aligned to that edge. */
  readonly stretch: number;
  /** Number of pinned columns, and the width of gutter and pinned columns together. */
  readonly frozen: number;
  readonly pinned: number;
}

/**
 * Columns share the width of a wide window until the user sets a width; after that, each keeps its own. The last column
 * fills the rest, up to the edge of the grid.
 *
 * @param chosen the width that the user set for a column, in CSS pixels
 * @param rows number of rows, for the width of the gutter: a truncated row number would be misread
 * @param viewport width of the grid in CSS pixels; fewer columns are frozen when it is too narrow for them, and none
 * when the first one would fill it
 */
export function geometryOf(
  columns: readonly Column[],
  chosen: (column: Column) => number | undefined,
  frozen: number,
  viewport: number,
  rows: number,
): Geometry {
  const gutter = Math.max(GUTTER_MIN, GUTTER_WITHOUT_NUMBER + DIGIT * countText(rows).length);
  const made = columns.map((column) => Math.min(MAX_COLUMN, Math.max(MIN_COLUMN, chosen(column) ?? column.width)));
  const spare = columns.length > 0 ? Math.max(0, viewport - sum(made) - gutter) : 0;
  const isOwn = columns.some((column) => chosen(column) !== undefined);
  // Row numbers of six digits take their room from the names: the default columns still fit the window.
  const over = Math.min(gutter - GUTTER_MIN, sum(made) + gutter - viewport);
  if (!isOwn && over > 0 && made[0] !== undefined) made[0] -= over;
  const gains = isOwn ? [] : columns.map((column, at) => gainOf(column, at));
  const share = Math.min(1, spare / Math.max(1, sum(gains)));
  const widths = made.map((width, at) => width + Math.floor(share * (gains[at] ?? 0)));
  const stretch = spare === 0 ? 0 : Math.max(0, viewport - sum(widths) - gutter);
  if (stretch > 0) widths[widths.length - 1] = (widths.at(-1) ?? 0) + stretch;
  const lefts: number[] = [];
  let left = gutter;
  for (const width of widths) {
    lefts.push(left);
    left += width;
  }
  const room = Math.max(viewport * FROZEN_SHARE, gutter + (widths[0] ?? 0));
  let count = Math.min(Math.max(1, frozen), columns.length);
  while (count > 1 && (lefts[count] ?? left) > room) count -= 1;
  // A sticky part wider than the grid would scroll out of view together with the row numbers.
  if ((lefts[1] ?? left) + MIN_COLUMN > viewport) count = 0;
  return { gutter, lefts, widths, total: left, stretch, frozen: count, pinned: lefts[count] ?? left };
}

const gainOf = ({ figure, width }: Column, at: number): number => {
  if (figure === 'trend') return LINE_GAIN;
  return width * (at === 0 ? NAME_GAIN : OTHER_GAIN);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

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

/** The geometry as CSS variables, so that resizing a column renders no rows. */
export function geometryStyle(geometry: Geometry, row: number): Record<string, string> {
  const style: Record<string, string> = {
    '--row': `${row}px`,
    '--grid-width': `${geometry.total}px`,
    '--gutter': `${geometry.gutter}px`,
    '--pinned': `${geometry.pinned}px`,
    '--stretch': `${geometry.stretch}px`,
  };
  for (const [i, left] of geometry.lefts.entries()) {
    style[`--x${i}`] = `${left}px`;
    style[`--w${i}`] = `${geometry.widths[i] ?? 0}px`;
  }
  return style;
}
