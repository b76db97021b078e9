import { expect, test } from 'vitest';
import { beHostile } from './hostile.ts';

test('a thousand hostile requests are refused, not failed on, and the service lives on', async () => {
  const { failures, isWell, statuses } = await beHostile(11, 1000, () => undefined);
  expect(failures).toEqual([]);
  expect(isWell).toBe(true);
  // Some get as far as the elements, most are refused before.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 403, 404, 405]));
});
