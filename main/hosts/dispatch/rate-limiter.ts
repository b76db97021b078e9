/**
 * What a page may send, over either transport: so many messages at once, so many a second for long, and none longer than
 * any call can be. A desk in full use sends a tenth of it.
 */
export const MESSAGES_PER_SECOND = 200;
export const BURST = 400;

/** Bytes of a socket's message, characters of a port's: one paste may set 200,000 cells. */
export const MESSAGE_MAX = 16 * 1024 ** 2;

/**
 * A bucket that leaks: full at first, filled up by the second, emptied by one with every message.
 *
 * @returns called with each message; milliseconds that it has to wait, which grow in the order of the calls; 0 for now
 */
export function createRateLimiter(nowMs: () => number = () => performance.now()): () => number {
  let level = BURST;
  let at = nowMs();
  return () => {
    const now = nowMs();
    level = Math.min(BURST, level + ((now - at) * MESSAGES_PER_SECOND) / 1000) - 1;
    at = now;
    return level >= 0 ? 0 : Math.ceil((-level * 1000) / MESSAGES_PER_SECOND);
  };
}
