import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canvasHeight,
  type Extent,
  movedTo,
  rowSpan,
  START,
  scrolled,
  topToShow,
} from '../../renderer/grid/scrolling.ts';

const million: Extent = { rows: 1_000_000, row: 28, viewport: 560 };

test('the canvas of a million rows stays below the height at which browsers cut elements', () => {
  expect(canvasHeight(million)).toBeLessThanOrEqual(8_000_000);
});

test('the thumb at the bottom shows the last row', () => {
  const bottom = canvasHeight(million) - million.viewport;
  const span = rowSpan(scrolled(START, bottom, million), million, 0);
  expect(span.to).toBe(1_000_000);
});

test('a wheel step moves by exactly as many pixels, however tall the rows are', () => {
  const middle = movedTo(14_000_000, million);
  const settled = scrolled(middle, middle.scrollTop, million);
  const next = scrolled(settled, settled.scrollTop + 60, million);
  expect(next.virtualTop - settled.virtualTop).toBe(60);
});

test('our own correction of the thumb moves no rows', () => {
  const moved = movedTo(5_000_000, million);
  expect(scrolled(moved, moved.scrollTop, million).virtualTop).toBe(5_000_000);
});

test('what the user scrolls in the frame of our own correction is not lost', () => {
  const bottom = canvasHeight(million) - million.viewport;
  expect(rowSpan(scrolled(movedTo(0, million), bottom, million), million, 0).to).toBe(1_000_000);
});

test('every row can be brought fully into view from anywhere', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.integer({ min: 100, max: 1500 }),
      fc.constantFrom(22, 28, 36),
      fc.nat(),
      fc.nat(),
      (rows, viewport, height, a, b) => {
        const extent = { rows, row: height, viewport };
        const start = movedTo((a % rows) * height, extent);
        const row = b % rows;
        const top = topToShow(row, start, extent);
        const shown = top === null ? start : movedTo(top, extent);
        expect(shown.virtualTop).toBeLessThanOrEqual(row * height);
        expect(shown.virtualTop + viewport).toBeGreaterThanOrEqual(
          Math.min((row + 1) * height, shown.virtualTop + viewport),
        );
        const span = rowSpan(shown, extent, 0);
        expect(row).toBeGreaterThanOrEqual(span.from);
        expect(row).toBeLessThan(span.to);
      },
    ),
  );
});
