import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { z } from 'zod';
import { isOwnPage } from './page-url.ts';

/**
 * Checks who sent a message of a page. It counts if it comes from the main frame of one of our windows that shows our
 * page. Other messages, also from a frame that is gone, get no response.
 */
export interface Windows {
  has(webContentsId: number): boolean;
}

const isTrusted = (event: IpcMainEvent | IpcMainInvokeEvent, windows: Windows): boolean => {
  const frame = event.senderFrame;
  return (
    frame !== null &&
    windows.has(event.sender.id) &&
    frame === event.sender.mainFrame &&
    isOwnPage(frame.url) &&
    isOwnPage(event.sender.getURL())
  );
};

/** Handles an `invoke` whose one argument has the shape. */
export function handlePageInvoke<T extends z.ZodType, A>(
  channel: string,
  shape: T,
  windows: Windows,
  respond: (input: z.infer<T>, event: IpcMainInvokeEvent) => Promise<A>,
): void {
  ipcMain.handle(channel, async (event, ...args: readonly unknown[]) => {
    const input = shape.safeParse(args[0]);
    if (!isTrusted(event, windows) || args.length !== 1 || !input.success) throw new Error('refused');
    return respond(input.data, event);
  });
}

/** Removes a listener that a library has registered without a check of the sender. */
export const removePageListeners = (channel: string): void => void ipcMain.removeAllListeners(channel);

/** Handles a message whose one argument has the shape. */
export function onPageMessage<T extends z.ZodType>(
  channel: string,
  shape: T,
  windows: Windows,
  act: (input: z.infer<T>, event: IpcMainEvent) => void,
): void {
  ipcMain.on(channel, (event, ...args: readonly unknown[]) => {
    const input = shape.safeParse(args[0]);
    if (isTrusted(event, windows) && args.length === 1 && input.success) act(input.data, event);
  });
}

/** Handles a message without content. */
export function onPageSignal(channel: string, windows: Windows, act: (event: IpcMainEvent) => void): void {
  ipcMain.on(channel, (event, ...args: readonly unknown[]) => {
    if (isTrusted(event, windows) && args.length === 0) act(event);
  });
}
