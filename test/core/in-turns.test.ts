import { expect, test } from 'vitest';
import { runInSlices } from '../../main/app/long-task.ts';

test('work that takes several turns lets others pass between them, and answers what it came to', async () => {
  let passed = 0;
  const others = setInterval(() => passed++, 0);
  const passedAt: number[] = [];
  const sum = await runInSlices(
    (function* () {
      let total = 0;
      for (let part = 1; part <= 60; part++) {
        passedAt.push(passed);
        spin(1);
        total += part;
        yield;
      }
      return total;
    })(),
  );
  clearInterval(others);
  expect(sum).toBe(1830);
  expect(new Set(passedAt).size).toBeGreaterThan(2);
});

test('what goes wrong in a later turn is told to whoever asked', async () => {
  const failing = (function* (): Generator<void, never> {
    spin(10);
    yield;
    throw new Error('in the second turn');
  })();
  await expect(runInSlices(failing)).rejects.toThrow('in the second turn');
});

function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
