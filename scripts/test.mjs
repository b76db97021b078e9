/**
 * `npm test`: installs missing packages and runs every check, from the static gates to the browser. Prints each failure in
 * a line, and one line of summary. `--only gates|unit|e2e` runs a part. CPU seconds are printed beside the time, since a
 * busy computer changes them less.
 *
 *   Chromium --------------+
 *   packages, build --+-- gates, e2e    printed when both tracks have ended
 *                     +-- unit tests    printed as they run, at a lower priority: they use CPU time left by the browser
 */
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ensureBuilt } from './build.mjs';
import { installFromSystem } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { exitWithError, root, USAGE } from './repository-root.mjs';

const PARTS = ['gates', 'unit', 'e2e'];

const [word, part, ...rest] = process.argv.slice(2);
// An unknown argument is refused, not ignored, because a full run takes minutes.
if (word !== undefined && (word !== '--only' || !PARTS.includes(part) || rest.length > 0)) {
  exitWithError(
    `"${process.argv.slice(2).join(' ')}" is not a valid option.`,
    `Use --only with one of: ${PARTS.join(', ')}.`,
    USAGE,
  );
}
const isAll = part === undefined;

const chromium = isAll ? installFromSystem() : Promise.resolve();
ensureInstalled();
mkdirSync(join(root, 'out', 'test'), { recursive: true });
ensureBuilt();

/** Runs a part in a separate process; a part that ends without a result has failed. Returns the output that is not shown. */
async function run(name, { isShown, place }) {
  const io = isShown ? 'inherit' : 'pipe';
  const child = fork(join(root, 'scripts', 'test-part.mjs'), [name, place], { stdio: ['ignore', io, io, 'ipc'] });
  let result = null;
  child.once('message', (message) => {
    result = message;
  });
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  const [code, ...printed] = await Promise.all([ended, ...(isShown ? [] : [text(child.stdout), text(child.stderr)])]);
  const died = { passed: 0, failed: 1, skipped: 0, failures: [`ended with ${code} before it told a result`] };
  return { name, printed: printed.join(''), ...(result ?? died) };
}

async function runAll() {
  const beside = async () => {
    const checked = await run('gates', { isShown: false, place: 'foreground' });
    await chromium;
    return [checked, await run('e2e', { isShown: false, place: 'foreground' })];
  };
  const [[checked, browsed], unit] = await Promise.all([beside(), run('unit', { isShown: true, place: 'background' })]);
  return [checked, unit, browsed];
}

const results = isAll ? await runAll() : [await run(part, { isShown: true, place: 'foreground' })];
for (const { printed } of results) process.stdout.write(printed);
for (const { name, passed, failed, skipped, seconds, cpu } of results) {
  const took = seconds === undefined ? '' : ` in ${seconds} s${cpu === null ? '' : `, ${Math.round(cpu)} s of CPU`}`;
  process.stdout.write(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped${took}\n`);
}
const failures = results.flatMap((result) => result.failures.map((what) => `${result.name}: ${what}`));
const sum = (count) => results.reduce((all, result) => all + result[count], 0);
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((what) => `  ${what}\n`).join('')}`);
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
