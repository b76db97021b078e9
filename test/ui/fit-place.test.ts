import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitPlace } from '../../renderer/features/media/MediaDialog.tsx';

const side = fc.integer({ min: 1, max: 8000 });
const PLACE = { width: 100, height: 100 };
const NEAR = 1e-6;

test('a picture stays in proportion and in the middle, whichever way it is fitted', () => {
  fc.assert(
    fc.property(side, side, fc.constantFrom('pad', 'crop'), (width, height, mode) => {
      const place = fitPlace({ width, height }, PLACE, mode);
      expect(Math.abs(place.width * height - place.height * width) / (width * height)).toBeLessThan(NEAR * 100);
      expect(Math.abs(place.x * 2 + place.width - PLACE.width)).toBeLessThan(NEAR);
      expect(Math.abs(place.y * 2 + place.height - PLACE.height)).toBeLessThan(NEAR);
    }),
  );
});

test('with margins nothing is lost, filled nothing is left free, and one side always fits exactly', () => {
  fc.assert(
    fc.property(side, side, (width, height) => {
      const pad = fitPlace({ width, height }, PLACE, 'pad');
      const crop = fitPlace({ width, height }, PLACE, 'crop');
      expect(Math.max(pad.width, pad.height)).toBeCloseTo(100, 6);
      expect(Math.min(crop.width, crop.height)).toBeCloseTo(100, 6);
    }),
  );
});
