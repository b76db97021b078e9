import { MessageChannelMain } from 'electron';
import { z } from 'zod';
import type { FileGrants } from '../../core-types.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { answer, hear, type Windows } from './sender.ts';

/**
 * The two lines between a page and main: one message port a page for the contract, and grants for files.
 *
 *   page --ready--> preload --adslate:connect--> main
 *   page <--port--- preload <--adslate:port----- main     (a reloaded page asks again and gets another port)
 */
const CONNECT = 'adslate:connect';
const PORT = 'adslate:port';
const GRANT = 'adslate:grant';

/** Longest path of the systems we run on. */
const PATH_MAX = 32_767;

export function openLines(windows: Windows, dispatch: Dispatch, grants: FileGrants): void {
  hear(CONNECT, windows, (event) => {
    const { port1, port2 } = new MessageChannelMain();
    dispatch.servePort(port1, event.sender.id);
    port1.start();
    event.sender.postMessage(PORT, null, [port2]);
  });
  answer(GRANT, z.string().min(1).max(PATH_MAX), windows, async (path) => {
    const granted = await grants.grantPath(path);
    if (!granted.ok) return { error: granted.error.kind };
    const { grant, fileName, bytes } = granted.value;
    return { grant, fileName, bytes };
  });
}
