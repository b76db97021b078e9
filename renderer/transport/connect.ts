import type { Connection } from './connection.ts';
import { connectElectron, electronFiles } from './electron.ts';
import { connectWeb } from './web.ts';

/** Connects the window to main through whichever host opened it. */
export function connect(page: Window): Promise<Connection> {
  const files = electronFiles(page);
  return files === null ? connectWeb(page) : connectElectron(page, files);
}
