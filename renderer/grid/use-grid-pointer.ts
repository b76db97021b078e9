import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { CellRange } from '../app/store/selection-slice.ts';
import type { PlaceUnder } from './pointer.ts';
import { HEADER_HEIGHT } from './use-grid-scroll.ts';

/** Time between scroll steps while a drag is held beyond an edge, in milliseconds. */
const EDGE_MS = 40;
/** Height in pixels of the zone at each edge that scrolls during a drag; at the top it is the header. */
const EDGE_TOP = HEADER_HEIGHT;
const EDGE_BOTTOM = 14;

type Drag = 'cells' | 'rows' | 'fill';

interface GridPointerOptions {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly length: number;
  readonly range: CellRange;
  readonly activeRow: number;
  /** The cell that contains an element; null outside the rows. */
  readonly placeAt: (target: EventTarget | null) => PlaceUnder | null;
  readonly select: (row: number, col: number, extend: boolean) => void;
  readonly selectRows: (row: number, extend: boolean) => void;
  readonly showRow: (row: number) => void;
  readonly onFill: (source: CellRange, target: CellRange) => void;
}

export type GridPointer = ReturnType<typeof useGridPointer>;

/**
 * Drags in the grid:
 *
 *   press on a cell   -> cells -> move selects up to the pointer; beyond an edge the rows scroll -> release
 *   press on a gutter -> rows  -> selects whole rows in the same way
 *   press on the fill handle -> fill -> the range grows up or down -> release fills it
 */
export function useGridPointer(options: GridPointerOptions) {
  const { element, length, range, select, selectRows, onFill } = options;
  const drag = useRef<Drag | null>(null);
  const timer = useRef(0);
  const [filling, setFilling] = useState<CellRange | null>(null);
  const newest = useRef(options);
  newest.current = options;
  const col = useRef(0);

  const stopMoving = (): void => window.clearInterval(timer.current);
  // Stops scrolling when the list is closed during a drag.
  useEffect(() => () => window.clearInterval(timer.current), []);

  function reach(row: number, toCol: number): void {
    const now = newest.current;
    const last = Math.min(Math.max(0, row), now.length - 1);
    if (drag.current === 'rows') now.selectRows(last, true);
    else if (drag.current === 'cells') now.select(last, Math.max(0, toCol), true);
    else if (drag.current === 'fill') {
      const { top, bottom } = now.range;
      if (last > bottom) setFilling({ ...now.range, top: bottom + 1, bottom: last });
      else if (last < top) setFilling({ ...now.range, top: last, bottom: top - 1 });
      else setFilling(null);
      now.showRow(last);
    }
  }

  function end(): void {
    stopMoving();
    drag.current = null;
    setFilling(null);
  }

  /** Scrolls by one row at a time while the pointer is held beyond the edge. */
  function moveOn(by: 1 | -1): void {
    stopMoving();
    let row = drag.current === 'fill' ? (by > 0 ? range.bottom : range.top) : options.activeRow;
    timer.current = window.setInterval(() => {
      if (drag.current !== 'fill') row = newest.current.activeRow;
      row = Math.min(newest.current.length - 1, Math.max(0, row + by));
      reach(row, col.current);
    }, EDGE_MS);
  }

  return {
    /** The target range of a fill while it is dragged. */
    filling,
    startFill: (event: PointerEvent) => {
      event.preventDefault();
      event.stopPropagation();
      drag.current = 'fill';
      element.current?.setPointerCapture(event.pointerId);
    },
    onPointerDown: (event: PointerEvent) => {
      const place = options.placeAt(event.target);
      if (event.button !== 0 || place === null || place.row >= length) return;
      if (event.target instanceof Element && event.target.closest('[data-editing]') !== null) return;
      drag.current = place.col < 0 ? 'rows' : 'cells';
      col.current = place.col;
      if (place.col < 0) selectRows(place.row, event.shiftKey);
      else select(place.row, place.col, event.shiftKey);
    },
    onPointerMove: (event: PointerEvent) => {
      const grid = element.current;
      if (drag.current === null || grid === null) return;
      if (event.buttons !== 1) return end();
      const box = grid.getBoundingClientRect();
      if (event.clientY > box.bottom - EDGE_BOTTOM) return moveOn(1);
      if (event.clientY < box.top + EDGE_TOP) return moveOn(-1);
      stopMoving();
      const place = newest.current.placeAt(document.elementFromPoint(event.clientX, event.clientY));
      if (place === null) return;
      col.current = place.col;
      // Captures the pointer only once the press has become a drag, so that clicks and double clicks reach their cell.
      if (!grid.hasPointerCapture(event.pointerId)) grid.setPointerCapture(event.pointerId);
      if (drag.current !== 'cells' || place.col >= 0) reach(place.row, place.col);
    },
    onPointerUp: () => {
      if (drag.current === 'fill' && filling !== null) onFill(range, filling);
      end();
    },
    /** The system canceled the pointer: nothing is filled. */
    onPointerCancel: end,
  };
}
