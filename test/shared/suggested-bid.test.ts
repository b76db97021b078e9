import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestBid } from '../../shared/bids/suggested-bid.ts';

const facts = { bid: 185, clicks: 158, roas: 640, target: 400, floor: null, max: null };

test('a bid follows ROAS over its target, by a quarter at most', () => {
  expect(suggestBid(facts)).toEqual({ bid: 185, wanted: 296, suggested: 231, limit: 'step' });
  expect(suggestBid({ ...facts, roas: 420 })).toEqual({ bid: 185, wanted: 194, suggested: 194, limit: null });
  expect(suggestBid({ ...facts, roas: 0 })).toMatchObject({ wanted: 0, suggested: 139, limit: 'step' });
});

test('limits of the service win, and below 20 clicks nothing is suggested', () => {
  expect(suggestBid({ ...facts, max: 200 })).toMatchObject({ suggested: 200, limit: 'service' });
  expect(suggestBid({ ...facts, roas: 100, floor: 150 })).toMatchObject({ suggested: 150, limit: 'service' });
  expect(suggestBid({ ...facts, clicks: 19 })).toBeNull();
  expect(suggestBid({ ...facts, roas: null })).toBeNull();
  expect(suggestBid({ ...facts, bid: null })).toBeNull();
});

test('without limits of the service a suggestion is within a quarter of the bid, whatever the metrics', () => {
  const cents = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(cents, fc.nat(5000), fc.integer({ min: 1, max: 5000 }), (bid, roas, target) => {
      const { suggested = 0 } = suggestBid({ ...facts, bid, roas, target }) ?? {};
      expect(suggested).toBeGreaterThanOrEqual(bid * 0.75);
      expect(suggested).toBeLessThanOrEqual(bid * 1.25 + 1);
    }),
  );
});
