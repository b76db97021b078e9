import type { WebSocket } from 'ws';

/** Calls a page may make: this many a second for long, this many at once. A desk in full use makes a tenth. */
const PER_SECOND = 200;
const BURST = 400;

/**
 * Slows a page down that calls without end: what is too much stays in the socket until its turn, so nothing is lost
 * and the page feels its own haste.
 */
export function keepPace(socket: WebSocket): void {
  let allowance = BURST;
  let timer: NodeJS.Timeout | null = null;
  const refill = setInterval(() => {
    allowance = Math.min(BURST, allowance + PER_SECOND / 10);
  }, 100);
  socket.on('message', () => {
    allowance -= 1;
    if (allowance > 0 || timer !== null) return;
    socket.pause();
    timer = setTimeout(() => {
      timer = null;
      if (socket.readyState === socket.OPEN) socket.resume();
    }, 200);
  });
  socket.once('close', () => {
    clearInterval(refill);
    if (timer !== null) clearTimeout(timer);
  });
}
