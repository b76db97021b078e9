import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinnedNode } from './install.mjs';
import { print, root } from './repository-root.mjs';
import { environment } from './run-program.mjs';

/**
 * Finds the Electron runtime without the network and without resolving the `electron` module, whose entry file would
 * start a blocking download.
 */
const folder = join(root, 'node_modules', 'electron');
const EXECUTABLE = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
const STALL_MS = 10_000;
const PROBE_MS = 4_000;

/** @returns {{ path: string } | { missing: string }} the executable, or why there is none to use */
export function findElectron() {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist');
  const path = join(dist, EXECUTABLE[process.platform] ?? 'electron');
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return { missing: 'the Electron runtime is not installed' };
  }
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  const versionFile = join(dist, 'version');
  const found = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : 'unknown';
  if (found !== wanted) return { missing: `the Electron runtime is version ${found}, not ${wanted}` };
  if (!hasDisplay()) return { missing: 'this computer has no display' };
  const answer = spawnSync(path, ['--version'], { timeout: PROBE_MS, stdio: 'ignore' });
  if (answer.status !== 0) return { missing: 'the Electron runtime does not start on this computer' };
  return { path };
}

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);

/**
 * Downloads the runtime, once. Stops when ten seconds pass without a byte, so a closed network costs seconds.
 *
 * @returns {Promise<boolean>} true when the download succeeded
 */
export async function fetchElectron() {
  print('Downloading the Electron runtime (once; ends after 10 s without data)...');
  const temporary = mkdtempSync(join(tmpdir(), 'adslate-electron-'));
  const child = spawn(pinnedNode(), [join(folder, 'install.js')], {
    stdio: 'ignore',
    env: environment({ TMPDIR: temporary, TEMP: temporary, TMP: temporary }),
  });
  let bytes = 0;
  let grewAt = Date.now();
  const watch = setInterval(() => {
    const now = sizeOf(temporary) + sizeOf(join(folder, 'dist'));
    if (now !== bytes) {
      bytes = now;
      grewAt = Date.now();
      print(`  ${Math.round(bytes / 1e6)} MB`);
    } else if (Date.now() - grewAt > STALL_MS) child.kill();
  }, 500);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (status) => resolve(status ?? 1));
  });
  clearInterval(watch);
  rmSync(temporary, { recursive: true, force: true });
  return code === 0;
}

function sizeOf(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
