import type { PointerEvent } from 'react';
import { en } from '../messages/en.ts';
import type { CellRange } from '../store/selection-slice.ts';
import type { Geometry } from './geometry.ts';
import { ROW_HEIGHT } from './scrolling.ts';

interface FillHandleProps {
  readonly geometry: Geometry;
  readonly range: CellRange;
  /** Where a drag under way would fill to. */
  readonly filling: CellRange | null;
  /** The rows that are drawn, and what is taken off each row's top so that it lands inside the canvas. */
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  /** Sideways scroll. */
  readonly left: number;
  readonly onStart: (event: PointerEvent) => void;
}

/** The square at the corner of the selection that is dragged to fill; from the keyboard Ctrl+D does it. */
export function FillHandle({ geometry, range, filling, from, to, offset, left, onStart }: FillHandleProps) {
  const { lefts, widths, frozen, pinned } = geometry;
  // Frozen columns do not move with the rest, so their place is taken from the viewport.
  const xOf = (col: number): number => (lefts[col] ?? 0) + (col < frozen ? left : 0);
  const right = xOf(range.right) + (widths[range.right] ?? 0);
  const beneath = range.right >= frozen && right < left + pinned;
  const drawn = range.bottom >= from && range.bottom < to;
  const x = xOf(range.left);
  // Outside the drawn rows there is no canvas to draw on.
  const top = Math.max(from, filling?.top ?? 0);
  const bottom = Math.min(to - 1, filling?.bottom ?? 0);
  return (
    <>
      {filling !== null && (
        <div
          className="grid-filling"
          style={{
            transform: `translate(${x}px, ${top * ROW_HEIGHT - offset}px)`,
            width: right - x,
            height: Math.max(0, bottom - top + 1) * ROW_HEIGHT,
          }}
        />
      )}
      {drawn && !beneath && (
        <div
          className="grid-fill"
          title={en.grid.fillHandle}
          style={{ transform: `translate(${right - 10}px, ${(range.bottom + 1) * ROW_HEIGHT - offset - 10}px)` }}
          onPointerDown={onStart}
        />
      )}
    </>
  );
}
