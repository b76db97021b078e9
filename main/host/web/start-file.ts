import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A page on the disk that leads the browser to the window. A command line can be read by every user of the machine
 * and a file of mode 0600 cannot, so the one-time code goes this way.
 */
export interface StartFile {
  /** Writes the link down and tells the address of the file. */
  write(url: string): string;
  remove(): void;
}

export function createStartFile(dataDir: string): StartFile {
  const path = join(dataDir, 'start.html');
  return {
    write: (url) => {
      rmSync(path, { force: true }); // a file that is there already would keep its mode
      writeFileSync(path, pageTo(url), { mode: 0o600, flag: 'wx' });
      return pathToFileURL(path).href;
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** @param url made by us: host, port and hexadecimal digits, so nothing in it needs escaping */
const pageTo = (url: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Adslate</title><meta http-equiv="refresh" content="0; url=${url}">\n`;
