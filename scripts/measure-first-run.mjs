/**
 * `npm run newcomer`: measures a newcomer's first run. Clones this repository's last commit into a new folder, with an
 * empty home folder and only the network settings in the environment, and runs the commands of the README, until the
 * window is usable; with `-- --tests` also until every test is green.
 *
 *   clone --> npm start (installs, builds, starts) --> window drawn, sample account opened, a campaign's name typed --> npm test --> one green line
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from './chromium.mjs';
import { exitWithError, print, root } from './repository-root.mjs';

/** Limits in milliseconds: beyond them the path counts as broken, however it would end. */
const WINDOW_MAX_MS = 15 * 60_000;
const TESTS_MAX_MS = 40 * 60_000;

const scratch = mkdtempSync(join(tmpdir(), 'adslate-newcomer-'));
// Accessible to others like a home folder: a test runs this clone's Node as another user.
chmodSync(scratch, 0o755);
const clone = join(scratch, 'adslate');
const home = join(scratch, 'home');
mkdirSync(home);
/** Network settings of this computer. */
const NETWORK = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];
const env = { PATH: ownPath(), HOME: home, CI: 'true', ...machineWords(NETWORK) };

/** Without the folders that npm adds while it runs a script: they have this clone's Node, which a newcomer does not have. */
function ownPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !/[\\/]node_modules[\\/]/.test(folder)).join(delimiter);
}

function machineWords(names) {
  const all = names.flatMap((name) => [name, name.toLowerCase()]);
  return Object.fromEntries(
    all.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

const seconds = (sinceMs) => ((performance.now() - sinceMs) / 1000).toFixed(1);

function cloneHere() {
  const done = spawnSync('git', ['clone', '--quiet', root, clone], { stdio: ['ignore', 2, 2] });
  if (done.status !== 0) exitWithError('The repository could not be cloned.', 'It has to be a clone itself.');
}

/** Starts Adslate as in the README, but without opening a window: a browser controlled by this script opens it. */
async function start() {
  const words = ['start', '--', '--host', 'web', '--no-open', '--ready-json', '--data', join(scratch, 'data')];
  // A process group, so that killing it also ends the programs started by npm.
  const child = spawn('npm', words, { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const lines = createInterface({ input: child.stdout });
  const url = new Promise((resolve) => {
    lines.on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line).url);
    });
  });
  const found = await Promise.race([url, once(child, 'exit').then(() => null)]);
  if (found === null) throw new Error('npm start ended before it was ready. Its messages are above.');
  const ended = once(child, 'exit');
  return { url: found, stop: () => process.kill(-child.pid, 'SIGTERM') && ended };
}

/** @returns milliseconds from the URL to the first picture, and to the form of a new campaign that accepts a name */
async function openWindow(url) {
  const { chromium } = await import(join(clone, 'node_modules', '@playwright', 'test', 'index.mjs'));
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const openedAt = performance.now();
    await page.goto(url);
    await page.getByRole('button', { name: 'Open a sample account' }).click({ timeout: 60_000 });
    await page.getByRole('region', { name: 'Needs attention' }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('Alt+Shift+V');
    await page.getByLabel('Campaign name').fill('Kettles');
    const usableMs = performance.now() - openedAt;
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
    );
    return { usableMs, paintMs };
  } finally {
    await browser.close();
  }
}

function runTests() {
  const done = spawnSync('npm', ['test'], { cwd: clone, env, stdio: ['ignore', 2, 2], timeout: TESTS_MAX_MS });
  return done.status === 0;
}

const startedAt = performance.now();
let host = null;
const tooLong = setTimeout(
  () => exitWithError('No window within 15 minutes.', 'The last messages are above.'),
  WINDOW_MAX_MS,
);
try {
  cloneHere();
  const cloned = seconds(startedAt);
  host = await start();
  const ready = seconds(startedAt);
  const { usableMs, paintMs } = await openWindow(host.url);
  clearTimeout(tooLong);
  process.stdout.write(
    `clone to usable window: ${seconds(startedAt)} s (cloned at ${cloned} s, host ready at ${ready} s, ` +
      `then first paint ${Math.round(paintMs ?? 0)} ms, usable ${Math.round(usableMs)} ms)\n`,
  );
  await host.stop();
  host = null;
  if (process.argv.includes('--tests')) {
    const testsAt = performance.now();
    const isGreen = runTests();
    // A newcomer who tests first installs and builds as well: this includes the way to the window except its browser.
    process.stdout.write(
      `clone to ${isGreen ? 'green' : 'RED'} tests: ${seconds(startedAt)} s (npm test alone ${seconds(testsAt)} s)\n`,
    );
    process.exitCode = isGreen ? 0 : 1;
  }
} finally {
  clearTimeout(tooLong);
  await host?.stop();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  print('The temporary folder was deleted.');
}
