import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Extent, movedTo, type RowSpan, rowSpan, type Scroll, START, scrolled, topToShow } from './scrolling.ts';

/** Height of the column titles, in CSS pixels. */
export const HEADER_HEIGHT = 28;
const OVERSCAN = 4;
/**
 * Pause after scrolling, in milliseconds, before the thumb is moved to match the rows, and before rows skipped in a
 * fling get their cells.
 */
const ANCHOR_MS = 150;
const SETTLE_MS = 70;

export interface GridFrame extends RowSpan {
  /** Height of a row, in CSS pixels. */
  readonly row: number;
  /** Subtracted from each row's top so that it is inside the canvas. */
  readonly offset: number;
  /** Horizontal scroll offset, and the width of the viewport. */
  readonly left: number;
  readonly width: number;
  /** While true, only the pinned cells are drawn. */
  readonly fast: boolean;
  readonly page: number;
}

export interface GridScroll {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly frame: GridFrame;
  /** Scrolls as little as possible until the row is in view. */
  readonly showRow: (row: number) => void;
  /** Scrolls sideways until the cell is visible beside the pinned ones. */
  readonly showColumn: (left: number, width: number, pinned: number) => void;
  readonly showStart: () => void;
}

/** Last measured size of the grid: the width, and the height of the rows' part, in CSS pixels. */
export interface GridSize {
  readonly width: number;
  readonly viewport: number;
}

/** The size before the first measurement. */
export const SIZE_UNKNOWN: GridSize = { width: 1000, viewport: 560 };

/**
 * @param row height of a row in CSS pixels; when it changes, the first visible row stays in place
 * @param size outlives the grid, so that the next one is drawn once and in the right size
 */
export function useGridScroll(rows: number, row: number, size: RefObject<GridSize>): GridScroll {
  const element = useRef<HTMLDivElement>(null);
  const scroll = useRef<Scroll>(START);
  const rowCount = useRef(rows);
  const height = useRef(row);
  const extent = useCallback(
    (): Extent => ({ rows: rowCount.current, row: height.current, viewport: size.current.viewport }),
    [size],
  );

  const frameNow = useCallback(
    (fast: boolean): GridFrame => {
      const now = extent();
      const max = Math.max(0, now.rows * now.row - now.viewport);
      const at = scroll.current.virtualTop > max ? { ...scroll.current, virtualTop: max } : scroll.current;
      return {
        ...rowSpan(at, now, OVERSCAN),
        row: now.row,
        offset: at.virtualTop - at.scrollTop,
        left: element.current?.scrollLeft ?? 0,
        width: size.current.width,
        fast,
        page: Math.max(1, Math.floor(now.viewport / now.row) - 1),
      };
    },
    [size, extent],
  );

  const [frame, setFrame] = useState(() => frameNow(false));
  const show = useCallback(
    (fast: boolean) => setFrame((before) => (isSame(before, frameNow(fast)) ? before : frameNow(fast))),
    [frameNow],
  );

  useLayoutEffect(() => {
    rowCount.current = rows;
    if (height.current !== row) {
      const first = scroll.current.virtualTop / height.current;
      height.current = row;
      if (element.current !== null) place(element.current, movedTo(first * row, extent()), scroll);
    }
    show(false);
  }, [rows, row, show, extent]);

  useEffect(() => {
    const grid = element.current;
    if (grid === null) return;
    let anchor = 0;
    let settle = 0;
    const onScroll = (): void => {
      const before = scroll.current;
      scroll.current = scrolled(before, grid.scrollTop, extent());
      const fast = Math.abs(scroll.current.virtualTop - before.virtualTop) > size.current.viewport / 2;
      flushSync(() => show(fast));
      window.clearTimeout(settle);
      window.clearTimeout(anchor);
      if (fast) settle = window.setTimeout(() => show(false), SETTLE_MS);
      anchor = window.setTimeout(() => {
        const next = movedTo(scroll.current.virtualTop, extent());
        place(grid, next, scroll);
        show(false);
      }, ANCHOR_MS);
    };
    const observer = new ResizeObserver(() => {
      size.current = {
        width: grid.clientWidth || SIZE_UNKNOWN.width,
        viewport: Math.max(HEADER_HEIGHT, (grid.clientHeight || SIZE_UNKNOWN.viewport + HEADER_HEIGHT) - HEADER_HEIGHT),
      };
      show(false);
    });
    observer.observe(grid);
    grid.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.clearTimeout(anchor);
      window.clearTimeout(settle);
      observer.disconnect();
      grid.removeEventListener('scroll', onScroll);
    };
  }, [show, size, extent]);

  const showRow = useCallback(
    (row: number) => {
      const top = topToShow(row, scroll.current, extent());
      const grid = element.current;
      if (top === null || grid === null) return;
      place(grid, movedTo(top, extent()), scroll);
      show(false);
    },
    [show, extent],
  );

  const showColumn = useCallback(
    (left: number, width: number, pinned: number) => {
      const grid = element.current;
      if (grid === null) return;
      if (left - pinned < grid.scrollLeft) grid.scrollLeft = left - pinned;
      else if (left + width > grid.scrollLeft + size.current.width) grid.scrollLeft = left + width - size.current.width;
    },
    [size],
  );

  const showStart = useCallback(() => {
    if (element.current !== null) element.current.scrollLeft = 0;
  }, []);

  return { element, frame, showRow, showColumn, showStart };
}

/** Moves the thumb. The scroll event this causes is ours; no event follows if the position is unchanged. */
function place(grid: HTMLDivElement, next: Scroll, scroll: RefObject<Scroll>): void {
  const before = grid.scrollTop;
  scroll.current = next;
  grid.scrollTop = next.scrollTop;
  scroll.current = { ...next, ownMove: grid.scrollTop !== before, scrollTop: grid.scrollTop };
}

function isSame(a: GridFrame, b: GridFrame): boolean {
  return (
    a.from === b.from &&
    a.to === b.to &&
    a.row === b.row &&
    a.offset === b.offset &&
    a.left === b.left &&
    a.width === b.width &&
    a.fast === b.fast &&
    a.page === b.page
  );
}
