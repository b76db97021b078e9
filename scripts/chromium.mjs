import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { print, root } from './repository-root.mjs';
import { environment } from './run-program.mjs';

/**
 * The browser of the end-to-end tests: an installed one, else the system's package where it can be installed (root on
 * Debian), else the one of Playwright. The headless shell is preferred: without a browser window around each page, a
 * spec needs a quarter less CPU time.
 */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export function findChromium() {
  if (process.env.CHROMIUM && existsSync(process.env.CHROMIUM)) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  return candidates.find((path) => existsSync(path)) ?? null;
}

/**
 * Installs Chromium from the system's packages if possible and no browser is installed; needs no npm package, so it
 * runs beside `npm ci`. Resolves also after a failure: `ensureChromium` checks the result.
 */
export function installFromSystem() {
  const isPossible = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!isPossible || findChromium() !== null) return Promise.resolve();
  print("Installing Chromium from the system's packages (once)...");
  const install = 'apt-get update -qq; apt-get install -y -qq --no-install-recommends chromium-headless-shell';
  const child = spawn('sh', ['-c', install], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('close', resolve);
  });
}

/**
 * @returns {Promise<{ executable: string } | { bundled: true } | { missing: string }>} what to run, or how to get one
 */
export async function ensureChromium() {
  await installFromSystem();
  const found = findChromium();
  if (found !== null) return { executable: found };
  print('Installing the Playwright browser (once)...');
  const done = spawnSync(join(root, 'node_modules', '.bin', 'playwright'), ['install', 'chromium'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: environment(),
    timeout: 300_000,
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return { bundled: true };
  return {
    missing:
      'Chromium not found. Install the package "chromium" or Google Chrome, or set CHROMIUM to its path. Then run npm test again.',
  };
}
