import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Browsers that can show an address as a window of its own, without tabs. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Opens the address as an app window of an installed Chromium.
 *
 * @returns false when there is no display or no such browser; the caller then prints the link
 */
export function openWindow(url: string, env: NodeJS.ProcessEnv): boolean {
  const hasDisplay = process.platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  const folders = (env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  const browser = candidates.find((path) => existsSync(path));
  if (!hasDisplay || browser === undefined) return false;
  const child = spawn(browser, [`--app=${url}`], { detached: true, stdio: 'ignore' });
  child.once('error', () => process.stderr.write(`The window could not be opened. Open this link: ${url}\n`));
  child.unref();
  return true;
}
