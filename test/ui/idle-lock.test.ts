import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { lockWhenIdle } from '../../renderer/app/idle-lock.ts';

test('it locks once after the time without a key or a click, and again only after one', async () => {
  let nowMs = 0;
  const listeners = new Map<string, () => void>();
  let look = (): void => undefined;
  const stopped: string[] = [];
  const page = {
    addEventListener: (sign: string, listener: () => void) => void listeners.set(sign, listener),
    removeEventListener: (sign: string) => void stopped.push(sign),
    setInterval: (tick: () => void) => {
      look = tick;
      return 1;
    },
    clearInterval: () => void stopped.push('timer'),
  } as unknown as Window;
  const answers = [true, null, false, true];
  const lock = vi.fn(async () => {
    const answer = answers.shift();
    if (answer === null) throw new Error('no connection');
    return answer ?? true;
  });
  const stop = lockWhenIdle(page, 5, lock, () => nowMs);
  const after = (minutes: number): number => {
    nowMs += minutes * 60_000;
    look();
    return lock.mock.calls.length;
  };
  expect(after(4)).toBe(0);
  listeners.get('keydown')?.();
  expect(after(4)).toBe(0);
  expect(after(1)).toBe(1);
  expect(after(60), 'once').toBe(1);
  listeners.get('pointerdown')?.();
  expect(after(480), 'the computer slept').toBe(2);
  await setImmediate();
  expect(after(1), 'main is back').toBe(3);
  await setImmediate();
  expect(after(1), 'a sync has ended').toBe(4);
  stop();
  expect(stopped.sort()).toEqual(['keydown', 'pointerdown', 'timer', 'wheel']);
});
