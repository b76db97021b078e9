import { expect, test } from 'vitest';
import { BARS, coverage, DENSE, type Experiment, liftOf, runArm, THIN } from './experiment.ts';

/** Two shops of the twelve that `npm run backtest` plays; the table is in docs/figures/backtest.md. */
const SEEDS = [1, 2];
/** Half as many as there. */
const CAMPAIGNS = 20;
const dense = (seed: number): Experiment => ({ ...DENSE, campaigns: CAMPAIGNS, seed });
const thin = (seed: number): Experiment => ({ ...THIN, campaigns: CAMPAIGNS, seed });

const liftIn = (experiment: Experiment) => {
  const nothing = runArm(experiment, 'nothing');
  return (arm: Parameters<typeof runArm>[1]) => liftOf(runArm(experiment, arm), nothing);
};

test.for(SEEDS)('following the suggested bids sells more for the same money in shop %s', (seed) => {
  const lift = liftIn(dense(seed));
  const suggestions = lift('suggestions');
  expect(suggestions.roas).toBeGreaterThan(BARS.dense.least);
  expect(Math.abs(suggestions.spend)).toBeLessThan(BARS.spend);
  expect(suggestions.roas).toBeGreaterThan(lift('truth').roas * BARS.ofTruth);
  expect(lift('upside-down').roas).toBeLessThan(BARS.upsideDown);
});

test.for(SEEDS)('it does no harm in shop %s with a quarter of the searches', (seed) => {
  const suggestions = liftIn(thin(seed))('suggestions');
  expect(suggestions.roas).toBeGreaterThan(BARS.thin.least);
  expect(Math.abs(suggestions.spend)).toBeLessThan(BARS.spend);
});

test('80% intervals of conversion hold the true rate in 75 to 85 of 100 rows', () => {
  const shares = SEEDS.map((seed) => coverage(dense(seed)));
  for (const share of shares) {
    expect(share).toBeGreaterThan(BARS.intervals[0]);
    expect(share).toBeLessThan(BARS.intervals[1]);
  }
});

test('the same seed plays the same shop, and another one another', () => {
  const small = { campaigns: 3, keywords: 10, busy: 1, days: 42 };
  const played = (seed: number) => runArm({ ...small, seed }, 'suggestions');
  expect(played(5)).toEqual(played(5));
  expect(played(6)).not.toEqual(played(5));
});
