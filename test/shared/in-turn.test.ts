import { expect, test } from 'vitest';
import { createSerialQueue } from '../../shared/serial-queue.ts';

test('what is asked for later begins when what came before has ended, however it ended', async () => {
  const inTurn = createSerialQueue();
  const seen: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = inTurn(async () => {
    await held;
    seen.push('first');
    throw new Error('refused');
  });
  const second = inTurn(async () => {
    seen.push('second');
    return 2;
  });
  await Promise.resolve();
  expect(seen).toEqual([]);
  release();
  await expect(first).rejects.toThrow('refused');
  expect(await second).toBe(2);
  expect(seen).toEqual(['first', 'second']);
});
