import { expect, test } from 'vitest';
import { walkStates } from './state-walk.ts';

test('with documented calls only the state that is shown is the one the service has', async () => {
  const { compared, equal, unexplained, met } = await walkStates(5, 2, { once: 4, steps: 18 });
  expect(unexplained).toEqual([]);
  expect(compared).toBeGreaterThan(120);
  expect(equal / compared).toBeGreaterThanOrEqual(0.99);
  // Lives that meet nothing prove nothing.
  expect([...met.keys()]).toEqual(expect.arrayContaining(['in-review', 'scheduled', 'live']));
}, 120_000);
