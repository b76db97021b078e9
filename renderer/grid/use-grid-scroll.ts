import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Extent, movedTo, type RowSpan, rowSpan, type Scroll, START, scrolled, topToShow } from './scrolling.ts';

const HEADER_HEIGHT = 30;
const OVERSCAN = 4;
/** After this pause the thumb is put where the rows are, and rows that were skipped in a fling get their cells. */
const ANCHOR_MS = 150;
const SETTLE_MS = 70;

export interface GridFrame extends RowSpan {
  /** What is taken off each row's top so that it lands inside the canvas. */
  readonly offset: number;
  /** Sideways scroll, and the width of the viewport. */
  readonly left: number;
  readonly width: number;
  /** While true only the pinned cells are drawn. */
  readonly fast: boolean;
  readonly page: number;
}

export interface GridScroll {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly frame: GridFrame;
  /** Scrolls as little as possible until the row is in view. */
  readonly showRow: (row: number) => void;
  /** Scrolls sideways until the cell is in view beside the pinned ones. */
  readonly showColumn: (left: number, width: number, pinned: number) => void;
}

export function useGridScroll(rows: number): GridScroll {
  const element = useRef<HTMLDivElement>(null);
  const scroll = useRef<Scroll>(START);
  const size = useRef({ width: 1000, viewport: 560 });
  const rowCount = useRef(rows);

  const frameNow = useCallback((fast: boolean): GridFrame => {
    const extent: Extent = { rows: rowCount.current, viewport: size.current.viewport };
    const max = Math.max(0, extent.rows * 28 - extent.viewport);
    const now = scroll.current.virtualTop > max ? { ...scroll.current, virtualTop: max } : scroll.current;
    return {
      ...rowSpan(now, extent, OVERSCAN),
      offset: now.virtualTop - now.scrollTop,
      left: element.current?.scrollLeft ?? 0,
      width: size.current.width,
      fast,
      page: Math.max(1, Math.floor(extent.viewport / 28) - 1),
    };
  }, []);

  const [frame, setFrame] = useState(() => frameNow(false));
  const show = useCallback(
    (fast: boolean) => setFrame((before) => (isSame(before, frameNow(fast)) ? before : frameNow(fast))),
    [frameNow],
  );

  useLayoutEffect(() => {
    rowCount.current = rows;
    show(false);
  }, [rows, show]);

  useEffect(() => {
    const grid = element.current;
    if (grid === null) return;
    let anchor = 0;
    let settle = 0;
    const extent = (): Extent => ({ rows: rowCount.current, viewport: size.current.viewport });
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
        width: grid.clientWidth || 1000,
        viewport: Math.max(28, (grid.clientHeight || 590) - HEADER_HEIGHT),
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
  }, [show]);

  const showRow = useCallback(
    (row: number) => {
      const extent: Extent = { rows: rowCount.current, viewport: size.current.viewport };
      const top = topToShow(row, scroll.current, extent);
      const grid = element.current;
      if (top === null || grid === null) return;
      place(grid, movedTo(top, extent), scroll);
      show(false);
    },
    [show],
  );

  const showColumn = useCallback((left: number, width: number, pinned: number) => {
    const grid = element.current;
    if (grid === null) return;
    if (left - pinned < grid.scrollLeft) grid.scrollLeft = left - pinned;
    else if (left + width > grid.scrollLeft + size.current.width) grid.scrollLeft = left + width - size.current.width;
  }, []);

  return { element, frame, showRow, showColumn };
}

/** Moves the thumb. The scroll event it causes is ours, and no event comes when it was there already. */
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
    a.offset === b.offset &&
    a.left === b.left &&
    a.width === b.width &&
    a.fast === b.fast &&
    a.page === b.page
  );
}
