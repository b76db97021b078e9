import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Browsers that can show an address as a window of its own, without tabs. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A browser that can show the window here and now. */
export interface WindowOpener {
  /** False for a browser in a package of its own that sees no hidden folders, and so no start file. */
  readonly readsFiles: boolean;
  /** @param failed called when the browser does not start */
  open(address: string, failed: () => void): void;
}

/** @returns null when there is no display or no such browser; the caller then prints the link */
export function findOpener(env: NodeJS.ProcessEnv): WindowOpener | null {
  const hasDisplay = process.platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  const folders = (env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  const browser = candidates.find((path) => existsSync(path));
  if (!hasDisplay || browser === undefined) return null;
  return {
    readsFiles: !/[\\/]snap([\\/]|$)/.test(realpathSync(browser)) && !existsSync('/snap/bin/chromium'),
    open: (address, failed) => {
      const child = spawn(browser, [`--app=${address}`], { detached: true, stdio: 'ignore' });
      child.once('error', failed);
      child.unref();
    },
  };
}
