import { expect, test } from 'vitest';
import { runs } from '../share.ts';
import { walkStates } from './state-walk.ts';
import { walk } from './walk.ts';

test('whatever partner, reviewers, console and time do, the laws of the document hold', async () => {
  const { violations, actions, moves } = await walk(2, runs(1500, 400));
  expect(violations).toEqual([]);
  // Actions that change nothing prove nothing.
  const idle = [...actions].filter(([, { changed }]) => changed === 0).map(([name]) => name);
  expect(idle.filter((name) => name !== 'read' && name !== 'try as another')).toEqual([]);
  expect(actions.get('try as another')).toMatchObject({ changed: 0 });
  // Nearly every move of the document's list is met on the way.
  expect(moves.size).toBeGreaterThan(40);
});

test('with documented calls only the state that is shown is the one the service has', async () => {
  const { compared, equal, unexplained, met } = await walkStates(5, 2, { once: 4, steps: 18 });
  expect(unexplained).toEqual([]);
  expect(compared).toBeGreaterThan(120);
  expect(equal / compared).toBeGreaterThanOrEqual(0.99);
  // Lives that meet nothing prove nothing.
  expect([...met.keys()]).toEqual(expect.arrayContaining(['in-review', 'scheduled', 'live']));
});
