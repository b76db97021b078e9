import { once } from 'node:events';
import type WebSocket from 'ws';

/** The code a socket is closed with. */
export async function closingCode(socket: WebSocket): Promise<number> {
  const [code] = await once(socket, 'close');
  return Number(code);
}
