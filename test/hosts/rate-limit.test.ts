import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  BURST,
  createRateLimiter,
  MESSAGE_MAX,
  MESSAGES_PER_SECOND,
  socketOf,
} from '../../main/hosts/dispatch/dispatch.ts';

/** How much a page may send, over either transport. */
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('whatever the moments of its messages, none has its turn before the pace allows it, and their order stays', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 1500 }), (pauses) => {
      let nowMs = 0;
      const take = createRateLimiter(() => nowMs);
      const turns = pauses.map((pause, at) => {
        nowMs += at % 7 === 0 ? pause : 0;
        return nowMs + take();
      });
      turns.forEach((turn, at) => {
        expect(turn).toBeGreaterThanOrEqual(turns[at - 1] ?? 0);
        // So many at once, and from then on so many a second.
        expect(at + 1).toBeLessThanOrEqual(BURST + (turn * MESSAGES_PER_SECOND) / 1000 + 1e-6);
      });
    }),
  );
});

describe('a port', () => {
  class Port extends EventEmitter {
    isOpen = true;
    postMessage = (): void => {};
    close = (): void => {
      this.isOpen = false;
    };
  }

  function aLine() {
    const port = new Port();
    const heard: unknown[] = [];
    const refused: string[] = [];
    const socket = socketOf(port, (reason) => refused.push(reason));
    socket.addEventListener('message', ({ data }) => void heard.push(data));
    const say = (data: unknown): void => void port.emit('message', { data });
    return { port, heard, refused, say };
  }

  test('that sends on and on is heard in its order, and no faster than the pace', () => {
    const { port, heard, say } = aLine();
    for (let at = 0; at < 1000; at += 1) say(String(at));
    expect(heard).toHaveLength(BURST);
    vi.advanceTimersByTime(1000);
    expect(heard).toHaveLength(BURST + MESSAGES_PER_SECOND);
    vi.advanceTimersByTime(60_000);
    expect(heard).toEqual(Array.from({ length: 1000 }, (_, at) => String(at)));
    expect(port.isOpen).toBe(true);
  });

  test('whose messages would have to wait for more than a minute is closed, and nothing of it is heard any more', () => {
    const { port, heard, refused, say } = aLine();
    for (let at = 0; at < BURST + 61 * MESSAGES_PER_SECOND && port.isOpen; at += 1) say('x');
    expect(refused).toEqual(['too-many']);
    vi.advanceTimersByTime(120_000);
    expect(heard).toHaveLength(BURST);
  });

  test('that sends more than any call can hold is closed', () => {
    const { port, heard, refused, say } = aLine();
    say('x'.repeat(MESSAGE_MAX));
    say('x'.repeat(MESSAGE_MAX + 1));
    expect([heard.length, refused, port.isOpen]).toEqual([1, ['too-large'], false]);
  });

  test('that goes takes along what still waits', () => {
    const { port, heard, say } = aLine();
    for (let at = 0; at <= BURST; at += 1) say('x');
    port.emit('close');
    vi.advanceTimersByTime(60_000);
    expect(heard).toHaveLength(BURST);
  });
});
