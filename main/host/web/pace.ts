import type { WebSocket } from 'ws';
import { createPace } from '../dispatch/pace.ts';

/**
 * Slows a page down that calls without end: what is too much stays in the socket until its turn, so nothing is lost
 * and the page feels its own haste.
 */
export function keepPace(socket: WebSocket): void {
  const take = createPace();
  let timer: NodeJS.Timeout | null = null;
  socket.on('message', () => {
    const waitMs = take();
    if (waitMs === 0 || timer !== null) return;
    socket.pause();
    timer = setTimeout(() => {
      timer = null;
      if (socket.readyState === socket.OPEN) socket.resume();
    }, waitMs);
  });
  socket.once('close', () => {
    if (timer !== null) clearTimeout(timer);
  });
}
