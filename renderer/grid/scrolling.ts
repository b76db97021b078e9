/**
 * Scrolling over more rows than a browser can stack. Chromium cuts elements at 33,554,432 device pixels and paints
 * badly above 2^24. So the canvas is at most 8 million CSS pixels high, and rows are placed relative to a virtual
 * position:
 *
 *   short step (wheel, keys)  -> the virtual position moves by as much            exact
 *   long step (thumb) or edge -> the virtual position is proportional             approximate, reaches both ends
 *   pause                     -> the thumb is moved to match the virtual position exact again (`movedTo`)
 */
const CANVAS_MAX = 8_000_000;

export interface Extent {
  readonly rows: number;
  /** Height of a row, in CSS pixels. */
  readonly row: number;
  /** Height of the rows' part of the viewport, in CSS pixels. */
  readonly viewport: number;
}

export interface Scroll {
  /** Position of the first visible pixel, from the top of row 0. */
  readonly virtualTop: number;
  readonly scrollTop: number;
  /** True when the next scroll event is our own correction. */
  readonly ownMove: boolean;
}

export const START: Scroll = { virtualTop: 0, scrollTop: 0, ownMove: false };

export const canvasHeight = ({ rows, row }: Pick<Extent, 'rows' | 'row'>): number => Math.min(rows * row, CANVAS_MAX);
const maxVirtual = ({ rows, row, viewport }: Extent): number => Math.max(0, rows * row - viewport);
const maxScroll = (extent: Extent): number => Math.max(0, canvasHeight(extent) - extent.viewport);
const clamp = (value: number, max: number): number => Math.min(Math.max(0, value), max);

export function scrolled(before: Scroll, scrollTop: number, extent: Extent): Scroll {
  // One event tells of our correction and of what the user scrolled in the same frame.
  if (before.ownMove && Math.abs(scrollTop - before.scrollTop) < 1) return { ...before, scrollTop, ownMove: false };
  const step = scrollTop - before.scrollTop;
  const inside = scrollTop > 0 && scrollTop < maxScroll(extent);
  const virtualTop =
    Math.abs(step) < 3 * extent.viewport && inside
      ? clamp(before.virtualTop + step, maxVirtual(extent))
      : proportional(scrollTop, extent);
  return { virtualTop, scrollTop, ownMove: false };
}

function proportional(scrollTop: number, extent: Extent): number {
  const max = maxScroll(extent);
  return max === 0 ? 0 : clamp(Math.round((scrollTop / max) * maxVirtual(extent)), maxVirtual(extent));
}

/** The scrollTop that matches a virtual position. */
function scrollTopFor(virtualTop: number, extent: Extent): number {
  const max = maxVirtual(extent);
  return max === 0 ? 0 : Math.round((clamp(virtualTop, max) / max) * maxScroll(extent));
}

/** The scroll state after a jump to a virtual position, by keys or a link. The caller sets the element's scrollTop. */
export function movedTo(virtualTop: number, extent: Extent): Scroll {
  const top = clamp(virtualTop, maxVirtual(extent));
  return { virtualTop: top, scrollTop: scrollTopFor(top, extent), ownMove: true };
}

/** The smallest scroll that brings a row fully into view; null when it is in view. */
export function topToShow(row: number, scroll: Scroll, extent: Extent): number | null {
  const top = row * extent.row;
  if (top < scroll.virtualTop) return top;
  const bottom = top + extent.row - extent.viewport;
  return bottom > scroll.virtualTop ? bottom : null;
}

export interface RowSpan {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The rows to render: the visible ones and `overscan` more on both sides. */
export function rowSpan(scroll: Scroll, extent: Extent, overscan: number): RowSpan {
  const first = Math.floor(scroll.virtualTop / extent.row) - overscan;
  const last = Math.ceil((scroll.virtualTop + extent.viewport) / extent.row) + overscan;
  return { from: Math.max(0, first), to: Math.min(extent.rows, Math.max(0, last)) };
}
